package org.plant4j.pretrain.vectors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ForkJoinPool;
import org.junit.jupiter.api.Test;
import org.plant4j.Progress;

class PpmiWordVectorsTest {

    private static final int VOCABULARY =
            31; // 2–5 and 6–9 have similar contexts, 10–29 are the contexts, 30 is not used

    private final PpmiWordVectors.Config config = PpmiWordVectors.Config.of(12);

    /** Each document has one token of one class, among contexts of that class and of both. */
    private static List<int[]> documents() {
        Random random = new Random(3);
        List<int[]> documents = new ArrayList<>();
        for (int i = 0; i < 600; i++) {
            int kind = i % 2;
            int[] document = new int[8];
            for (int at = 0; at < document.length; at++) {
                document[at] = at % 3 == 0 ? 20 + random.nextInt(10) : 10 + 5 * kind + random.nextInt(5);
            }
            document[2 + random.nextInt(4)] = 2 + 4 * kind + random.nextInt(4);
            document[random.nextInt(2)] = random.nextInt(2);
            documents.add(document);
        }
        return documents;
    }

    private float[][] trainVectors() {
        return PpmiWordVectors.train(config, VOCABULARY, documents(), 7, Progress.NONE);
    }

    @Test
    void tokensWithSimilarContextsAreNear() {
        float[][] vectors = trainVectors();
        for (int word = 2; word < 10; word++) {
            double nearestOther = -1;
            double farthestAlike = 1;
            for (int other = 2; other < 10; other++) {
                if (other / 6 == word / 6) {
                    farthestAlike = Math.min(farthestAlike, cosine(vectors[word], vectors[other]));
                } else {
                    nearestOther = Math.max(nearestOther, cosine(vectors[word], vectors[other]));
                }
            }
            assertThat(farthestAlike).isGreaterThan(nearestOther + 0.2);
        }
    }

    @Test
    void theNumberOfThreadsDoesNotChangeTheVectors() throws Exception {
        float[][] expected = trainVectors();
        for (int threads : new int[] {1, 4}) {
            ForkJoinPool pool = new ForkJoinPool(threads);
            try {
                assertThat(pool.submit(this::trainVectors).get()).isDeepEqualTo(expected);
            } finally {
                pool.shutdown();
            }
        }
    }

    @Test
    void paddingUnknownAndUnusedTokensAreZeroAndTheRestHaveTheScale() {
        float[][] vectors = trainVectors();
        assertThat(vectors).hasDimensions(VOCABULARY, 12);
        double squares = 0;
        for (float[] vector : vectors) {
            squares += dot(vector, vector);
        }
        assertThat(vectors[0]).containsOnly(0);
        assertThat(vectors[1]).containsOnly(0);
        assertThat(vectors[30]).containsOnly(0);
        assertThat(Math.sqrt(squares / 28 / 12)).isCloseTo(0.1, within(1e-6));
    }

    @Test
    void componentsBeyondTheRankAreZeroAtAnyPower() {
        PpmiWordVectors.Config wide = new PpmiWordVectors.Config(50, 5, 0.75, 0, 4, 0.1, 1000);
        float[][] vectors = PpmiWordVectors.train(wide, 6, List.of(new int[] {2, 3, 4, 2, 4, 3}), 7, Progress.NONE);
        assertThat(vectors).hasDimensions(6, 50);
        assertThat(vectors[2][0]).isNotZero();
        for (float[] vector : vectors) {
            for (int i = 3; i < 50; i++) {
                assertThat(vector[i]).isZero();
            }
        }
    }

    @Test
    void textWithoutPairsGivesZeroVectors() {
        float[][] vectors = PpmiWordVectors.train(config, 4, List.of(new int[] {2}, new int[0]), 7, Progress.NONE);
        assertThat(vectors).isDeepEqualTo(new float[4][12]);
    }

    @Test
    void settingsOutOfRangeAreRejected() {
        assertThatThrownBy(() -> PpmiWordVectors.Config.of(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("size: 0 (expected: >= 1)");
        assertThatThrownBy(() -> new PpmiWordVectors.Config(10, 21, 0.75, 0.5, 4, 0.1, 1000))
                .hasMessage("window: 21 (expected: 1 to 20)");
        assertThatThrownBy(() -> new PpmiWordVectors.Config(10, 5, Double.NaN, 0.5, 4, 0.1, 1000))
                .hasMessage("smoothing: NaN (expected: > 0 and <= 1)");
    }

    private static double cosine(float[] a, float[] b) {
        return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
    }

    private static double dot(float[] a, float[] b) {
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += a[i] * b[i];
        }
        return sum;
    }
}
