package org.plant4j.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.Evaluation;
import org.plant4j.MetricNames;
import org.plant4j.experiment.Experiment;
import org.plant4j.experiment.ExperimentFile;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.model.baseline.TextCnn;
import org.plant4j.model.plant.Plant;
import org.plant4j.text.PreparedCorpus;

/** The MIMIC experiments of the library on synthetic tables, with networks of a few units. */
class MimicExperimentsTest {

    private static final List<String> SIGNS =
            List.of("sugar raised", "heart failing", "wheezing breath", "kidney dialysis");
    private static final int ADMISSIONS = 24;

    @TempDir
    Path directory;

    private final List<String> stages = new ArrayList<>();

    @Test
    void mimic3RunsFromTablesToMetrics() throws IOException {
        mimic3();
        RunDirectory run = run("plant-paper@mimic3-full", "corpus.options={ids: " + directory.resolve("ids") + "}");
        assertThat(stages).anyMatch(line -> line.startsWith("language-model: "));
        assertThat(stages).anyMatch(line -> line.startsWith("ranker: "));
        Evaluation test = Evaluation.read(run.metrics(PreparedCorpus.TEST));
        assertThat(test.documents()).isEqualTo(6);
        assertThat(test.metric(MetricNames.LABELS)).isEqualTo(5);
    }

    @Test
    void mimic3HasTasksOfFrequentAndRareCodes() throws IOException {
        mimic3();
        write("rare50.txt", "V58.67");
        String ids = "ids: " + directory.resolve("ids");
        RunDirectory top = run("linear@mimic3-top50", "corpus.options={" + ids + ", top: 2}");
        assertThat(Evaluation.read(top.metrics(PreparedCorpus.TEST)).metric(MetricNames.LABELS))
                .isEqualTo(2);
        RunDirectory rare = run(
                "control-paper@mimic3-rare50",
                "corpus.options={" + ids + ", code_list: " + directory.resolve("rare50.txt") + "}");
        assertThat(Evaluation.read(rare.metrics(PreparedCorpus.TEST)).metric(MetricNames.LABELS))
                .isEqualTo(1);
    }

    @Test
    void mimic4RunsBackward() throws IOException {
        List<String> notes = new ArrayList<>(List.of("note_id,subject_id,hadm_id,note_type,note_seq,text"));
        List<String> codes = new ArrayList<>(List.of("subject_id,hadm_id,seq_num,icd_code,icd_version"));
        List<String> splits = new ArrayList<>(List.of("_id,split"));
        for (int i = 0; i < ADMISSIONS; i++) {
            notes.add(i + "-DS-1,1," + i + ",DS,1,\"" + text(i) + "\"");
            codes.add(
                    "1," + i + ",1," + List.of("E119", "I509", "J45909", "N186").get(i % 4) + ",10");
            splits.add(i + "," + List.of("train", "train", "val", "test").get(i / 4 % 4));
        }
        write("note/discharge.csv", notes.toArray(String[]::new));
        write("hosp/diagnoses_icd.csv", codes.toArray(String[]::new));
        write("hosp/procedures_icd.csv", codes.get(0));
        write("splits.csv", splits.toArray(String[]::new));
        RunDirectory run = run(
                "plant-paper-backward@mimic4-icd10",
                "corpus.options={icd: 10, min_documents: 1, splits: " + directory.resolve("splits.csv") + "}");
        assertThat(Evaluation.read(run.metrics(PreparedCorpus.TEST)).documents())
                .isEqualTo(4);
    }

    @Test
    void mimic2RunsFromItsTableToMetrics() throws IOException {
        List<String> rows = new ArrayList<>(List.of("subject_id|hadm_id|charttime|category|title|icd9_codes|text"));
        for (int i = 0; i < ADMISSIONS; i++) {
            String code = List.of("250.00", "428.0", "493.90", "585.6").get(i % 4);
            rows.add("1|" + i + "|2000-01-01|DISCHARGE_SUMMARY||\"" + code + "\"|\"" + text(i) + "\"");
        }
        write("MIMIC_RAW_DSUMS", rows.toArray(String[]::new));
        write("training_indices.data", numbers(0, 20));
        write("testing_indices.data", numbers(20, 24));
        RunDirectory run = run("linear@mimic2", "corpus.options={}");
        Evaluation test = Evaluation.read(run.metrics(PreparedCorpus.TEST));
        assertThat(test.documents()).isEqualTo(4);
        assertThat(test.metric(MetricNames.LABELS)).isEqualTo(4);
        assertThat(Evaluation.read(run.metrics(PreparedCorpus.DEV)).documents()).isEqualTo(1);
    }

