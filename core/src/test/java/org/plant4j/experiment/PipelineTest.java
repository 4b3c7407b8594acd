package org.plant4j.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.UserError;
import org.plant4j.corpus.BadRows;
import org.plant4j.eval.Thresholds;
import org.plant4j.models.LabelNetwork;
import org.plant4j.predict.Coder;
import org.plant4j.predict.RunFolder;
import org.plant4j.text.PreparedCorpus;
import org.plant4j.text.TokenStore;
import org.plant4j.text.Vocabulary;
import org.plant4j.train.History;

class PipelineTest {

    private static final String VECTORS =
            "vectors={size: 8, window: 2, smoothing: 0.75, power: 0.5, passes: 1, scale: 1.0, max_pairs: 10000}";

    @TempDir
    Path folder;

    private TinyExperiment tiny;
    private final List<String> heard = new ArrayList<>();

    @BeforeEach
    void writeCorpus() {
        tiny = TinyExperiment.in(folder);
    }

    @Test
    void stagesAreToldInTheirOrderAndASecondRunReusesThemAll() throws IOException {
        Experiment experiment = tiny.laat(VECTORS);
        assertThat(run(experiment)).isTrue();
        assertThat(heard)
                .satisfiesExactly(
                        prepare -> assertThat(prepare).matches("prepare: \\d+ words, 4 codes"),
                        vectors -> assertThat(vectors).isEqualTo("vectors: 8 dimensions"),
                        train -> assertThat(train)
                                .matches("train: best of 3 epochs: [123], dev MAP 0\\.\\d{4}|.* 1\\.0000"),
                        evaluate -> assertThat(evaluate).isEqualTo("evaluate: done"));
        RunFolder run = folder(experiment);
        assertThat(Stream.of(
                        run.report(),
                        run.metrics("dev"),
                        run.metrics("test"),
                        run.predictions("test"),
                        run.thresholds()))
                .allMatch(Files::exists);
        assertThat(run.checkpoint()).doesNotExist();
        assertThat(manifest(run).isDone()).isTrue();
        assertThat(manifest(run).sizes()).containsEntry("train", 24L).containsEntry("test", 9L);

        Map<String, String> before = contents(run.path());
        heard.clear();
        assertThat(run(experiment)).isTrue();
        assertThat(heard).containsExactly("prepare: reused", "train: reused " + run.path(), "evaluate: reused");
        assertThat(contents(run.path())).isEqualTo(before);
    }

    @Test
    void aFinishedRunWithoutCalibrationIsCalibratedFromItsPredictions() throws IOException {
        RunFolder run = folder(tiny.laat());
        run(tiny.laat());
        String written = Files.readString(run.calibration());
        Files.delete(run.calibration());
        run(tiny.laat());
        assertThat(run.calibration()).hasContent(written);
    }

    @Test
    void twoRunsShareThePreparedCorpusAndVectors() {
        run(tiny.laat(VECTORS));
        heard.clear();
        run(tiny.laat(VECTORS, "name=other", "seed=2"));
        assertThat(heard)
                .startsWith("prepare: reused", "vectors: reused")
                .last()
                .isEqualTo("evaluate: done");
    }

    @Test
    void vectorsThatAreCutShortAreLearnedAnew() throws IOException {
        run(tiny.laat(VECTORS));
        try (Stream<Path> cached = Files.list(tiny.runs().resolve(".cache"))) {
            for (Path file :
                    cached.filter(path -> path.toString().contains("vectors-")).toList()) {
                Files.write(file, new byte[] {0, 0, 0, 9});
            }
        }
        heard.clear();
        run(tiny.laat(VECTORS, "name=other"));
        assertThat(heard).contains("vectors: 8 dimensions");
    }

