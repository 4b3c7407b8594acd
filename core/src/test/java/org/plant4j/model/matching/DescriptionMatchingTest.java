package org.plant4j.model.matching;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.Progress;
import org.plant4j.UserError;
import org.plant4j.model.TinyCorpus;
import org.plant4j.model.output.PredictionRequest;
import org.plant4j.tensor.Compute;
import org.plant4j.text.LabelIndex;
import org.plant4j.text.Vocabulary;

class DescriptionMatchingTest {

    private static final int WORDS = 60;
    private static final int TRAINED = 20;
    private static final DescriptionMatching.Config WITH_RIDGE =
            new DescriptionMatching.Config(0.5, 1, 5, 0, 1000, true, false, 0, false, false, Optional.empty());
    private static final DescriptionMatching.Config WITHOUT_RIDGE =
            new DescriptionMatching.Config(0.5, 0, 5, 0, 1000, true, false, 0, false, false, Optional.empty());

    private static final Vocabulary VOCABULARY = vocabulary();

    /** Label l is described by token l + 2. Labels 0 to 19 have documents, labels 20 to 39 have none. */
    private static final LabelIndex LABELS = labels();

    private static final List<int[]> DESCRIPTIONS = IntStream.range(0, 2 * TRAINED)
            .mapToObj(label -> new int[] {label + 2})
            .toList();

    private static final TinyCorpus CORPUS = corpus();

    private static Vocabulary vocabulary() {
        try (Vocabulary.Builder builder = new Vocabulary.Builder()) {
            return builder.build(
                    IntStream.range(0, WORDS).mapToObj(i -> "word" + i).toList());
        }
    }

    private static LabelIndex labels() {
        Map<String, Integer> frequencies = new HashMap<>();
        IntStream.range(0, TRAINED).forEach(label -> frequencies.put(String.format(Locale.ROOT, "%02d", label), 1));
        return LabelIndex.of(frequencies, 1)
                .withZeroShot(IntStream.range(TRAINED, 2 * TRAINED)
                        .mapToObj(Integer::toString)
                        .toList());
    }

    /** Each trained label has one document, which starts with its token; the other tokens belong to other labels or to none. */
    private static TinyCorpus corpus() {
        Random random = new Random(4);
        List<int[]> documents = new ArrayList<>();
        List<int[]> gold = new ArrayList<>();
        for (int label = 0; label < TRAINED; label++) {
            int[] tokens = random.ints(10, 2, WORDS).toArray();
            tokens[0] = label + 2;
            documents.add(tokens);
            gold.add(new int[] {label});
        }
        return new TinyCorpus(documents, gold);
    }

    private static DescriptionMatching train(DescriptionMatching.Config config) {
        return DescriptionMatching.train(config, VOCABULARY, LABELS, CORPUS, DESCRIPTIONS, List.of(), Progress.NONE);
    }

    /** Each label has one document, so each is unseen there; its own description comes first and those of other labels later. */
    @Test
    void zeroShotLabelsAreFoundAsLabelsOfOneDocumentTeach() {
        for (DescriptionMatching.Config config : List.of(WITH_RIDGE, WITHOUT_RIDGE)) {
            float[] scores = train(config).score(List.of(new int[] {32, 50, 51, 52, 36, 53}))[0];
            assertThat(scores[30]).isGreaterThan(0.5f);
            assertThat(scores[34]).isGreaterThan(0).isLessThan(0.3f);
            assertThat(scores[31]).isZero(); // not a candidate
        }
    }

    @Test
    void evidenceIsTheMatchAndWhatTheRidgeScoreConsistsOf() {
        int[] document = {32, 50, 32, 51};
        assertThat(train(WITHOUT_RIDGE).evidence(document, 30, 31))
                .isDeepEqualTo(new float[][] {{0.5f, 0, 0.5f, 0}, {0, 0, 0, 0}});
        int[] training = CORPUS.tokens(3);
        float[] weights = train(WITH_RIDGE).evidence(training, 3)[0];
        assertThat(weights[0]).isGreaterThan(0.5f); // the description
        assertThat(weights[1]).isGreaterThan(0); // a word of the label's document
    }

    @Test
    void theTokensOfADescriptionThatAreFoundAreItsEvidence() {
        List<int[]> descriptions = new ArrayList<>(DESCRIPTIONS);
        descriptions.set(30, new int[] {32, 59, 1});
        DescriptionMatching model = DescriptionMatching.train(
                WITHOUT_RIDGE, VOCABULARY, LABELS, CORPUS, descriptions, List.of(), Progress.NONE);
        List<float[]> evidence = model.predict(
                        List.of(new int[] {5, 32}),
                        PredictionRequest.evidence(30).withDescriptionEvidence())
                .get(0)
                .descriptionEvidence();
        assertThat(evidence.get(0)).containsExactly(1, 0, 0);
    }

    @Test
    void descriptionsThatOccurNowhereAreRefused() {
        List<int[]> none = DESCRIPTIONS.stream().map(tokens -> new int[] {1}).toList();
        assertThatThrownBy(() -> DescriptionMatching.train(
                        WITHOUT_RIDGE, VOCABULARY, LABELS, CORPUS, none, List.of(), Progress.NONE))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("No training document contains the description of a label");
    }

    @Test
    void aPenaltyIsZeroOrLargeEnough() {
        assertThatThrownBy(() -> new DescriptionMatching.Config(
                        0.5, 1e-18, 5, 0, 1000, true, false, 0, false, false, Optional.empty()))
                .hasMessageContaining("ridge_penalty");
        assertThatThrownBy(() -> new DescriptionMatching.Config(
                        0.5, Double.NaN, 5, 0, 1000, true, false, 0, false, false, Optional.empty()))
                .hasMessageContaining("ridge_penalty");
    }

