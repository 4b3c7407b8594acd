package org.plant4j.model.matching;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.Progress;
import org.plant4j.UserError;
import org.plant4j.experiment.TinyEncoder;
import org.plant4j.model.TinyCorpus;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.Engine;
import org.plant4j.text.LabelIndex;
import org.plant4j.text.Vocabulary;

class SentencesTest {

    private static final List<String> WORDS =
            List.of("[PAD]", "[UNK]", "sugar", "heart", "raised", "failing", "dialysis", "home");

    /** Label 0 is described by heart failing, label 1 by sugar raised, label 2 not, label 3, unseen, by dialysis. */
    private static final List<int[]> DESCRIPTIONS =
            List.of(new int[] {3, 5}, new int[] {2, 4}, new int[0], new int[] {6});

    private static final LabelIndex LABELS =
            LabelIndex.of(Map.of("0", 4, "1", 3, "2", 2), 1).withZeroShot(List.of("3"));

    private static final TinyCorpus CORPUS = new TinyCorpus(
            List.of(
                    new int[] {3, 5, 7},
                    new int[] {3, 5},
                    new int[] {2, 4, 7},
                    new int[] {2, 4},
                    new int[] {7, 3, 5},
                    new int[] {6, 2, 4, 3, 5}),
            List.of(new int[] {0}, new int[] {0}, new int[] {1}, new int[] {1, 2}, new int[] {0}, new int[] {0, 1, 2}));

    @TempDir
    Path directory;

    private SentenceSettings settings;

    @BeforeEach
    void writeEncoder() {
        Engine.setThreads(1);
        settings = new SentenceSettings(
                TinyEncoder.write(directory.resolve("encoder")).path().toString(), 3, 4);
    }

    private static Vocabulary vocabulary() {
        try (Vocabulary.Builder builder = new Vocabulary.Builder()) {
            return builder.build(WORDS);
        }
    }

    private Sentences sentences() {
        return Sentences.of(settings, vocabulary(), DESCRIPTIONS);
    }

    /** Scales 0.02 and 0.01; 0.6 / 0.01 is 60 and −1.27 / 0.01 is −127. */
    @Test
    void aValueIsAByteTimesTheScaleOfItsLabel() {
        LabelVectors vectors = LabelVectors.of(new float[][] {{2.54f, -1, 0}, {0, 0, 0}, {0.6f, -1.27f, 0.004f}});
        assertThat(vectors.values()).isDeepEqualTo(new byte[][] {{127, -50, 0}, {0, 0, 0}, {60, -127, 0}});
        assertThat(vectors.isPresent(1)).isFalse();
        assertThat(vectors.dot(0, new float[] {1, 2, 9})).isCloseTo(0.54f, within(1e-6f));
        assertThat(vectors.dot(2, new float[] {1, 0, 9})).isCloseTo(0.6f, within(1e-6f));
    }

    /** Cosines 0.5 and −0.5 of labels 0 and 3; label 2 has no description. Other features stay. */
    @Test
    void theLastFeaturesAreTheCosineAndItsDistanceToTheHighest() {
        try (Sentences opened = sentences()) {
            Sentences sentences = new Sentences(
                    settings,
                    opened.encoder(),
                    opened.subwords(),
                    LabelVectors.of(new float[][] {{1, 0}, {0, 1}, {0, 0}, {-1, 0}}),
                    new float[0][]);
            List<Candidate> candidates = IntStream.of(0, 2, 3)
                    .mapToObj(label -> new Candidate(label, Optional.empty(), Optional.empty(), 0))
                    .toList();
            List<float[]> features =
                    IntStream.range(0, 3).mapToObj(i -> new float[] {7, 0, 0}).toList();
            sentences.addTo(features, candidates, new float[] {0.5f, 0.8f});
            assertThat(features.get(0)).containsExactly(new float[] {7, 0.5f, 0}, within(1e-6f));
            assertThat(features.get(1)).containsExactly(7, 0, 0);
            assertThat(features.get(2)).containsExactly(new float[] {7, -0.5f, -1}, within(1e-6f));
        }
    }