    @Test
    void whatIsPlantedIsLearnedBeforeTheModelAndSharedByRunsOfEverySeed() throws IOException {
        assertThat(run(tiny.plant())).isTrue();
        assertThat(heard)
                .satisfiesExactly(
                        prepare -> assertThat(prepare).startsWith("prepare: "),
                        mi -> assertThat(mi).matches("mi: \\d+ words that speak for 4 codes"),
                        rank -> assertThat(rank)
                                .matches("rank: nDCG@20 [01]\\.\\d{4} learned, [01]\\.\\d{4} on held-out words"),
                        train -> assertThat(train).startsWith("train: best of 2 epochs"),
                        evaluate -> assertThat(evaluate).isEqualTo("evaluate: done"));
        RunFolder run = folder(tiny.plant());
        assertThat(Stream.of(run.relevance(), run.ranker(), run.rankerConfig(), run.rankerHistory()))
                .allMatch(Files::exists);
        assertThat(manifest(run).seconds()).containsKeys("mi", "rank");

        heard.clear();
        run(tiny.plant("name=other", "seed=2"));
        assertThat(heard).startsWith("prepare: reused", "mi: reused", "rank: reused");
        assertThat(weights("other")).isNotEqualTo(weights("tiny"));

        heard.clear();
        run(tiny.plant("name=longer", "rank.epochs=4"));
        assertThat(heard.get(1)).isEqualTo("mi: reused");
        assertThat(heard.get(2)).startsWith("rank: nDCG@20");
        assertThat(catchThrowableOfType(UserError.class, () -> run(tiny.plant("rank.epochs=4"))))
                .hasMessageContaining("other settings");
    }

    @Test
    void aModelThatPlantsNothingRunsNoneOfTheStagesAndAStaticOneNoRanker() {
        run(tiny.plant("model.static=false", "model.differentiable=false"));
        assertThat(heard).noneMatch(line -> line.startsWith("mi") || line.startsWith("rank"));
        assertThat(folder(tiny.plant()).relevance()).doesNotExist();
        heard.clear();
        run(tiny.plant("name=static", "model.differentiable=false", "rank=null"));
        assertThat(heard).anyMatch(line -> line.startsWith("mi")).noneMatch(line -> line.startsWith("rank"));
        assertThat(new RunFolder(tiny.runs().resolve("static")).ranker()).doesNotExist();
    }

    @Test
    void aRankerMayStartFromTheWordVectors() {
        run(tiny.plant(VECTORS, "rank.start=vectors"));
        assertThat(heard).anyMatch(line -> line.startsWith("vectors")).anyMatch(line -> line.startsWith("rank"));
        assertThat(catchThrowableOfType(UserError.class, () -> tiny.plant("rank.start=vectors")))
                .hasMessageContaining("there are none");
        assertThat(catchThrowableOfType(
                        UserError.class, () -> tiny.plant(VECTORS, "rank.start=vectors", "model.ranker.size=9")))
                .hasMessageContaining("do not fit a ranker of 9");
    }

    @Test
    void aPlantedModelSaysWhatItLacks() {
        assertThat(catchThrowableOfType(UserError.class, () -> tiny.plant("relevance=null")))
                .hasMessageContaining("nothing to plant");
        assertThat(catchThrowableOfType(UserError.class, () -> tiny.plant("rank=null"))
                        .where())
                .endsWith("rank");
    }

    @Test
    void aRankerThatIsInterruptedIsNotKept() throws IOException {
        AtomicInteger looks = new AtomicInteger();
        assertThat(run(tiny.plant(), BadRows.fail(), false, () -> looks.incrementAndGet() > 2))
                .isFalse();
        assertThat(heard).last().asString().contains("interrupted");
        try (Stream<Path> cached = Files.list(tiny.runs().resolve(".cache"))) {
            assertThat(cached.filter(Files::isDirectory))
                    .noneMatch(path -> path.getFileName().toString().startsWith("rank"));
        }
        assertThat(run(tiny.plant())).isTrue();
    }

    @Test
    void equalSeedsGiveEqualWeights() throws IOException {
        run(tiny.laat());
        run(tiny.laat("name=again"));
        run(tiny.laat("name=other", "seed=2"));
        assertThat(weights("again")).isEqualTo(weights("tiny")).isNotEqualTo(weights("other"));
    }

    @Test
    void otherSettingsUnderOneNameAreRefusedAndNothingIsLost() throws IOException {
        Experiment first = tiny.prior();
        run(first);
        Map<String, String> before = contents(folder(first).path());
        UserError error = catchThrowableOfType(UserError.class, () -> run(tiny.prior("seed=2")));
        assertThat(error.where()).isEqualTo(folder(first).path().toString());
        assertThat(error.remedy()).contains("--force");
        assertThat(contents(folder(first).path())).isEqualTo(before);
    }

    @Test
    void aRefusalComesBeforeAnyWork() {
        run(tiny.prior());
        heard.clear();
        assertThat(catchThrowableOfType(UserError.class, () -> run(tiny.prior("text.min_count=2"))))
                .isNotNull();
        assertThat(heard).isEmpty();
    }

