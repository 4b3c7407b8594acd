package org.plant4j.corpus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TextFolderCorpusTest {

    @Test
    void textsComeInNameOrderPlainOrPacked(@TempDir Path folder) throws IOException {
        Written.file(folder, "b.txt.gz", "two");
        Written.file(folder, "a.txt", "one");
        Written.file(folder, "c.ann", "three");
        assertThat(Written.read(new TextFolderCorpus(folder, BadRows.fail())))
                .containsExactly(new Document("a", "one\n", Set.of()), new Document("b", "two\n", Set.of()));
    }

    @Test
    void anEmptyTextIsABadRowAndAMissingFolderAnError(@TempDir Path folder) throws IOException {
        Written.file(folder, "a.txt", " ");
        assertThatThrownBy(() -> Written.read(new TextFolderCorpus(folder, BadRows.fail())))
                .hasMessageContaining("a.txt");
        assertThatThrownBy(() -> Written.read(new TextFolderCorpus(folder.resolve("none"), BadRows.fail())))
                .hasMessageContaining("No such folder");
    }
}