    /** The square root of kernel 4 is 2: 2 · (3 · 0.5 + 1 · 1) is added to the score of label 0. */
    @Test
    void embeddingsAddToRidgeScores() {
        try (Sentences opened = sentences()) {
            Sentences sentences = opened.withRidge(new float[][] {{3, 1}, {0, 0}});
            double[] scores = {0.25, 0.5};
            sentences.addTo(scores, new float[] {0.5f, 1});
            assertThat(scores).containsExactly(5.25, 0.5);
        }
    }

    /** Words after the third and unknown ones do not count; failing is the subwords fail and ##ing. */
    @Test
    void theFirstWordsAreEmbeddedBySubwords() {
        try (Sentences sentences = sentences()) {
            List<String> tokens = TinyEncoder.TOKENS;
            assertThat(sentences.subwords()[5]).containsExactly(tokens.indexOf("fail"), tokens.indexOf("##ing"));
            assertThat(sentences.subwords()[Vocabulary.UNKNOWN]).isEmpty();
            float[][] vectors = sentences.embed(List.of(new int[] {3, 5, 1, 7}, new int[] {3, 5}, new int[0]));
            assertThat(vectors[0]).containsExactly(vectors[1], within(1e-6f));
            assertThat(vectors[2]).containsOnly(0);
            assertThat(sentences.labels().dot(0, vectors[0])).isCloseTo(1, within(0.01f));
            assertThat(sentences.labels().isPresent(2)).isFalse();
        }
    }

    private DescriptionMatching.Config config() {
        return new DescriptionMatching.Config(0.5, 1, 5, 0, 1000, true, false, 0, false, false, Optional.of(settings));
    }

    private DescriptionMatching train() {
        return DescriptionMatching.train(
                config(), vocabulary(), LABELS, CORPUS, DESCRIPTIONS, List.of(), Progress.NONE);
    }

    @Test
    void aStoredModelScoresTheSameWithoutTheEncoderDirectory() throws IOException {
        Path stored = Files.createDirectory(directory.resolve("run"));
        List<int[]> documents = new ArrayList<>(CORPUS.documents());
        documents.add(new int[] {6, 7});
        documents.add(new int[0]);
        float[][] scores;
        try (DescriptionMatching model = train()) {
            scores = model.score(documents);
            model.save(stored);
            assertThat(model.evidence(new int[] {6, 7}, 3)[0][0]).isGreaterThan(0.5f);
        }
        assertThat(scores[0][0]).isGreaterThan(scores[0][1]);
        assertThat(scores[6][3]).isPositive();
        Files.delete(directory.resolve("encoder/weights.safetensors"));
        try (DescriptionMatching loaded = config().load(stored, WORDS.size(), LABELS, Compute.CPU)) {
            assertThat(loaded.score(documents)).isDeepEqualTo(scores);
        }
    }

    @Test
    void aDamagedFileIsNamed() throws IOException {
        try (DescriptionMatching model = train()) {
            model.save(directory);
        }
        Path file = directory.resolve("sentences.bin");
        byte[] bytes = Files.readAllBytes(file);
        for (int end = 0; end < bytes.length; end += 11) {
            Files.write(file, Arrays.copyOf(bytes, end));
            assertThatThrownBy(() -> config().load(directory, WORDS.size(), LABELS, Compute.CPU))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("truncated");
        }
        Files.write(file, Arrays.copyOf(bytes, bytes.length + 1));
        assertThatThrownBy(() -> config().load(directory, WORDS.size(), LABELS, Compute.CPU))
                .hasMessageContaining("damaged");
        Files.delete(file);
        assertThatThrownBy(() -> config().load(directory, WORDS.size(), LABELS, Compute.CPU))
                .hasMessageContaining("missing");
    }

    @Test
    void aMissingEncoderIsNamed() {
        settings = new SentenceSettings(directory.resolve("none").toString(), 3, 1);
        assertThatThrownBy(this::train).isInstanceOf(UserError.class).hasMessageContaining("plant encoder import");
    }
}
