package org.plant4j.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.plant4j.Coder;
import org.plant4j.Evaluation;
import org.plant4j.UserError;
import org.plant4j.corpus.Fold;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.experiment.Experiment;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.experiment.RunManifest;
import org.plant4j.text.LabelIndex;

/** Training that starts from the weights of another run. */
class StartRunTest extends PipelineTestCase {

    private static final String TEXT = "Patient with heart failing and wheezing breath at home.";
    private static final String NEW = "M10.9";
    private static final String NO_TRAINING = "training.learning_rate=1e-12";

    /** Documents with two of the four codes, the rarest first, and a new code. */
    @BeforeEach
    void writeFurtherDocuments() {
        for (String split : List.of("train", "dev", "test")) {
            List<String> lines = new ArrayList<>(List.of("id,text,codes"));
            for (int i = 0; i < 12; i++) {
                lines.add(split + i + ",Patient with " + (i % 3 == 0 ? "heart failing" : "ambulance again")
                        + " at home.," + (i % 3 == 0 ? "I50.9" : NEW + (i % 2 == 0 ? ";N18.6" : "")));
            }
            tiny.write("further-" + split + ".csv", lines.toArray(String[]::new));
        }
    }

    private Experiment further(Function<String[], Experiment> model, String... overrides) {
        List<String> all = new ArrayList<>(List.of(
                "name=further",
                "start=" + tiny.runs().resolve("tiny"),
                "corpus.train=[further-train.csv]",
                "corpus.dev=[further-dev.csv]",
                "corpus.test=[further-test.csv]"));
        all.addAll(List.of(overrides));
        return model.apply(all.toArray(String[]::new));
    }

    private Map<String, Double> scores(String run) {
        Map<String, Double> scores = new LinkedHashMap<>();
        try (Coder coder = Coder.load(tiny.runs().resolve(run))) {
            coder.code(TEXT, 10).suggestions().forEach(each -> scores.put(each.code(), each.score()));
        }
        return scores;
    }

    private void assertStartsFromTheRun(Function<String[], Experiment> model) {
        run(model.apply(new String[0]));
        Map<String, Double> before = scores("tiny");
        assertThat(before).hasSize(4);
        run(further(model, NO_TRAINING));
        Map<String, Double> after = scores("further");
        assertThat(after.keySet()).containsAll(before.keySet()).contains(NEW).hasSize(5);
        before.forEach((code, score) -> assertThat(after.get(code)).as(code).isCloseTo(score, within(1e-5)));
        assertThat(stages)
                .anyMatch(stage -> stage.matches("start: from .*/tiny, version [0-9a-f]{12}: 4 labels, 1 new"));
    }

    @Test
    void withoutTrainingLaatPredictsTheSame() {
        assertStartsFromTheRun(tiny::laat);
        RunDirectory run = runDirectory(tiny.laat("name=further"));
        assertThat(run.readManifest().inputs()).containsKey(RunManifest.START);
        LabelIndex labels = LabelIndex.read(run.labels());
        LabelIndex earlier = LabelIndex.read(tiny.runs().resolve("tiny/labels.tsv"));
        int own = earlier.frequency(earlier.id("I50.9").getAsInt());
        assertThat(labels.frequency(labels.id("I50.9").getAsInt())).isEqualTo(own + 4);
        assertThat(labels.frequency(labels.id(NEW).getAsInt())).isEqualTo(8);
    }

    private Map<String, Integer> frequencies(String run) {
        LabelIndex labels = LabelIndex.read(tiny.runs().resolve(run).resolve("labels.tsv"));
        Map<String, Integer> frequencies = new TreeMap<>();
        for (int label = 0; label < labels.size(); label++) {
            frequencies.put(labels.code(label), labels.frequency(label));
        }
        return frequencies;
    }

