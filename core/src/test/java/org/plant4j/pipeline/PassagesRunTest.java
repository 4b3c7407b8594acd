package org.plant4j.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.plant4j.UserError;
import org.plant4j.experiment.Experiment;
import org.plant4j.experiment.ExperimentFile;
import org.plant4j.experiment.RunManifest;
import org.plant4j.pipeline.stage.Fingerprint;
import org.plant4j.rank.Relevance;
import org.plant4j.text.PreparedCorpus;
import org.plant4j.text.TokenStore;

/** Runs with passages, on demo documents with gold evidence. */
class PassagesRunTest extends PipelineTestCase {

    private static final String DEMO_CORPUS =
            "corpus={format: demo, path: '', train: [train], dev: [dev], test: [test], options: {sizes: 20/8/4}}";

    @Test
    void networksTrainOnDocumentsAndPassages() throws IOException {
        run(tiny.laat(DEMO_CORPUS, "training.epochs=1"));
        Experiment experiment =
                tiny.laat(DEMO_CORPUS, "training.epochs=1", "preprocessing.passage_tokens=24", "name=passages");
        run(experiment);
        assertThat(stages).anyMatch(line -> line.matches("prepare: vocabulary [\\d,]+ · labels \\d+ · passages \\d+"));
        assertThat(weights("passages")).isNotEqualTo(weights("tiny"));
        RunManifest manifest = manifest(runDirectory(experiment));
        long passages = manifest.sizes().getOrDefault("passages", 0L);
        assertThat(passages).isGreaterThan(20);
        assertThat(manifest.sizes()).containsEntry("train", 20L);
        assertThat(manifest(runDirectory(tiny.laat())).sizes()).doesNotContainKey("passages");
        assertThat(Files.readAllLines(runDirectory(experiment).labels()))
                .isEqualTo(Files.readAllLines(runDirectory(tiny.laat()).labels())); // frequencies of documents
    }

    @Test
    void passagesAreShortAndHaveLabelsOfTheirDocument() {
        PreparedCorpus prepared = prepared(tiny.prior(DEMO_CORPUS, "preprocessing.passage_tokens=24"));
        TokenStore train = prepared.train();
        TokenStore passages = prepared.split(PreparedCorpus.PASSAGES);
        List<String> documents =
                IntStream.range(0, train.size()).mapToObj(train::id).toList();
        assertThat(prepared.trainingData().size()).isEqualTo(train.size() + passages.size());
        for (int i = 0; i < passages.size(); i++) {
            int document = documents.indexOf(passages.id(i).replaceAll("#\\d+$", ""));
            assertThat(passages.length(i)).isBetween(1, 40).isLessThan(train.length(document));
            assertThat(passages.labels(i)).isNotEmpty();
            assertThat(set(train.labels(document))).containsAll(set(passages.labels(i)));
        }
    }

    @Test
    void mutualInformationIncludesPassages() {
        run(tiny.plant(DEMO_CORPUS, "training.epochs=1"));
        Experiment experiment =
                tiny.plant(DEMO_CORPUS, "training.epochs=1", "preprocessing.passage_tokens=24", "name=passages");
        run(experiment);
        Relevance documents = Relevance.read(runDirectory(tiny.plant()).relevance());
        Relevance both = Relevance.read(runDirectory(experiment).relevance());
        assertThat(both.labels()).isEqualTo(documents.labels());
        assertThat(both.tokens(0)).isNotEqualTo(documents.tokens(0));
    }

    @Test
    void passagesAreUsedByTheLinearModelButNotByThePrior() throws IOException {
        for (String model : List.of("linear", "prior")) {
            run(read(model, 0));
            run(read(model, 24));
        }
        assertThat(saved("linear24", "linear.bin")).isNotEqualTo(saved("linear0", "linear.bin"));
        assertThat(saved("prior24", "prior.txt")).isEqualTo(saved("prior0", "prior.txt"));
    }

    @Test
    void withoutPassagesTheFingerprintDoesNotIncludeThem() {
        Experiment plain = tiny.prior(DEMO_CORPUS);
        String before = new Fingerprint()
                .addCorpus(plain.corpus())
                .add(plain.preprocessing().limits())
                .add("tokenizer 1")
                .add(TokenStore.VERSION)
                .hex();
        assertThat(fingerprint(plain)).isEqualTo(before);
        assertThat(Stream.of(24, 25)
                        .map(longest ->
                                fingerprint(tiny.prior(DEMO_CORPUS, "preprocessing.passage_tokens=" + longest))))
                .doesNotContain(before)
                .doesNotHaveDuplicates();
    }

