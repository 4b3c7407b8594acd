package org.plant4j.corpus.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.Document;
import org.plant4j.UserError;
import org.plant4j.corpus.Splits;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.corpus.file.TestFiles;

class Mimic3TablesTest {

    private static final String NOTES_HEADER = "\"ROW_ID\",\"SUBJECT_ID\",\"HADM_ID\",\"CHARTDATE\",\"CHARTTIME\","
            + "\"STORETIME\",\"CATEGORY\",\"DESCRIPTION\",\"CGID\",\"ISERROR\",\"TEXT\"";
    private static final String CODES_HEADER = "\"ROW_ID\",\"SUBJECT_ID\",\"HADM_ID\",\"SEQ_NUM\",\"ICD9_CODE\"";

    private static String note(int row, String admission, String category, String description, String text) {
        return row + ",22532," + admission + ",\"2151-08-04\",,,\"" + category + "\",\"" + description + "\",,,\""
                + text + "\"";
    }

    private static Path mimic(Path directory) throws IOException {
        TestFiles.file(
                directory,
                "NOTEEVENTS.csv.gz",
                NOTES_HEADER,
                note(1, "100", "Discharge summary", "Addendum", "Addendum of 100"),
                note(2, "100", "Discharge summary", "Report", "Admission Date:\n\n\"\"Summary\"\" of 100"),
                note(3, "200", "Discharge summary", "Report", "Summary of 200"),
                note(4, "200", "Nursing", "Report", "A nurse's note"),
                note(5, "", "Discharge summary", "Report", "Of no admission"),
                note(6, "300.0", "Discharge summary", "Report", "Summary of 300"),
                note(7, "400", "Discharge summary", "Report", "Without codes"),
                note(8, "200", "Discharge summary", "Addendum", "Addendum of 200"));
        TestFiles.file(
                directory,
                "DIAGNOSES_ICD.csv",
                CODES_HEADER,
                "1,22532,100,1,\"4280\"",
                "2,22532,100,2,\"E8233\"",
                "3,22532,200,1,\"V1001\"",
                "4,22532,200,2,\"4280\"",
                "5,22532,300,1,\"042\"",
                "6,22532,400,1,\"\"",
                "7,22532,999,1,\"042\"",
                "8,22532,998,1,\"042\"");
        TestFiles.file(directory, "PROCEDURES_ICD.csv", CODES_HEADER, "1,22532,100,1,\"3893\"", "2,22532,300,1,\"66\"");
        TestFiles.file(directory, "ids/train_full_hadm_ids.csv", "200", "300");
        TestFiles.file(directory, "ids/dev_full_hadm_ids.csv", "100");
        TestFiles.file(directory, "ids/test_full_hadm_ids.csv", "");
        TestFiles.file(directory, "ids/train_1_hadm_ids.csv", "200", "300");
        return directory;
    }

    @Test
    void theSummaryOfAnAdmissionPrecedesItsAddenda(@TempDir Path directory) throws IOException {
        List<Document> read =
                TestFiles.read(CorpusFormats.openCorpus("mimic3", mimic(directory), Map.of(), BadRowHandler.fail()));
        assertThat(read).extracting(Document::id).containsExactly("100", "300", "200");
        assertThat(read)
                .extracting(Document::text)
                .containsExactly(
                        "Admission Date:\n\n\"Summary\" of 100\nAddendum of 100",
                        "Summary of 300",
                        "Summary of 200\nAddendum of 200");
    }

    @Test
    void codesHaveDots(@TempDir Path directory) throws IOException {
        List<Document> read =
                TestFiles.read(CorpusFormats.openCorpus("mimic3", mimic(directory), Map.of(), BadRowHandler.fail()));
        assertThat(read.get(0).codes()).containsExactly("38.93", "428.0", "E823.3");
        assertThat(read.get(1).codes()).containsExactly("042", "66");
        assertThat(read.get(2).codes()).containsExactly("428.0", "V10.01");
    }

