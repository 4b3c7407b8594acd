package org.plant4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.experiment.ExperimentFile;
import org.plant4j.pipeline.Pipeline;
import org.plant4j.pipeline.stage.Session;
import org.plant4j.support.FileTree;
import org.plant4j.support.Sha256;

class TrainingTest {

    private static final List<String> SENTENCES = List.of(
            "Essential hypertension, treated with lisinopril.",
            "Type 2 diabetes mellitus, treated with metformin.",
            "Pneumonia of the right lower lobe, treated with amoxicillin.");

    private static final List<String> CODES = List.of("I10", "E11.9", "J18.9");

    @TempDir
    private Path temporary;

    /** Documents with one or two codes. */
    private static List<Document> documents(int first, int count) {
        return IntStream.range(first, first + count)
                .mapToObj(i -> new Document(
                        "d" + i,
                        SENTENCES.get(i % 3) + (i % 2 == 0 ? " " + SENTENCES.get((i + 1) % 3) : ""),
                        i % 2 == 0 ? Set.of(CODES.get(i % 3), CODES.get((i + 1) % 3)) : Set.of(CODES.get(i % 3))))
                .toList();
    }

    private static Training linear() {
        return Training.of(documents(0, 60)).model("linear").setting("preprocessing.min_token_count", 1);
    }

    @Test
    void aRunCodesDocuments() {
        TrainingResult result = linear().descriptions(
                        Map.of("I10", "\"Essential\" hypertension", "J18.9", "Pneumonia,\n unspecified", "E11.9", " "))
                .run(temporary.resolve("mine"));
        assertThat(result.finished()).isTrue();
        assertThat(result.dev().orElseThrow().metric(MetricNames.MAP)).isGreaterThan(0.9);
        assertThat(result.test()).isPresent();
        try (Coder coder = Coder.load(result.run())) {
            Suggestion best = coder.code("Hypertension treated with lisinopril.")
                    .suggestions()
                    .get(0);
            assertThat(best.code()).isEqualTo("I10");
            assertThat(best.description()).isEqualTo("\"Essential\" hypertension");
            assertThat(coder.description("J18.9")).isEqualTo("Pneumonia, unspecified");
            assertThat(result.run().resolve("code-set.tsv")).content().doesNotContain("E11.9");
        }
    }

    @Test
    void theRunIsThatOfThePipelineOnFiles() throws IOException {
        linear().seed(7).run(temporary.resolve("a/mine"));
        Path corpus;
        try (Stream<Path> files = Files.walk(temporary.resolve("a/.cache"))) {
            corpus = files.filter(file -> file.endsWith("corpus.yaml"))
                    .findFirst()
                    .orElseThrow();
        }
        new Pipeline(
                        ExperimentFile.open(
                                "linear@" + corpus, List.of("preprocessing.min_token_count=1", "seed=7", "name=mine")),
                        temporary.resolve("b"),
                        new Session(
                                "plant run",
                                BadRowHandler.fail(),
                                false,
                                Progress.NONE,
                                () -> false,
                                (stage, text) -> {}))
                .run();
        assertThat(contents(temporary.resolve("a/mine"))).isEqualTo(contents(temporary.resolve("b/mine")));
    }

    /** The names of all files, with the contents of those that do not contain times. */
    private static List<String> contents(Path run) throws IOException {
        List<String> contents = new ArrayList<>();
        for (Path file : FileTree.files(run)) {
            String name = run.relativize(file).toString();
            boolean timed = List.of("manifest.json", "report.html").contains(name);
            contents.add(name + " " + (timed ? "" : Sha256.of(file)));
        }
        return contents;
    }

    @Test
    void aFinishedRunIsReusedAndAnotherOneIsAnError() {
        Path run = temporary.resolve("mine");
        linear().run(run);
        List<String> stages = new ArrayList<>();
        assertThat(linear().listener((stage, outcome) -> stages.add(stage + ": " + outcome))
                        .run(run)
                        .finished())
                .isTrue();
        assertThat(stages).contains("evaluate: reused");
        Training other = linear().seed(2);
        assertThatThrownBy(() -> other.run(run))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("Training.replace()");
        assertThat(other.replace().run(run).finished()).isTrue();
    }