    private String fingerprint(Experiment experiment) {
        return new CorpusStage(experiment, TinyExperiment.session(stages), new LocalEngine()).fingerprint();
    }

    @Test
    void wordVectorsAreSharedByRunsWithAndWithoutPassages() throws IOException {
        run(tiny.plant(DEMO_CORPUS, VECTORS, "training.epochs=1"));
        stages.clear();
        run(tiny.plant(DEMO_CORPUS, VECTORS, "training.epochs=1", "preprocessing.passage_tokens=24", "name=passages"));
        assertThat(stages)
                .contains("word-vectors: reused")
                .doesNotContain("prepare: reused", "mutual-information: reused", "ranker: reused");
        assertThat(cached("word-vectors")).hasSize(1);
        assertThat(cached("mutual-information")).hasSize(2);
    }

    @Test
    void missingPassagesAreExtractedAgain() throws IOException {
        Experiment experiment = tiny.prior(DEMO_CORPUS, "preprocessing.passage_tokens=24");
        int passages = prepared(experiment).split(PreparedCorpus.PASSAGES).size();
        Files.delete(cached("prepare").get(0).resolve("passages.tokens"));
        stages.clear();
        assertThat(prepared(experiment).split(PreparedCorpus.PASSAGES).size()).isEqualTo(passages);
        assertThat(stages)
                .satisfiesExactly(
                        damage -> assertThat(damage)
                                .isEqualTo("prepare: damaged, computed again: passages.tokens is missing"),
                        prepare -> assertThat(prepare).endsWith("passages " + passages));
    }

    @Test
    void passagesOfASampleComeFromTheSampleAlone() {
        PreparedCorpus prepared = prepared(
                tiny.prior(DEMO_CORPUS, "preprocessing.passage_tokens=24", "preprocessing.max_training_documents=5"));
        assertThat(ids(prepared.split(PreparedCorpus.PASSAGES))).isNotEmpty().isSubsetOf(ids(prepared.train()));
        assertThat(prepared.train().size()).isEqualTo(5);
    }

    @Test
    void passagesOfACorpusWithoutEvidenceAreRejectedAndLeaveNoFiles() throws IOException {
        UserError error = catchThrowableOfType(UserError.class, () -> run(tiny.laat("preprocessing.passage_tokens=4")));
        assertThat(error.what()).contains("more than 4 tokens", "evidence for all its codes");
        assertThat(error.where()).contains("preprocessing.passage_tokens", "train");
        assertThat(error.remedy()).contains("preprocessing.passage_tokens: 0", "evidence");
        assertThat(runDirectory(tiny.laat()).path()).doesNotExist();
        assertThat(cached("prepare")).isEmpty();
    }

    @Test
    void aNegativePassageLengthIsReported() {
        UserError error = catchThrowableOfType(UserError.class, () -> tiny.prior("preprocessing.passage_tokens=-1"));
        assertThat(error.what()).contains("passage_tokens: -1", ">= 0");
        assertThat(error.where()).contains("prior-tiny.yaml");
    }

    private Experiment read(String model, int passages) {
        Path file = tiny.write(
                model + passages + ".yaml",
                "extends: " + model + "@demo",
                "name: " + model + passages,
                "corpus: {options: {sizes: 20/8/4}}",
                "preprocessing: {passage_tokens: " + passages + "}",
                "evaluation: {bootstrap_samples: 0}");
        return ExperimentFile.read(file, List.of());
    }

    private byte[] saved(String run, String file) throws IOException {
        return Files.readAllBytes(tiny.runs().resolve(run).resolve(file));
    }

    private PreparedCorpus prepared(Experiment experiment) {
        return new Pipeline(experiment, tiny.runs(), TinyExperiment.session(stages)).prepare();
    }

    /** The ids of documents, or of the documents that passages come from. */
    private static Set<String> ids(TokenStore split) {
        Set<String> ids = new HashSet<>();
        for (int i = 0; i < split.size(); i++) {
            ids.add(split.id(i).replaceAll("#\\d+$", ""));
        }
        return ids;
    }

    private static Set<Integer> set(int[] labels) {
        Set<Integer> set = new HashSet<>();
        IntStream.of(labels).forEach(set::add);
        return set;
    }
}
