package org.plant4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.plant4j.calibration.Calibration;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.pipeline.TinyExperiment;
import org.plant4j.text.TokenizedText;
import org.plant4j.text.Tokenizer;
import org.plant4j.text.WordTokenizer;

class CoderTest {

    private static final String TEXT = "Patient with heart failing, seen today; (wheezing breath) and sugar raised.";

    private static final List<String> TEXTS = List.of(
            TEXT, "Kidney dialysis at home.", "", "Sugar raised again and again and again.", "¿Qué? xyzzy", "heart");

    @TempDir
    static Path shared;

    @TempDir
    Path workDirectory;

    private static Path run;
    private static Path prior;
    private static Coder coder;

    @BeforeAll
    static void train() {
        TinyExperiment tiny = TinyExperiment.in(shared);
        run = tiny.run(tiny.laat("training.epochs=8"));
        prior = tiny.run(tiny.prior("name=prior"));
        coder = Coder.load(run);
    }

    @AfterAll
    static void close() {
        coder.close();
    }

    @Test
    @SuppressWarnings("NullAway") // null is what this tests
    void invalidArgumentsHaveDocumentedExceptions() {
        assertThatThrownBy(() -> coder.code(null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("text");
        assertThatThrownBy(() -> coder.code(Arrays.asList("a", null), 5))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("text");
        assertThatThrownBy(() -> coder.explain(null, "I50.9"))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("text");
        assertThatThrownBy(() -> coder.explain(TEXT, (String) null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("code");
        assertThatThrownBy(() -> coder.checkDomain(null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("text");
        assertThatThrownBy(() -> Coder.load(null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("run");
        for (int count : new int[] {0, -1, Integer.MIN_VALUE}) {
            assertThatThrownBy(() -> coder.code(TEXT, count))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("codes: " + count + " (expected: >= 1)");
            assertThatThrownBy(() -> coder.rank(TEXTS, count)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> coder.explain(TEXT, count)).isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> coder.code(TEXTS, 5, -1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("explained: -1");
        assertThat(coder.code(List.of(), 5)).isEmpty();
        assertThat(coder.rank(List.of(), 5)).isEmpty();
        assertThat(coder.code(TEXT, Integer.MAX_VALUE).suggestions()).hasSize(4);
    }

    @Test
    void aTextThatIsTooLongIsRejectedBeforeItIsRead() {
        String tooLong = "x ".repeat(Document.MAX_CHARACTERS / 2) + "x";
        for (ThrowingCallable call : List.<ThrowingCallable>of(
                () -> coder.code(tooLong),
                () -> coder.code(List.of("a", tooLong), 5),
                () -> coder.rank(List.of(tooLong), 5),
                () -> coder.explain(tooLong, 5),
                () -> coder.domainScore(tooLong))) {
            assertThatThrownBy(call)
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("more than 1,000,000 characters");
        }
    }

    @Test
    void aTextOfTooManyTokensIsRejected() {
        String letters = "x ".repeat(Coder.MAX_TOKENS + 1);
        assertThatThrownBy(() -> coder.code(letters))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("more than 250,000 tokens");
        assertThatThrownBy(() -> coder.rank(List.of(letters), 5)).isInstanceOf(UserError.class);
    }

    @Test
    void afterCloseTheModelCannotBeUsed() {
        Coder closed = Coder.load(prior);
        closed.close();
        closed.close();
        for (ThrowingCallable call : List.<ThrowingCallable>of(
                () -> closed.code(TEXT),
                () -> closed.rank(TEXTS, 5),
                () -> closed.explain(TEXT, 5),
                () -> closed.explain(TEXT, "I50.9"),
                () -> closed.checkDomain(TEXT),
                closed::hasDescriptionEvidence,
                closed::hasSharedViews)) {
            assertThatThrownBy(call).isInstanceOf(IllegalStateException.class).hasMessage("the coder is closed");
        }
        assertThat(closed.codes()).contains("I50.9");
    }

    @Test
    void codesAreRankedByDescendingScore() {
        List<Suggestion> suggestions = coder.code(TEXT).suggestions();
        assertThat(suggestions)
                .extracting(Suggestion::code)
                .containsExactlyInAnyOrder("E11.9", "I50.9", "J45.909", "N18.6");
        assertThat(suggestions)
                .extracting(Suggestion::score)
                .isSortedAccordingTo(Comparator.reverseOrder())
                .allMatch(score -> score >= 0 && score <= 1);
        assertThat(coder.code(TEXT, 2).suggestions()).isEqualTo(suggestions.subList(0, 2));
        assertThat(coder.rank(List.of(TEXT), 3))
                .containsExactly(suggestions.subList(0, 3).stream()
                        .map(one -> new RankedCode(one.code(), one.score()))
                        .toList());
        assertThat(coder.codes()).containsExactlyInAnyOrderElementsOf(codes(suggestions));
    }

    @Test
    void probabilitiesAndBandsComeFromTheRunsCalibration() {
        Calibration calibration = new RunDirectory(run).readCalibration();
        assertThat(calibration.fitted()).isTrue();
        assertThat(coder.isCalibrated()).isTrue();
        assertThat(coder.code(TEXT).suggestions()).allSatisfy(suggestion -> {
            double probability = calibration.probability((float) suggestion.score());
            assertThat(suggestion.probability()).isEqualTo(probability);
            assertThat(suggestion.band()).isEqualTo(calibration.bands().bandOf(probability));
        });
    }

    @Test
    void anUncalibratedRunPredictsWithoutSuggesting() throws IOException {
        Path copy = workDirectory.resolve("copy");
        copy(run, copy);
        TinyExperiment.removeChecksums(new RunDirectory(copy));
        Files.delete(copy.resolve("calibration.json"));
        try (Coder bare = Coder.load(copy)) {
            assertThat(bare.code(TEXT).suggestions()).allSatisfy(suggestion -> {
                assertThat(suggestion.probability()).isEqualTo(suggestion.score());
                assertThat(suggestion.band()).isEqualTo(suggestion.predicted() ? Band.REVIEW : Band.HIDDEN);
            });
        }
        UserError error = catchThrowableOfType(UserError.class, () -> new RunDirectory(copy).readCalibration());
        assertThat(error.remedy()).contains("plant evaluate");
    }

    @Test
    void codesOfAForeignTextAreNeitherPredictedNorSuggested() {
        String foreign = "xyzzy plugh";
        CodingResult result = coder.code(foreign);
        DomainCheck expected = DomainCheck.outOfDomain("None of the words occurs in the training documents.");
        assertThat(result.domain()).isEqualTo(expected).isEqualTo(coder.checkDomain(foreign));
        assertThat(result.suggestions())
                .isNotEmpty()
                .noneMatch(suggestion -> suggestion.predicted() || suggestion.band() == Band.SUGGEST);
        Explanation explanation = coder.explain(foreign, "I50.9");
        assertThat(explanation.domain()).isEqualTo(expected);
        assertThat(explanation.suggestion().predicted()).isFalse();
        assertThat(coder.domainScore(foreign)).hasValue(Double.NEGATIVE_INFINITY);
        assertThat(coder.code(TEXT).inDomain()).isTrue();
        assertThat(coder.domainScore(TEXT).orElseThrow()).isNotNegative();
        assertThat(coder.code("").domain()).isEqualTo(DomainCheck.NO_WORDS);
    }

    @Test
    void aRunWithoutAGuardTakesAnyWords() throws IOException {
        Path copy = workDirectory.resolve("unguarded");
        copy(run, copy);
        TinyExperiment.removeChecksums(new RunDirectory(copy));
        Files.delete(new RunDirectory(copy).domain());
        try (Coder bare = Coder.load(copy)) {
            assertThat(bare.checkDomain("xyzzy plugh")).isEqualTo(DomainCheck.IN_DOMAIN);
            assertThat(bare.checkDomain("12 ?")).isEqualTo(DomainCheck.NO_WORDS);
            assertThat(bare.domainScore("xyzzy")).isEmpty();
            assertThat(bare.hasGuard()).isFalse();
        }
    }

    /** A run that suggests every code, unless its evidence speaks against it. */
    private Path generousRun() throws IOException {
        RunDirectory copy = new RunDirectory(workDirectory.resolve("generous"));
        copy(run, copy.path());
        TinyExperiment.removeChecksums(copy);
        Files.delete(copy.domain());
        JsonNode calibration = RunDirectory.JSON.readTree(copy.calibration().toFile());
        ((ObjectNode) calibration.get("bands")).put("suggest_from", 0.0).put("review_from", 0.0);
        RunDirectory.JSON.writeValue(copy.calibration().toFile(), calibration);
        return copy.path();
    }

    @Test
    void aCodeWithoutEvidenceIsNotSuggested() throws IOException {
        try (Coder generous = Coder.load(generousRun())) {
            assertThat(generous.code("with and at").suggestions()).isNotEmpty().allSatisfy(suggestion -> {
                assertThat(suggestion.evidence()).isEmpty();
                assertThat(suggestion.band()).isEqualTo(Band.REVIEW);
            });
            assertThat(generous.code("heart").suggestions()).anyMatch(each -> each.band() == Band.SUGGEST);
        }
    }

    @Test
    void theBandOfACodeDoesNotDependOnTheNumberOfExplainedCodes() throws IOException {
        List<String> negated = List.of("No heart failing today.");
        try (Coder generous = Coder.load(generousRun())) {
            List<Suggestion> explained = generous.code(negated, 4, 4).get(0).suggestions();
            assertThat(explained)
                    .anyMatch(Suggestion::contradicted)
                    .allMatch(suggestion ->
                            suggestion.band() == (suggestion.contradicted() ? Band.REVIEW : Band.SUGGEST));
            assertThat(generous.code(negated, 4, 0).get(0).suggestions())
                    .extracting(Suggestion::band)
                    .isEqualTo(explained.stream().map(Suggestion::band).toList());
        }
    }

    @Test
    void codesThatReachTheThresholdArePredicted() {
        float threshold = new RunDirectory(run).readThresholds().global();
        assertThat(coder.code(TEXT).suggestions())
                .allMatch(suggestion -> suggestion.predicted() == suggestion.score() >= threshold);
    }

    @Test
    void evidenceStartsAndEndsAtTokenBoundaries() {
        List<Span> tokens = new WordTokenizer().tokenize(TEXT).spans();
        List<Integer> starts = tokens.stream().map(Span::start).toList();
        List<Integer> ends = tokens.stream().map(Span::end).toList();
        for (Suggestion suggestion : coder.code(TEXT).suggestions()) {
            assertThat(suggestion.evidence()).isNotEmpty().allSatisfy(evidence -> {
                assertThat(starts).contains(evidence.span().start());
                assertThat(ends).contains(evidence.span().end());
                assertThat(evidence.text())
                        .isEqualTo(TEXT.substring(
                                evidence.span().start(), evidence.span().end()));
                assertThat(evidence.toString()).doesNotContain(evidence.text());
                assertThat(evidence.weight()).isBetween(0.0, 1.0 + 1e-6);
            });
        }
    }

    @Test
    void batchesDoNotChangePredictions() {
        List<CodingResult> batch = coder.code(TEXTS, 4);
        assertThat(batch).hasSameSizeAs(TEXTS);
        for (int i = 0; i < TEXTS.size(); i++) {
            assertSame(coder.code(TEXTS.get(i), 4).suggestions(), batch.get(i).suggestions());
        }
        assertThat(coder.code(List.of(), 4)).isEmpty();
        assertThat(coder.rank(List.of(), 4)).isEmpty();
    }

    /** Padding may change the last digits of a score. */
    private static void assertSame(List<Suggestion> one, List<Suggestion> other) {
        assertThat(codes(one)).isEqualTo(codes(other));
        for (int i = 0; i < one.size(); i++) {
            assertThat(one.get(i).score()).isCloseTo(other.get(i).score(), within(1e-5));
            assertThat(one.get(i).evidence()).hasSameSizeAs(other.get(i).evidence());
        }
    }

    @Test
    void severalThreadsGetTheSameResults() throws Exception {
        List<List<Suggestion>> expected =
                TEXTS.stream().map(text -> coder.code(text, 4).suggestions()).toList();
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Future<List<Suggestion>>> answers = new ArrayList<>();
            for (int i = 0; i < 48; i++) {
                String note = TEXTS.get(i % TEXTS.size());
                answers.add(threads.submit(() -> coder.code(note, 4).suggestions()));
            }
            for (int i = 0; i < answers.size(); i++) {
                assertThat(answers.get(i).get()).isEqualTo(expected.get(i % TEXTS.size()));
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "   \n ", "...", "xyzzy plugh", "\uD83E\uDE7A"})
    void aTextWithoutKnownTokensIsScored(String text) {
        List<Suggestion> suggestions = coder.code(text).suggestions();
        assertThat(suggestions).hasSize(4).allMatch(suggestion -> Double.isFinite(suggestion.score()));
        assertThat(suggestions)
                .allSatisfy(suggestion -> assertThat(suggestion.evidence())
                        .allMatch(evidence -> evidence.span().end() <= text.length()));
    }

    @Test
    void aVeryLongTextIsReadCompletely() {
        String text = "again ".repeat(20_000) + "kidney dialysis";
        List<Suggestion> suggestions = coder.code(text, 4).suggestions();
        assertThat(suggestions).hasSize(4).allMatch(suggestion -> Double.isFinite(suggestion.score()));
        assertThat(suggestions.get(0).score())
                .isNotEqualTo(coder.code("again ".repeat(20_000), 4)
                        .suggestions()
                        .get(0)
                        .score());
    }

    @Test
    void anyCodeCanBeExplained() {
        List<Suggestion> all = coder.code(TEXT).suggestions();
        assertSame(List.of(coder.explain(TEXT, all.get(3).code()).suggestion()), all.subList(3, 4));
        assertThat(coder.explain("", "I50.9").suggestion().evidence()).isEmpty();
    }

    @Test
    void theBestCodesAreExplainedLikeSuggestions() {
        assertThat(coder.explain(TEXT, 3))
                .extracting(Explanation::suggestion)
                .isEqualTo(coder.code(TEXT, 3).suggestions());
    }

    @Test
    void aSuggestionHasOneJsonForm() throws IOException {
        Suggestion suggestion = coder.code(TEXT).suggestions().get(0);
        JsonMapper mapper = JsonMapper.builder().addModule(new Jdk8Module()).build();
        JsonNode json = mapper.valueToTree(suggestion);
        assertThat(json.fieldNames())
                .toIterable()
                .containsExactly("code", "description", "score", "probability", "band", "predicted", "evidence");
        assertThat(json.get("evidence").get(0).fieldNames())
                .toIterable()
                .containsExactly("start", "end", "text", "weight", "traits");
        Evidence first = suggestion.evidence().get(0);
        Evidence located =
                new Evidence(first.span(), first.text(), first.weight(), Set.of(), Optional.of("document-1"));
        assertThat(mapper.valueToTree(located).get("document").textValue()).isEqualTo("document-1");
    }

    @Test
    void codesWithoutTrainingDocumentsCannotBeExplained() {
        UserError unknown = catchThrowableOfType(UserError.class, () -> coder.explain(TEXT, "I50.8"));
        assertThat(unknown.what()).contains("I50.8");
        assertThat(unknown.remedy()).contains("I50.9");
        UserError unseen = catchThrowableOfType(UserError.class, () -> coder.explain(TEXT, "Z99.2"));
        assertThat(unseen.what()).contains("Z99.2", "never occurred in training");
        assertThat(unseen.remedy()).contains("training documents");
        assertThat(unknown).hasMessageNotContaining("wheezing");
        assertThat(unseen).hasMessageNotContaining("wheezing");
    }

    @Test
    void anUnknownCodeIsAnsweredWithASimilarCodeOfTheModel() {
        UserError error = catchThrowableOfType(UserError.class, () -> coder.explain(TEXT, "Z99.3"));
        assertThat(error.remedy()).doesNotContain("Z99.2");
    }

    @Test
    void theFrequencyPriorHasNoEvidence() {
        try (Coder floor = Coder.builder(prior).device(Device.CPU).load()) {
            assertThat(floor.code(TEXT).suggestions())
                    .hasSize(4)
                    .allMatch(suggestion -> suggestion.evidence().isEmpty());
        }
    }

    @Test
    void aRunDirectoryCanBeMoved() throws IOException {
        Path moved =
                Files.createDirectories(workDirectory.resolve("some where")).resolve("módel");
        copy(run, moved);
        try (Coder elsewhere = Coder.load(moved)) {
            assertThat(elsewhere.code(TEXT).suggestions())
                    .isEqualTo(coder.code(TEXT).suggestions());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "model.json",
                "vocabulary.tsv",
                "labels.tsv",
                "code-set.tsv",
                "thresholds.json",
                "weights.safetensors"
            })
    void aMissingOrTruncatedFileIsNamed(String name) throws IOException {
        Path damaged = workDirectory.resolve("damaged");
        copy(run, damaged);
        byte[] whole = Files.readAllBytes(damaged.resolve(name));
        if (!name.equals("code-set.tsv")) { // which contains only its header here
            Files.write(damaged.resolve(name), Arrays.copyOf(whole, whole.length / 2));
            assertNames(name, damaged);
        }
        Files.write(damaged.resolve(name), Arrays.copyOf(whole, 5));
        assertNames(name, damaged);
        Files.write(damaged.resolve(name), new byte[] {(byte) 0xff, (byte) 0xfe, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
        assertNames(name, damaged);
        Files.delete(damaged.resolve(name));
        assertNames(name, damaged);
    }

    private static void assertNames(String name, Path damaged) {
        UserError error = load(damaged);
        assertThat(error).hasMessageContaining(name.substring(0, name.indexOf('.')));
        assertThat(error.where()).contains(damaged.toString());
        assertThat(error.remedy()).isNotBlank();
    }

    @Test
    void labelsOfAnotherRunAreRejected() throws IOException {
        for (Path each : List.of(run, prior)) {
            Path mixed = workDirectory.resolve("mixed-" + each.getFileName());
            copy(each, mixed);
            Files.writeString(
                    mixed.resolve("labels.tsv"), "code\tdocuments\tkind\nI50.9\t3\ttrained\nE11.9\t2\ttrained\n");
            UserError error = load(mixed);
            assertThat(error.what() + error.where()).contains(mixed.toString());
            assertThat(error.remedy()).isNotBlank();
        }
    }

    @Test
    void thresholdsOfAnotherRunAreRejected() throws IOException {
        Path mixed = workDirectory.resolve("mixed");
        copy(run, mixed);
        Files.writeString(mixed.resolve("thresholds.json"), "{\"common\": 0.5, \"per_label\": [0.1, 0.2]}");
        UserError error = load(mixed);
        assertThat(error.where()).contains("thresholds.json");
    }

    @Test
    void theTokenizerIsClosedIfLoadingFails() throws IOException {
        Path damaged = workDirectory.resolve("damaged");
        copy(run, damaged);
        Files.delete(damaged.resolve("weights.safetensors"));
        AtomicBoolean closed = new AtomicBoolean();
        Tokenizer tokenizer = new Tokenizer() {
            @Override
            public TokenizedText tokenize(String text) {
                return new WordTokenizer().tokenize(text);
            }

            @Override
            public void close() {
                closed.set(true);
            }
        };
        assertThatThrownBy(() -> LoadedRun.load(new RunDirectory(damaged), tokenizer, Device.CPU, Precision.FLOAT32))
                .isInstanceOf(UserError.class);
        assertThat(closed).isTrue();
    }

    @Test
    void otherDirectoriesAreRejected() throws IOException {
        assertThat(load(workDirectory.resolve("none")).remedy()).contains("plant run");
        assertThat(load(workDirectory).remedy()).contains("plant run");
        assertThat(load(Files.createFile(workDirectory.resolve("file"))).what()).contains("no such run directory");
        assertThat(catchThrowableOfType(UserError.class, () -> Device.of("gpu")).remedy())
                .contains("cuda");
    }

    private static UserError load(Path path) {
        return catchThrowableOfType(UserError.class, () -> Coder.load(path).close());
    }

    private static List<String> codes(List<Suggestion> suggestions) {
        return suggestions.stream().map(Suggestion::code).toList();
    }

    private static void copy(Path from, Path to) throws IOException {
        Files.createDirectories(to);
        try (Stream<Path> files = Files.list(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(from.relativize(file)));
            }
        }
    }

    @Test
    void anExplanationNamesTheSharedViewOfACode() {
        assertThat(coder.hasSharedViews()).isFalse();
        assertThat(coder.explain(TEXT, "I50.9").view()).isEmpty();
        TinyExperiment tiny = new TinyExperiment(shared);
        try (Coder sharing = Coder.load(tiny.run(tiny.isd("name=isd")))) {
            ChosenView view = sharing.explain(TEXT, "I50.9").view().orElseThrow();
            assertThat(view.count()).isEqualTo(4);
            assertThat(view.number()).isBetween(1, 4);
            assertThat(view.tokens())
                    .hasSize(5)
                    .doesNotHaveDuplicates()
                    .allMatch(new WordTokenizer().tokenize(TEXT).tokens()::contains);
            assertThat(sharing.explain("", "I50.9").view().orElseThrow().tokens())
                    .isEmpty();
        }
    }
}