    @Test
    void publishedListsDefineTheSplits(@TempDir Path directory) throws IOException {
        mimic(directory);
        Splits split = CorpusFormats.openSplits(
                config(directory, Map.of("ids", directory.resolve("ids").toString())), BadRowHandler.fail());
        assertThat(TestFiles.ids(split.train())).containsExactly("300", "200");
        assertThat(TestFiles.ids(split.dev())).containsExactly("100");
        assertThat(TestFiles.ids(split.test())).isEmpty();
    }

    @Test
    void topKeepsTheMostFrequentCodesOfAdmissionsWithNotes(@TempDir Path directory) throws IOException {
        mimic(directory); // 042 is in three admissions, but two of them have no summary
        Map<String, String> options = Map.of("ids", directory.resolve("ids").toString(), "top", "1");
        CorpusConfig config =
                new CorpusConfig("mimic3", directory.toString(), List.of("train"), List.of(), List.of(), options);
        List<Document> read = TestFiles.read(
                CorpusFormats.openSplits(config, BadRowHandler.fail()).train());
        assertThat(read).singleElement().satisfies(document -> {
            assertThat(document.id()).isEqualTo("200");
            assertThat(document.codes()).containsExactly("428.0");
        });
    }

    @Test
    void aCodeListSelectsCodesAndTheirDocuments(@TempDir Path directory) throws IOException {
        mimic(directory);
        Path rare = TestFiles.file(directory, "rare.txt", "e823.3", "66", "", "999.9");
        Map<String, String> options = Map.of("ids", directory.resolve("ids").toString(), "code_list", rare.toString());
        Splits split = CorpusFormats.openSplits(config(directory, options), BadRowHandler.fail());
        assertThat(TestFiles.read(split.train())).singleElement().satisfies(document -> {
            assertThat(document.id()).isEqualTo("300");
            assertThat(document.codes()).containsExactly("66");
        });
        assertThat(TestFiles.read(split.dev()))
                .singleElement()
                .satisfies(document -> assertThat(document.codes()).containsExactly("E823.3"));
    }

    @Test
    void aCodeListWithoutAKnownCodeIsAnError(@TempDir Path directory) throws IOException {
        mimic(directory);
        Path list = TestFiles.file(directory, "rare.txt", "4280", "0420");
        Map<String, String> options = Map.of("code_list", list.toString());
        assertThatThrownBy(() ->
                        TestFiles.ids(CorpusFormats.openCorpus("mimic3", directory, options, BadRowHandler.fail())))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("rare.txt")
                .hasMessageContaining("428.0");
    }

    @Test
    void skippedRowsCountOnce(@TempDir Path directory) throws IOException {
        mimic(directory);
        TestFiles.file(
                directory,
                "NOTEEVENTS.csv",
                NOTES_HEADER,
                "1,2,3",
                note(2, "100", "Discharge summary", "Report", "Summary of 100"));
        BadRowHandler badRows = BadRowHandler.skip();
        assertThat(TestFiles.ids(CorpusFormats.openCorpus("mimic3", directory, Map.of(), badRows)))
                .containsExactly("100");
        assertThat(badRows.skipped()).isEqualTo(1);
        assertThatThrownBy(() ->
                        TestFiles.ids(CorpusFormats.openCorpus("mimic3", directory, Map.of(), BadRowHandler.fail())))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("NOTEEVENTS.csv:2");
    }

    @Test
    void missingListsAndColumnsAreNamed(@TempDir Path directory) throws IOException {
        mimic(directory);
        assertThatThrownBy(() -> CorpusFormats.openSplits(config(directory, Map.of()), BadRowHandler.fail()))
                .hasMessageContaining("Option 'ids' is missing");
        TestFiles.file(directory, "DIAGNOSES_ICD.csv", "ROW_ID,HADM_ID,ICD_CODE", "1,100,4280");
        assertThatThrownBy(() ->
                        TestFiles.ids(CorpusFormats.openCorpus("mimic3", directory, Map.of(), BadRowHandler.fail())))
                .hasMessageContaining("rename 'ICD_CODE' to 'ICD9_CODE'");
    }

    private static CorpusConfig config(Path directory, Map<String, String> options) {
        return new CorpusConfig(
                "mimic3", directory.toString(), List.of("train"), List.of("dev"), List.of("test"), options);
    }
}