    @Test
    void forceReplacesTheRunButNotItsLog() throws IOException {
        Experiment first = tiny.laat();
        run(first);
        Files.writeString(folder(first).log(), "told before");
        assertThat(run(tiny.prior(), BadRows.fail(), true, () -> false)).isTrue();
        assertThat(folder(first).log()).hasContent("told before");
        assertThat(folder(first).path().resolve(LabelNetwork.WEIGHTS)).doesNotExist();
        assertThat(folder(first).path().resolve("prior.txt")).exists();
    }

    @Test
    void forceLosesNothingWhereTheNewRunCannotBegin() throws IOException {
        Experiment first = tiny.prior();
        run(first);
        Map<String, String> before = contents(folder(first).path());
        UserError error = catchThrowableOfType(
                UserError.class, () -> run(tiny.prior("codebooks=[/no/such.tsv]"), BadRows.fail(), true, () -> false));
        assertThat(error.where()).contains("such.tsv");
        assertThat(contents(folder(first).path())).isEqualTo(before);
    }

    @Test
    void onlyTheEvaluationIsDoneAnewWhereOnlyItChanges() throws IOException {
        Experiment experiment = tiny.laat();
        run(experiment);
        byte[] weights = weights("tiny");
        heard.clear();
        run(tiny.laat("evaluation.thresholds=per_label"));
        RunFolder run = folder(experiment);
        assertThat(heard).containsExactly("prepare: reused", "train: reused " + run.path(), "evaluate: done");
        assertThat(weights("tiny")).isEqualTo(weights);
        assertThat(run.readThresholds().perLabel()).hasSize(4);
        assertThat(run.experiment()).content().contains("per_label");
        assertThat(run.report()).content().contains("per_label");
        heard.clear();
        run(tiny.laat("evaluation.thresholds=per_label"));
        assertThat(heard).last().isEqualTo("evaluate: reused");
    }

    @Test
    void codeBooksMayBeAddedToAFinishedRun() throws IOException {
        tiny.write("book.tsv", "code\tdescription\tparent\tvalid", "I50.9\tHeart failure\t\t1");
        run(tiny.prior());
        heard.clear();
        run(tiny.prior("codebooks=[" + folder.resolve("book.tsv") + "]"));
        assertThat(heard).last().isEqualTo("evaluate: reused");
        try (Coder coder = Coder.load(folder(tiny.prior()).path())) {
            assertThat(coder.describe("I50.9")).isEqualTo("Heart failure");
        }
        run(tiny.prior());
        assertThat(folder(tiny.prior()).codeBook()).content().doesNotContain("Heart");
    }

    @Test
    void anInterruptedTrainingCanPredictAndGoesOnToTheSameWeights() throws IOException {
        run(tiny.laat("name=unbroken"));
        assertInterruptedEqualsUnbroken(9); // 6 steps an epoch: within the second
    }

    @Test
    void aTrainingInterruptedInItsFirstEpochCanPredictToo() throws IOException {
        run(tiny.laat("name=unbroken"));
        assertInterruptedEqualsUnbroken(2);
    }

    @Test
    void aTrainingWithoutDevGoesOnToTheSameWeights() throws IOException {
        run(tiny.laat("name=unbroken", "corpus.dev=[]"));
        assertInterruptedEqualsUnbroken(15, "corpus.dev=[]");
        assertThat(history("broken").best().orElseThrow().epoch()).isEqualTo(2);
    }

    private void assertInterruptedEqualsUnbroken(int steps, String... settings) throws IOException {
        List<String> all = new ArrayList<>(List.of(settings));
        all.add("name=broken");
        Experiment broken = tiny.laat(all.toArray(String[]::new));
        AtomicInteger looks = new AtomicInteger();
        assertThat(run(broken, BadRows.fail(), false, () -> looks.incrementAndGet() > steps))
                .isFalse();
        assertThat(manifest(folder(broken)).status()).isEqualTo(Manifest.INTERRUPTED);
        assertThat(heard).last().asString().contains("interrupted");
        try (Coder coder = Coder.load(folder(broken).path())) {
            assertThat(coder.code("Heart failing.")).hasSize(4);
        }
        assertThat(run(broken)).isTrue();
        assertThat(weights("broken")).isEqualTo(weights("unbroken"));
        assertThat(losses("broken")).isEqualTo(losses("unbroken"));
        assertThat(folder(broken).checkpoint()).doesNotExist();
    }