    /**
     * Labels 10 to 19 have one document and are not trained, since two are required. So the dataset does not contain them, and their
     * descriptions in it must not count as wrong: the regression is the same without these descriptions.
     */
    @Test
    void labelsWithTooFewDocumentsToBeTrainedAreNotLearnedFrom() {
        Map<String, Integer> frequencies = new HashMap<>();
        IntStream.range(0, TRAINED)
                .forEach(label -> frequencies.put(String.format(Locale.ROOT, "%02d", label), label < 10 ? 2 : 1));
        LabelIndex labels = LabelIndex.of(frequencies, 2)
                .withZeroShot(IntStream.range(10, 2 * TRAINED)
                        .mapToObj(Integer::toString)
                        .toList());
        assertThat(labels.trainedCount()).isEqualTo(10);
        assertThat(labels.frequency(15)).isEqualTo(1);
        TinyCorpus corpus = new TinyCorpus(
                CORPUS.documents(),
                IntStream.range(0, TRAINED)
                        .mapToObj(label -> label < 10 ? new int[] {label} : new int[0])
                        .toList());
        List<int[]> shortened = new ArrayList<>(DESCRIPTIONS);
        IntStream.range(10, 20).forEach(label -> shortened.set(label, new int[0]));
        int[] document = {32, 50, 51};
        float score = score(labels, corpus, DESCRIPTIONS, document)[30];
        assertThat(score).isPositive().isEqualTo(score(labels, corpus, shortened, document)[30]);
    }

    private static float[] score(LabelIndex labels, TinyCorpus corpus, List<int[]> descriptions, int[] document) {
        return DescriptionMatching.train(
                        WITHOUT_RIDGE, VOCABULARY, labels, corpus, descriptions, List.of(), Progress.NONE)
                .score(List.of(document))[0];
    }

    @Test
    void aDamagedOrMissingFileIsNamed(@TempDir Path directory) throws IOException {
        train(WITH_RIDGE).save(directory);
        Path file = directory.resolve("description-matching.bin");
        byte[] bytes = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(bytes, bytes.length - 1));
        assertThatThrownBy(() -> load(directory)).isInstanceOf(UserError.class).hasMessageContaining("truncated");
        bytes[0] ^= 1;
        Files.write(file, bytes);
        assertThatThrownBy(() -> load(directory)).isInstanceOf(UserError.class).hasMessageContaining("truncated");
        Files.delete(file);
        assertThatThrownBy(() -> load(directory)).isInstanceOf(UserError.class).hasMessageContaining("missing");
    }

    @Test
    void lengthsAndIdsThatDoNotFitAreDamage(@TempDir Path directory) throws IOException {
        train(WITH_RIDGE).save(directory);
        Path file = directory.resolve("description-matching.bin");
        byte[] bytes = Files.readAllBytes(file);
        int stems = Long.BYTES + Integer.BYTES; // where the stems of tokens begin, with their number
        for (int length : new int[] {Integer.MAX_VALUE, -1, VOCABULARY.size() + 1, VOCABULARY.size() - 1}) {
            Files.write(
                    file, ByteBuffer.wrap(bytes.clone()).putInt(stems, length).array());
            assertDamaged(directory);
        }
        for (int stem : new int[] {WORDS, -2}) {
            Files.write(
                    file,
                    ByteBuffer.wrap(bytes.clone())
                            .putInt(stems + Integer.BYTES, stem)
                            .array());
            assertDamaged(directory);
        }
        Files.write(file, Arrays.copyOf(bytes, bytes.length + 1));
        assertDamaged(directory);
        for (int end = 0; end < bytes.length; end += 7) {
            Files.write(file, Arrays.copyOf(bytes, end));
            assertDamaged(directory);
        }
        Files.write(file, bytes);
        assertThat(load(directory).labels()).isEqualTo(2 * TRAINED);
    }

    private static void assertDamaged(Path directory) {
        assertThatThrownBy(() -> load(directory)).isInstanceOf(UserError.class).hasMessageContaining("damaged");
    }

    @Test
    void synonymsAreFoundAndStored(@TempDir Path directory) throws IOException {
        DescriptionMatching.Config config =
                new DescriptionMatching.Config(0.5, 1, 5, 0, 1000, true, false, 0, true, false, Optional.empty());
        List<List<int[]>> synonyms = IntStream.range(0, 2 * TRAINED)
                .mapToObj(label -> label == 30 ? List.of(new int[] {55, 56}) : List.<int[]>of())
                .toList();
        DescriptionMatching model =
                DescriptionMatching.train(config, VOCABULARY, LABELS, CORPUS, DESCRIPTIONS, synonyms, Progress.NONE);
        List<int[]> documents = List.of(new int[] {55, 56, 50});
        float[] scores = model.score(documents)[0];
        assertThat(scores[30]).isGreaterThan(0.5f);
        model.save(directory);
        assertThat(config.load(directory, WORDS, LABELS, Compute.CPU).score(documents)[0])
                .isEqualTo(scores);
        assertThat(load(directory).score(documents)[0][30]).isZero(); // without the synonyms
        Path file = directory.resolve("synonyms.bin");
        byte[] bytes = Files.readAllBytes(file);
        for (int end = 0; end < bytes.length; end++) {
            Files.write(file, Arrays.copyOf(bytes, end));
            assertThatThrownBy(() -> config.load(directory, WORDS, LABELS, Compute.CPU))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("truncated");
        }
        Files.delete(file);
        assertThatThrownBy(() -> config.load(directory, WORDS, LABELS, Compute.CPU))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("missing");
    }

    private static DescriptionMatching load(Path directory) {
        return WITH_RIDGE.load(directory, WORDS, LABELS, Compute.CPU);
    }
}
