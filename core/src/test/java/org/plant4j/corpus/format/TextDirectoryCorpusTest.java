package org.plant4j.corpus.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.Document;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.corpus.file.TestFiles;

class TextDirectoryCorpusTest {

    @Test
    void textsAreReadInNameOrderPlainOrCompressed(@TempDir Path directory) throws IOException {
        TestFiles.file(directory, "b.txt.gz", "two");
        TestFiles.file(directory, "a.txt", "one");
        TestFiles.file(directory, "c.ann", "three");
        assertThat(TestFiles.read(new TextDirectoryCorpus(directory, BadRowHandler.fail())))
                .containsExactly(new Document("a", "one\n", Set.of()), new Document("b", "two\n", Set.of()));
    }

    @Test
    void anEmptyTextIsABadRowAndAMissingDirectoryAnError(@TempDir Path directory) throws IOException {
        TestFiles.file(directory, "a.txt", " ");
        assertThatThrownBy(() -> TestFiles.read(new TextDirectoryCorpus(directory, BadRowHandler.fail())))
                .hasMessageContaining("a.txt");
        assertThatThrownBy(
                        () -> TestFiles.read(new TextDirectoryCorpus(directory.resolve("none"), BadRowHandler.fail())))
                .hasMessageContaining("No such directory");
    }
}