    @Test
    void withoutDevTheLastEpochIsKeptAndTestIsMeasured() throws IOException {
        Experiment experiment = tiny.laat("corpus.dev=[]");
        run(experiment);
        assertThat(heard).anyMatch(line -> line.contains("the last is kept"));
        assertThat(folder(experiment).metrics("dev")).doesNotExist();
        assertThat(folder(experiment).metrics("test")).exists();
        assertThat(folder(experiment).readThresholds()).isEqualTo(Thresholds.common(0.5f));
        assertThat(history("tiny").best().orElseThrow().epoch()).isEqualTo(2);
    }

    @Test
    void devWithoutCodesIsLikeNoDev() throws IOException {
        tiny.write("dev.csv", "id,text,codes", "a,Heart failing.,", "b,Sugar raised.,");
        Experiment experiment = tiny.laat("corpus.options.uncoded=keep");
        run(experiment);
        assertThat(heard).anyMatch(line -> line.contains("the last is kept"));
        assertThat(folder(experiment).metrics("dev")).doesNotExist();
        assertThat(history("tiny").best().orElseThrow().epoch()).isEqualTo(2);
    }

    @Test
    void withoutTestOnlyDevIsMeasured() {
        Experiment experiment = tiny.prior("corpus.test=[]");
        run(experiment);
        assertThat(folder(experiment).metrics("dev")).exists();
        assertThat(folder(experiment).metrics("test")).doesNotExist();
    }

    @Test
    void testWithoutCodesIsNotMeasured() {
        tiny.write("test.csv", "id,text", "a,Heart failing.");
        Experiment experiment = tiny.prior("corpus.options.uncoded=keep");
        run(experiment);
        assertThat(folder(experiment).metrics("test")).doesNotExist();
        assertThat(manifest(folder(experiment)).sizes()).containsEntry("test", 1L);
    }

    @Test
    void anEmptyTrainingPartIsTold() throws IOException {
        tiny.write("train.csv", "id,text,codes");
        UserError error = catchThrowableOfType(UserError.class, () -> run(tiny.laat()));
        assertThat(error.where()).contains("train");
        assertThat(folder(tiny.laat()).path()).doesNotExist();
        tiny.write("train.csv", "id,text,codes", "a,Heart failing.,");
        assertThat(catchThrowableOfType(UserError.class, () -> run(tiny.prior("corpus.options.uncoded=keep"))))
                .hasMessageContaining("no training document with a code");
    }

    @Test
    void aSampleOfTrainingDocumentsIsAnotherCorpusAndHangsOnTheSeed() {
        PreparedCorpus five = prepared(tiny.prior("text.training_documents=5"));
        assertThat(five.train().size()).isEqualTo(5);
        assertThat(five.part(Pipeline.DEV).size()).isEqualTo(8);
        assertThat(five.part(Pipeline.TEST).size()).isEqualTo(9);
        List<String> ofFive = ids(five.train());
        List<String> ofTen =
                ids(prepared(tiny.prior("text.training_documents=10")).train());
        assertThat(ofTen).hasSize(10).containsSubsequence(ofFive);
        assertThat(ids(prepared(tiny.prior("text.training_documents=5", "seed=2"))
                        .train()))
                .isNotEqualTo(ofFive);
        assertThat(prepared(tiny.prior("text.training_documents=99")).train().size())
                .isEqualTo(24);
        int one = prepared(tiny.prior("text.training_documents=1")).labels().size();
        assertThat(one).isBetween(1, 2); // codes of the sample alone
    }

    private PreparedCorpus prepared(Experiment experiment) {
        return new Pipeline(experiment, tiny.runs(), TinyExperiment.session(heard)).prepare();
    }

    private static List<String> ids(TokenStore part) {
        return IntStream.range(0, part.size()).mapToObj(part::id).toList();
    }

    @Test
    void rankingMetricsOnDevAreKeptByEpoch() {
        run(tiny.laat());
        assertThat(history("tiny").epochs())
                .allSatisfy(epoch -> assertThat(epoch.metrics())
                        .containsOnlyKeys("MAP", "P@5", "P@8", "P@15", "micro-F1")
                        .containsEntry("MAP", epoch.devMetric()));
    }

    @Test
    void aBadRowLeavesNothingBehind() throws IOException {
        tiny.append("test.csv", "x,,I50.9");
        UserError error = catchThrowableOfType(UserError.class, () -> run(tiny.prior()));
        assertThat(error.where()).contains("test.csv:11");
        try (Stream<Path> left = Files.walk(tiny.runs())) {
            assertThat(left.filter(Files::isRegularFile)
                            .filter(file -> !file.toString().endsWith(".lock")))
                    .isEmpty();
        }
    }

