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

class Mimic4TablesTest {

    private static Path mimic(Path directory) throws IOException {
        TestFiles.file(
                directory,
                "note/discharge.csv.gz",
                "note_id,subject_id,hadm_id,note_type,note_seq,charttime,storetime,text",
                "1-DS-1,1,100,DS,1,2180-05-07 00:00:00,2180-05-09 15:26:00,\" \nName:  ___\n\"",
                "1-AD-2,1,100,AD,2,2180-05-07 00:00:00,2180-05-09 15:26:00,Addendum",
                "2-DS-1,2,200,DS,1,2180-05-07 00:00:00,2180-05-09 15:26:00,Two",
                "3-DS-1,3,300,DS,1,2180-05-07 00:00:00,2180-05-09 15:26:00,Three");
        TestFiles.file(
                directory,
                "hosp/diagnoses_icd.csv",
                "subject_id,hadm_id,seq_num,icd_code,icd_version",
                "1,100,1,I5020,10",
                "2,200,1,I5020,10",
                "2,200,2,I10,10",
                "3,300,1,4280   ,9");
        TestFiles.file(
                directory,
                "hosp/procedures_icd.csv",
                "subject_id,hadm_id,seq_num,chartdate,icd_code,icd_version",
                "1,100,1,2180-05-07,02HV33Z,10",
                "2,200,1,2180-05-07,02HV33Z,10",
                "3,300,1,2180-05-07,3893,9");
        return directory;
    }

    @Test
    void codesOfFewerDocumentsThanTheMinimumAreDropped(@TempDir Path directory) throws IOException {
        List<Document> read = TestFiles.read(CorpusFormats.openCorpus(
                "mimic4", mimic(directory), Map.of("min_documents", "2"), BadRowHandler.fail()));
        assertThat(read).extracting(Document::id).containsExactly("100", "200");
        assertThat(read).allSatisfy(document -> assertThat(document.codes()).containsExactly("02HV33Z", "I50.20"));
        assertThat(read.get(0).text()).isEqualTo(" \nName:  ___\n\nAddendum");
    }

    @Test
    void tenDocumentsAreTheDefaultMinimum(@TempDir Path directory) throws IOException {
        assertThat(TestFiles.read(CorpusFormats.openCorpus("mimic4", mimic(directory), Map.of(), BadRowHandler.fail())))
                .isEmpty();
    }

    @Test
    void icd9CodesAreReadOnRequest(@TempDir Path directory) throws IOException {
        Map<String, String> options = Map.of("icd", "9", "min_documents", "1");
        List<Document> read =
                TestFiles.read(CorpusFormats.openCorpus("mimic4", mimic(directory), options, BadRowHandler.fail()));
        assertThat(read)
                .singleElement()
                .satisfies(document -> assertThat(document.codes()).containsExactly("38.93", "428.0"));
    }

    @Test
    void aSplitFileListsAdmissionsOrNotes(@TempDir Path directory) throws IOException {
        mimic(directory);
        Path admissions = TestFiles.file(directory, "a.csv", "hadm_id,split", "100,train", "200,val");
        Path notes = TestFiles.file(directory, "b.csv", "_id,num_words,split", "1-DS-1,5,train", "2-DS-1,5,val");
        for (Path file : List.of(admissions, notes)) {
            Splits split = CorpusFormats.openSplits(config(directory, file), BadRowHandler.fail());
            assertThat(TestFiles.ids(split.train())).containsExactly("100");
            assertThat(TestFiles.ids(split.dev())).containsExactly("200");
        }
    }

    @Test
    void aSplitFileWithoutTheSplitOrTheColumnIsAnError(@TempDir Path directory) throws IOException {
        mimic(directory);
        Path other = TestFiles.file(directory, "a.csv", "hadm_id,split", "100,trains");
        assertThatThrownBy(() -> TestFiles.ids(CorpusFormats.openSplits(config(directory, other), BadRowHandler.fail())
                        .train()))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("did you mean 'trains'?");
        Path none = TestFiles.file(directory, "b.csv", "admission,split", "100,train");
        assertThatThrownBy(() -> TestFiles.ids(CorpusFormats.openSplits(config(directory, none), BadRowHandler.fail())
                        .train()))
                .hasMessageContaining("found: admission, split");
    }

    private static CorpusConfig config(Path directory, Path splits) {
        return new CorpusConfig(
                "mimic4",
                directory.toString(),
                List.of("train"),
                List.of("dev"),
                List.of(),
                Map.of("splits", splits.toString(), "min_documents", "1"));
    }
}