    /**
     * The second export repeats the first with another code for a document, and has one more. J45.909 counts only for the
     * new one: of a repeated document it is not known which codes it had before.
     */
    @Test
    void documentsThatAreExportedAgainCountOnce() {
        run(tiny.laat(NO_TRAINING));
        Map<String, Integer> before = frequencies("tiny");
        int documents = runDirectory(tiny.laat()).readManifest().trainedDocuments();
        tiny.write(
                "further-train.csv",
                "id,text,codes",
                "a,Heart failing since tuesday.,I50.9",
                "b,Ambulance since tuesday.," + NEW);
        run(further(tiny::laat, NO_TRAINING));
        Map<String, Integer> once = frequencies("further");
        assertThat(once)
                .containsEntry("I50.9", before.getOrDefault("I50.9", 0) + 1)
                .containsEntry(NEW, 1);
        assertThat(runDirectory(tiny.laat("name=further")).readManifest().trainedDocuments())
                .isEqualTo(documents + 2);
        tiny.write(
                "further-train.csv",
                "id,text,codes",
                "a, Heart failing  since tuesday.,I50.9",
                "b,Ambulance since tuesday.," + NEW + ";J45.909",
                "c,Wheezing again since tuesday.,J45.909;Z99.9");
        run(further(
                tiny::laat, NO_TRAINING, "name=again", "start=" + tiny.runs().resolve("further")));
        Map<String, Integer> twice = frequencies("again");
        assertThat(twice)
                .containsEntry("I50.9", once.getOrDefault("I50.9", 0))
                .containsEntry(NEW, 1)
                .containsEntry("J45.909", once.getOrDefault("J45.909", 0) + 1)
                .containsEntry("Z99.9", 1);
        assertThat(runDirectory(tiny.laat("name=again")).readManifest().trainedDocuments())
                .isEqualTo(documents + 3);
    }

    /** A run that repeats its training documents counts nothing twice, so that metrics that weigh by frequency stay. */
    @Test
    void propensitiesAreThoseOfAllTrainingDocuments() {
        run(tiny.laat());
        run(tiny.laat(NO_TRAINING, "name=same", "start=" + tiny.runs().resolve("tiny")));
        assertThat(frequencies("same")).isEqualTo(frequencies("tiny"));
        RunDirectory start = runDirectory(tiny.laat());
        RunDirectory same = runDirectory(tiny.laat("name=same"));
        for (int k : List.of(5, 8, 15)) {
            double before = Evaluation.read(start.metrics("test")).metric("PSP@" + k);
            assertThat(Evaluation.read(same.metrics("test")).metric("PSP@" + k)).isCloseTo(before, within(1e-9));
        }
        int documents = start.readManifest().trainedDocuments();
        assertThat(same.readManifest().trainedDocuments()).isEqualTo(documents);
        run(further(tiny::laat, NO_TRAINING));
        assertThat(runDirectory(tiny.laat("name=further")).readManifest().trainedDocuments())
                .isEqualTo(documents + 12);
    }

    /** Runs of earlier versions do not know their training documents, so that all count as new. */
    @Test
    void aRunWithoutFingerprintsCanBeContinued() throws IOException {
        run(tiny.laat());
        RunDirectory start = runDirectory(tiny.laat());
        Map<String, Integer> before = frequencies("tiny");
        Files.delete(start.trainedDocuments());
        start.updateManifest(manifest -> manifest.withFiles(manifest.files().without("trained-documents.bin")));
        run(tiny.laat(NO_TRAINING, "name=same", "start=" + tiny.runs().resolve("tiny")));
        before.replaceAll((code, frequency) -> 2 * frequency);
        assertThat(frequencies("same")).isEqualTo(before);
    }

    @Test
    void withoutTrainingPlantPredictsTheSameAndTrainsNoRanker() {
        assertStartsFromTheRun(tiny::plant);
        assertThat(stages.stream().filter(stage -> stage.startsWith("ranker"))).hasSize(1);
    }

    @Test
    void trainingLearnsTheNewCode() {
        run(tiny.laat());
        run(further(tiny::laat, "training.epochs=20"));
        try (Coder coder = Coder.load(tiny.runs().resolve("further"))) {
            assertThat(coder.code("Patient with ambulance again today.", 1)
                            .suggestions()
                            .get(0)
                            .code())
                    .isEqualTo(NEW);
        }
    }