    @Test
    void badRowsAreCountedWhereTheyAreSkipped() {
        tiny.append("train.csv", "x,,I50.9");
        tiny.append("train.csv", "y,Heart failing.,");
        BadRows badRows = BadRows.skip();
        run(tiny.prior(), badRows, false, () -> false);
        assertThat(badRows.skipped()).isEqualTo(2);
        assertThat(manifest(folder(tiny.prior())).sizes()).containsEntry("train", 24L);
    }

    @Test
    void unlabelledTextLendsItsWordsButNotThoseOfDevAndTest() throws IOException {
        tiny.append("dev.csv", "d,Oddly developed zebra.,I50.9");
        tiny.append("test.csv", "t,Testing quagga!,I50.9");
        tiny.write("more.csv", "id,text", "1,oddly   Developed zebra.", "2,Testing quagga!", "3,A furtive okapi.");
        Experiment experiment = tiny.laat(
                VECTORS,
                "unlabelled=[{format: csv, path: " + folder.resolve("more.csv")
                        + ", options: {uncoded: keep, fractions: 60/20/20}}]");
        PreparedCorpus prepared = new Pipeline(experiment, tiny.runs(), TinyExperiment.session(heard)).prepare();
        assertThat(Stream.of("zebra", "quagga", "developed").map(prepared.vocabulary()::id))
                .containsOnly(Vocabulary.UNKNOWN);
        assertThat(Stream.of("furtive", "okapi").map(prepared.vocabulary()::id)).doesNotContain(Vocabulary.UNKNOWN);
        assertThat(prepared.part(PreparedCorpus.UNLABELLED).size()).isEqualTo(1);
        assertThat(run(experiment)).isTrue();
    }

    @Test
    void aChangedFileIsAnotherCorpus() {
        String before = print(tiny.prior());
        assertThat(print(tiny.prior())).isEqualTo(before);
        tiny.append("dev.csv", "d,Heart failing.,I50.9");
        assertThat(print(tiny.prior())).isNotEqualTo(before);
        run(tiny.prior());
        tiny.append("dev.csv", "e,Heart failing.,I50.9");
        assertThat(catchThrowableOfType(UserError.class, () -> run(tiny.prior()))
                        .what())
                .contains("other data");
    }

    @Test
    void aChangedFileAmongTheOptionsIsAnotherCorpus() {
        Experiment experiment = tiny.prior("corpus.options.splits=" + folder.resolve("splits.csv"));
        tiny.write("splits.csv", "_id,split", "1,train");
        String before = print(experiment);
        tiny.write("splits.csv", "_id,split", "1,test");
        assertThat(print(experiment)).isNotEqualTo(before);
    }

    @Test
    void filesNobodyNamesAndAnotherFolderChangeNothing() throws IOException {
        String before = print(tiny.prior());
        tiny.write("more.csv", "id,text,codes");
        Files.createDirectories(folder.resolve("moved"));
        assertThat(print(tiny.prior())).isEqualTo(before);
        assertThat(print(TinyExperiment.in(folder.resolve("moved")).prior())).isEqualTo(before);
    }

    private static String print(Experiment experiment) {
        return new Fingerprint().addCorpus(experiment.corpus()).hex();
    }

    private boolean run(Experiment experiment) {
        return run(experiment, BadRows.fail(), false, () -> false);
    }

    private boolean run(Experiment experiment, BadRows badRows, boolean force, BooleanSupplier stop) {
        return new Pipeline(experiment, tiny.runs(), TinyExperiment.session(heard, badRows, force, stop)).run();
    }

    private RunFolder folder(Experiment experiment) {
        return new RunFolder(tiny.runs().resolve(experiment.name()));
    }

    private static Manifest manifest(RunFolder run) {
        return run.read(run.manifest(), Manifest.class);
    }

    private History history(String name) {
        RunFolder run = new RunFolder(tiny.runs().resolve(name));
        return run.read(run.history(), History.class);
    }

    private List<Double> losses(String name) {
        return history(name).epochs().stream().map(History.Epoch::trainLoss).toList();
    }

    private byte[] weights(String name) throws IOException {
        return Files.readAllBytes(tiny.runs().resolve(name).resolve(LabelNetwork.WEIGHTS));
    }

    private static Map<String, String> contents(Path path) throws IOException {
        Map<String, String> contents = new TreeMap<>();
        try (Stream<Path> files = Files.list(path)) {
            for (Path file : files.toList()) {
                contents.put(file.toString(), new Fingerprint().addFiles(file).hex() + Files.getLastModifiedTime(file));
            }
        }
        return contents;
    }
}
