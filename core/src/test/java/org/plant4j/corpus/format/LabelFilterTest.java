package org.plant4j.corpus.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.Document;
import org.plant4j.UserError;
import org.plant4j.corpus.Splits;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.corpus.file.TestFiles;

class LabelFilterTest {

    @TempDir
    private Path directory;

    @BeforeEach
    void write() throws IOException {
        TestFiles.file(
                directory,
                "train.jsonl",
                "{\"id\": \"1\", \"text\": \"one\", \"codes\": [\"A\", \"B\", \"D\"], "
                        + "\"evidence\": [{\"code\": \"A\", \"spans\": [[0, 3]]}, {\"code\": \"B\", \"spans\": [[0, 3]]}]}",
                "{\"id\": \"2\", \"text\": \"two\", \"codes\": [\"A\", \"B\", \"C\"]}",
                "{\"id\": \"3\", \"text\": \"three\", \"codes\": [\"A\", \"B\", \"C\"]}",
                "{\"id\": \"7\", \"text\": \"seven\", \"codes\": [\"A\"]}");
        TestFiles.file(
                directory,
                "dev.jsonl",
                "{\"id\": \"4\", \"text\": \"four\", \"codes\": [\"C\", \"E\"]}",
                "{\"id\": \"5\", \"text\": \"five\", \"codes\": [\"A\"]}");
        TestFiles.file(directory, "test.jsonl", "{\"id\": \"6\", \"text\": \"six\", \"codes\": []}");
    }

    private Splits open(String labels) {
        CorpusConfig config = new CorpusConfig(
                "jsonl",
                directory.toString(),
                List.of("train.jsonl"),
                List.of("dev.jsonl"),
                List.of("test.jsonl"),
                Map.of("labels", labels, "uncoded", "keep"));
        return CorpusFormats.openSplits(config, BadRowHandler.fail());
    }

    @Test
    void keepsTheMostFrequentLabelsOfTrainWithTheirEvidence() throws IOException {
        Splits splits = open("top 1");
        assertThat(TestFiles.ids(splits.train())).containsExactly("1", "2", "3", "7");
        Document first = TestFiles.read(splits.train()).get(0);
        assertThat(first.codes()).containsExactly("A");
        assertThat(TestFiles.evidenceTexts(first)).containsExactly("A=one");
        assertThat(TestFiles.ids(splits.dev())).containsExactly("5");
    }

    @Test
    void keepsTheRarestLabelsWithTwoDocumentsAndLeavesOtherDocumentsOut() throws IOException {
        Splits splits = open("rare 1"); // A has four documents, B three, C two, D one
        assertThat(TestFiles.ids(splits.train())).containsExactly("2", "3");
        assertThat(TestFiles.read(splits.dev())).singleElement().satisfies(document -> {
            assertThat(document.id()).isEqualTo("4");
            assertThat(document.codes()).containsExactly("C");
        });
    }

    @Test
    void documentsThatNeverHadCodesStay() throws IOException {
        assertThat(TestFiles.ids(open("top 1").test())).containsExactly("6");
    }

    @Test
    void anotherValueIsAnError() {
        assertThatThrownBy(() -> open("50"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("Invalid value '50' for option labels");
    }
}