    /** The further documents have only two of the four findings. */
    @Test
    void theGuardStillKnowsTheDocumentsOfTheStartRun() {
        run(tiny.laat());
        run(further(tiny::laat));
        String text = "Patient with wheezing breath since monday and kidney dialysis.";
        try (Coder before = Coder.load(tiny.runs().resolve("tiny"));
                Coder after = Coder.load(tiny.runs().resolve("further"))) {
            assertThat(after.domainScore(text)).isEqualTo(before.domainScore(text));
            assertThat(after.domainScore(text).getAsDouble()).isPositive();
        }
        RunDirectory start = runDirectory(tiny.laat());
        RunDirectory further = runDirectory(tiny.laat("name=further"));
        assertThat(further.contextProfile()).hasSameTextualContentAs(start.contextProfile());
    }

    @Test
    void aCrossValidationDoesNotStartFromARun() {
        Experiment experiment = further(tiny::laat);
        UserError error = catchThrowableOfType(UserError.class, () -> experiment.withFold(new Fold(1, 5)));
        assertThat(error.what()).startsWith("A cross-validation cannot start from a run");
        assertThat(error.remedy()).contains("--set start=null");
    }

    @Test
    void aRunIsRepeatedIfTheRunItStartsFromChanges() {
        run(tiny.laat());
        run(further(tiny::laat));
        stages.clear();
        run(further(tiny::laat));
        assertThat(stages).anyMatch(stage -> stage.startsWith("network: reused"));
        run(tiny.laat("name=other", "seed=2"));
        String other = "start=" + tiny.runs().resolve("other");
        UserError error = catchThrowableOfType(UserError.class, () -> run(further(tiny::laat, other)));
        assertThat(error.what()).contains("other settings or other data");
    }

    @Test
    void aRunIsNotReusedIfTheRunItStartsFromWasTrainedAgain() {
        run(tiny.laat());
        run(further(tiny::laat));
        force(tiny.laat("seed=2"));
        UserError error = catchThrowableOfType(UserError.class, () -> run(further(tiny::laat)));
        assertThat(error.what()).contains("other settings or other data");
    }

    @Test
    void aRunDoesNotReplaceTheRunItStartsFrom() throws IOException {
        run(tiny.laat());
        byte[] before = weights("tiny");
        UserError error = catchThrowableOfType(UserError.class, () -> force(further(tiny::laat, "name=tiny")));
        assertThat(error.what()).isEqualTo("The run would replace the run that it starts from");
        assertThat(error.remedy()).contains("--set name=");
        Path link = Files.createSymbolicLink(tiny.directory().resolve("link"), tiny.runs());
        String linked = "start=" + link.resolve("tiny");
        assertThatThrownBy(() -> force(further(tiny::laat, "name=tiny", linked)))
                .isInstanceOf(UserError.class);
        assertThat(weights("tiny")).isEqualTo(before);
    }

    private void force(Experiment experiment) {
        run(experiment, BadRowHandler.fail(), true, () -> false);
    }

    @Test
    void otherModelsAndSettingsAreRejectedBeforeAnyWork() throws Exception {
        Experiment missing = further(tiny::laat);
        UserError noRun = catchThrowableOfType(UserError.class, () -> run(missing));
        assertThat(noRun.what()).isEqualTo("The run to start from does not exist");
        assertThat(noRun.remedy()).contains("--set start=");
        run(tiny.laat());
        UserError size = catchThrowableOfType(UserError.class, () -> run(further(tiny::laat, "model.hidden=4")));
        assertThat(size.what()).endsWith("model.hidden is 4, there 8");
        UserError type = catchThrowableOfType(UserError.class, () -> run(further(tiny::plant)));
        assertThat(type.what()).contains("model.type");
        UserError prior = catchThrowableOfType(UserError.class, () -> further(tiny::prior));
        assertThat(prior.what()).isEqualTo("The model cannot start from the weights of a run");
        Path further = tiny.runs().resolve("further");
        assertThat(Files.exists(further)).isFalse();
    }
}
