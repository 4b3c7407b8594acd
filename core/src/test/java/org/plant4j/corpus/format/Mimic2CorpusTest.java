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

class Mimic2CorpusTest {

    private static final String HEADER = "subject_id|hadm_id|charttime|category|title|icd9_codes|text";

    @TempDir
    private Path directory;

    @BeforeEach
    void write() throws IOException {
        TestFiles.file(
                directory,
                "MIMIC_RAW_DSUMS",
                HEADER,
                "1|100|2000-01-01|DISCHARGE_SUMMARY||\"428.0,719.70\"|\"Heart failure.[NEWLINE]Pain | worse.\"",
                "2|101|2000-01-01|DISCHARGE_SUMMARY||\"401.9\"|\"Admission Date: [**2000-1-1**] Sex: \"",
                "3|102|2000-01-01|DISCHARGE_SUMMARY||\"401.9\"|\"Hypertension\"");
        TestFiles.file(directory, "training_indices.data", "0");
        TestFiles.file(directory, "testing_indices.data", "1");
    }

    private Splits splits(BadRowHandler badRows) {
        return CorpusFormats.openSplits(
                new CorpusConfig(
                        "mimic2", directory.toString(), List.of("train"), List.of("dev"), List.of("test"), Map.of()),
                badRows);
    }

    @Test
    void rowsWithoutWordsAreLeftOutBeforeRowsAreNumbered() throws IOException {
        Splits splits = splits(BadRowHandler.fail());
        assertThat(TestFiles.read(splits.train())).singleElement().satisfies(document -> {
            assertThat(document.id()).isEqualTo("100-0");
            assertThat(document.group()).isEqualTo("1");
            assertThat(document.text()).isEqualTo("Heart failure.\nPain | worse.");
            assertThat(document.codes()).containsExactly("428.0", "719.7");
        });
        assertThat(TestFiles.read(splits.dev())).isEmpty();
        assertThat(TestFiles.read(splits.test())).extracting(Document::id).containsExactly("102-1");
    }

    @Test
    void aSkippedRowKeepsItsNumber() throws IOException {
        TestFiles.file(
                directory,
                "MIMIC_RAW_DSUMS",
                HEADER,
                "1|100|damaged",
                "3|102|2000-01-01|DISCHARGE_SUMMARY||\"401.9\"|\"Hypertension\"");
        BadRowHandler badRows = BadRowHandler.skip();
        Splits splits = splits(badRows);
        assertThat(TestFiles.read(splits.train())).isEmpty();
        assertThat(TestFiles.read(splits.test())).extracting(Document::id).containsExactly("102-1");
        assertThat(badRows.skipped()).isEqualTo(1);
    }

    @Test
    void aRowWithTooFewFieldsIsNamed() throws IOException {
        TestFiles.file(directory, "MIMIC_RAW_DSUMS", HEADER, "1|100|text");
        assertThatThrownBy(() -> TestFiles.read(splits(BadRowHandler.fail()).train()))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("found 3");
    }

    @Test
    void theFirstLineMustBeAHeader() throws IOException {
        for (String first :
                List.of("1|100|2000-01-01|DISCHARGE_SUMMARY||\"428.0\"|\"Heart failure\"", "subject_id,hadm_id,text")) {
            TestFiles.file(directory, "MIMIC_RAW_DSUMS", first);
            assertThatThrownBy(() -> TestFiles.read(splits(BadRowHandler.skip()).train()))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("does not name 7 columns");
        }
    }
}
