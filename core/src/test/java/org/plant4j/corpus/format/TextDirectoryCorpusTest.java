package org.plant4j.corpus.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.corpus.Document;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.corpus.file.TestFiles;

class TextDirectoryCorpusTest {

    @Test
    void textsComeInNameOrderPlainOrPacked(@TempDir Path folder) throws IOException {
        TestFiles.file(folder, "b.txt.gz", "two");
        TestFiles.file(folder, "a.txt", "one");
        TestFiles.file(folder, "c.ann", "three");
        assertThat(TestFiles.read(new TextDirectoryCorpus(folder, BadRowHandler.fail())))
                .containsExactly(new Document("a", "one\n", Set.of()), new Document("b", "two\n", Set.of()));
    }

    @Test
    void anEmptyTextIsABadRowAndAMissingFolderAnError(@TempDir Path folder) throws IOException {
        TestFiles.file(folder, "a.txt", " ");
        assertThatThrownBy(() -> TestFiles.read(new TextDirectoryCorpus(folder, BadRowHandler.fail())))
                .hasMessageContaining("a.txt");
        assertThatThrownBy(() -> TestFiles.read(new TextDirectoryCorpus(folder.resolve("none"), BadRowHandler.fail())))
                .hasMessageContaining("No such directory");
    }
}