    @Test
    void aStoppedTrainingResumes() {
        Path run = temporary.resolve("mine");
        AtomicInteger asked = new AtomicInteger();
        Training laat = Training.of(documents(0, 24))
                .dev(documents(24, 6))
                .model("laat")
                .device(Device.CPU)
                .epochs(2)
                .setting("word_vectors", "null")
                .setting("model.embedding", 8)
                .setting("model.hidden", 8)
                .setting("model.projection", 8)
                .setting("training.batch_size", 4)
                .setting("preprocessing.min_token_count", 1)
                .setting("evaluation.bootstrap_samples", 10);
        TrainingResult stopped =
                laat.stopWhen(() -> asked.incrementAndGet() > 3).run(run);
        assertThat(stopped.finished()).isFalse();
        assertThat(stopped.dev()).isEmpty();
        TrainingResult finished = laat.stopWhen(() -> false).run(run);
        assertThat(finished.finished()).isTrue();
        assertThat(finished.dev().orElseThrow().documents()).isEqualTo(6);
        assertThat(finished.test()).isEmpty();
    }

    @Test
    void groupsStayTogether() throws IOException {
        List<Document> grouped = documents(0, 60).stream()
                .map(d -> new Document(d.id(), d.text(), d.codes(), List.of(), "patient " + d.id().length()))
                .toList();
        assertThatThrownBy(() ->
                        Training.of(grouped).model("prior").fractions(1, 0, 0).run(temporary.resolve("x@y z")))
                .isInstanceOf(UserError.class); // a blank in the name
        TrainingResult result =
                Training.of(grouped).model("prior").fractions(1, 0, 0).run(temporary.resolve("all"));
        assertThat(result.dev()).isEmpty();
        assertThat(Files.readString(result.run().resolve("experiment.yaml"))).contains("group: group");
    }

    @Test
    void someDocumentsMayHaveAGroupAndOthersNone() {
        List<Document> some = documents(0, 60).stream()
                .map(d -> d.id().endsWith("1") ? d.withGroup("patient 1") : d)
                .toList();
        TrainingResult result = Training.of(some).model("prior").run(temporary.resolve("some"));
        assertThat(result.finished()).isTrue();
    }

    @Test
    void aGroupInTwoSplitsIsAnError() {
        List<Document> train =
                List.of(documents(0, 1).get(0).withGroup("d60"), documents(1, 1).get(0));
        assertError(
                "The group 'd60' has documents in train and in test",
                "documents",
                Training.of(train).test(documents(60, 3)).model("prior"));
    }

    @Test
    @SuppressWarnings("NullAway") // null is what this tests
    void aDocumentHasAnIdATextAndAGroup() {
        assertThatThrownBy(() -> new Document(null, "text", Set.of("A")))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("id");
        assertThatThrownBy(() -> new Document("1", null, Set.of("A")))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("text");
        assertThatThrownBy(() -> new Document("1", "text", Set.of("A")).withGroup(null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("group");
    }

    @Test
    void theNameOfTheRunIsThatOfItsDirectory() {
        Path other = temporary.resolve("mine");
        linear().run(other);
        assertError("'mine #2' cannot name a run directory", "name", linear().replace(), "mine #2");
        assertThat(linear().run(temporary.resolve("0.10")).finished()).isTrue();
        assertThat(temporary.resolve("0.10/manifest.json")).exists();
        assertError("YAML ignores", "start=a #2", linear().setting("start", "a #2"));
        assertError(
                "The run to start from does not exist",
                "a #2",
                Training.of(documents(0, 6)).model("laat").setting("start", Path.of("a #2")));
    }

    @Test
    @SuppressWarnings("NullAway") // callers without null checks
    void invalidInputIsNamed() {
        assertThatThrownBy(() -> Training.of(List.of())).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> linear().epochs(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> linear().descriptions(Map.of(" ", "Gout")))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> linear().model(null)).isInstanceOf(NullPointerException.class);
        assertError(
                "The document has no codes", "document 7", Training.of(List.of(new Document("7", "Gout.", Set.of()))));
        Document one = new Document("1", "Gout.", Set.of("M10.9"));
        assertError("Another document of this file has the id '1'", "document 1", Training.of(List.of(one, one)));
        assertError("Unknown model 'plnt'", "", linear().model("plnt"));
    }

    private void assertError(String what, String where, Training training) {
        assertError(what, where, training, "invalid");
    }

    private void assertError(String what, String where, Training training, String name) {
        assertThatThrownBy(() -> training.run(temporary.resolve(name)))
                .isInstanceOfSatisfying(UserError.class, error -> {
                    assertThat(error.what()).startsWith(what);
                    assertThat(error.where()).contains(where);
                    assertThat(error.remedy()).isNotBlank();
                });
    }
}