    @Test
    void libraryFilesHaveTheSettingsOfThePaper() {
        Experiment three = read("plant-paper@mimic3-full");
        Experiment four = read("plant-paper@mimic4-icd10");
        assertThat(three.training().epochs()).isEqualTo(115);
        assertThat(three.training().batchSize()).isEqualTo(16);
        assertThat(three.training().adamBeta2()).isEqualTo(0.99);
        assertThat(three.languageModel().orElseThrow().batchSize()).isEqualTo(384);
        assertThat(three.languageModel().orElseThrow().bptt()).isEqualTo(80);
        assertThat(three.languageModel().orElseThrow().start().orElseThrow().weights())
                .endsWith("forward.safetensors");
        assertThat(((Plant.Config) three.model()).segment()).isEqualTo(72);
        assertThat(((Plant.Config) three.model()).keep()).isEqualTo(56);
        assertThat(((Plant.Config) four.model()).keep()).isEqualTo(8);
        assertThat(read("plant-paper-backward@mimic4-icd10")
                        .languageModel()
                        .orElseThrow()
                        .start()
                        .orElseThrow()
                        .weights())
                .endsWith("backward.safetensors");
    }

    @Test
    void theCnnIsThatOfCaml() {
        for (String corpus : List.of("mimic2", "mimic3-full", "mimic3-top50", "mimic4-icd10")) {
            assertThat(read("text-cnn@" + corpus).model())
                    .isEqualTo(new TextCnn.Config(100, 500, List.of(4), TextCnn.Activation.TANH, 0.2, 0, -3));
        }
    }

    /** The file is not part of MIMIC, so that other models must run without it. */
    @Test
    void onlyMsmnReadsSynonymsOnMimic4() {
        assertThat(read("msmn@mimic4-icd10").synonyms()).hasSize(1);
        assertThat(read("caml@mimic4-icd10").synonyms()).isEmpty();
    }

    private static Experiment read(String reference, String... overrides) {
        return ExperimentFile.open(reference, List.of(overrides));
    }

    private RunDirectory run(String reference, String options) {
        List<String> overrides = new ArrayList<>(List.of(
                "corpus.path=" + directory,
                "code_sets=[]",
                options,
                "preprocessing.min_token_count=1",
                "evaluation.bootstrap_samples=0",
                "compute.device=cpu",
                "compute.threads=1"));
        if (!reference.contains("linear")) {
            overrides.addAll(List.of(
                    "language_model.start=null",
                    "language_model.embedding=6",
                    "language_model.hidden=8",
                    "language_model.epochs=1",
                    "language_model.batch_size=4",
                    "language_model.bptt=8",
                    "ranker.epochs=2",
                    "ranker.held_out_every=0",
                    "model.encoder.embedding=6",
                    "model.encoder.hidden=8",
                    "model.ranker.size=8",
                    "model.segment=5",
                    "model.window=10",
                    "model.keep=3",
                    "training.epochs=2"));
        }
        Pipeline pipeline = new Pipeline(
                read(reference, overrides.toArray(String[]::new)),
                directory.resolve("runs"),
                TinyExperiment.session(stages));
        assertThat(pipeline.run()).isTrue();
        return pipeline.runDirectory();
    }

    private void mimic3() throws IOException {
        List<String> notes =
                new ArrayList<>(List.of("ROW_ID,SUBJECT_ID,HADM_ID,CHARTDATE,CATEGORY,DESCRIPTION,CGID,ISERROR,TEXT"));
        List<String> codes = new ArrayList<>(List.of("ROW_ID,SUBJECT_ID,HADM_ID,SEQ_NUM,ICD9_CODE"));
        for (int i = 0; i < ADMISSIONS; i++) {
            notes.add(i + ",1," + i + ",2151-08-04,Discharge summary,Report,,,\"" + text(i) + "\"");
            codes.add("1,1," + i + ",1,"
                    + List.of("25000", "4280", "49390", "5856").get(i % 4));
            if (i % 6 == 0) {
                codes.add("1,1," + i + ",2,V5867");
            }
        }
        write("NOTEEVENTS.csv", notes.toArray(String[]::new));
        write("DIAGNOSES_ICD.csv", codes.toArray(String[]::new));
        write("PROCEDURES_ICD.csv", codes.get(0));
        for (String size : List.of("full", "2")) {
            write("ids/train_" + size + "_hadm_ids.csv", numbers(0, 12));
            write("ids/dev_" + size + "_hadm_ids.csv", numbers(12, 18));
            write("ids/test_" + size + "_hadm_ids.csv", numbers(18, 24));
        }
    }

    private static String text(int admission) {
        return "Admitted with " + SIGNS.get(admission % 4) + (admission % 6 == 0 ? " on insulin" : "")
                + " since monday, sent home in good state, to be seen again.";
    }

    private static String[] numbers(int from, int to) {
        String[] numbers = new String[to - from];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = String.valueOf(from + i);
        }
        return numbers;
    }

    private void write(String name, String... lines) throws IOException {
        Path file = directory.resolve(name);
        Files.createDirectories(file.getParent());
        Files.write(file, List.of(lines));
    }
}
