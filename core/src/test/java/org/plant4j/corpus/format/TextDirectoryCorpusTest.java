package org.plant4j.corpus.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.Document;
import org.plant4j.corpus.Splits;
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
    void oneCodeFileDescribesSeveralDirectories(@TempDir Path directory) throws IOException {
        TestFiles.file(Files.createDirectory(directory.resolve("train")), "a.txt", "one");
        TestFiles.file(Files.createDirectory(directory.resolve("test")), "b.txt", "two");
        Path codes = TestFiles.file(directory, "codes.csv", "id,codes", "a,I10", "b,J18.9");
        CorpusConfig config = new CorpusConfig(
                "text",
                directory.toString(),
                List.of("train"),
                List.of(),
                List.of("test"),
                Map.of("code_file", codes.toString()));
        Splits splits = CorpusFormats.openSplits(config, BadRowHandler.fail());
        assertThat(TestFiles.read(splits.train())).containsExactly(new Document("a", "one\n", Set.of("I10")));
        assertThat(TestFiles.read(splits.test())).containsExactly(new Document("b", "two\n", Set.of("J18.9")));

        TestFiles.file(directory, "codes.csv", "id,codes", "a,I10", "c,J18.9");
        assertThatThrownBy(() -> TestFiles.read(splits.train())).hasMessageContaining("No text for document 'c'");

        TestFiles.file(directory.resolve("test"), "a.txt", "another");
        assertThatThrownBy(() -> TestFiles.read(splits.train()))
                .hasMessageContaining("Two directories contain a document 'a'");
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
