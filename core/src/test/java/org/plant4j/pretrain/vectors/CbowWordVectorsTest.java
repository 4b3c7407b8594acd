package org.plant4j.pretrain.vectors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ForkJoinPool;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.plant4j.Progress;

class CbowWordVectorsTest {

    private static final int VOCABULARY = 16;
    private static final int UNSEEN = 15;

    private final CbowWordVectors.Config config = new CbowWordVectors.Config(12, 3, 5, 0.75, 0, 8, 0.05, 0.1);

    /** Tokens 2 to 4 occur among 8 to 10, tokens 5 to 7 among 11 to 13, never next to each other. */
    private static List<int[]> documents() {
        Random random = new Random(1);
        return IntStream.range(0, 600)
                .mapToObj(i -> {
                    int topic = i % 2 * 3;
                    return IntStream.range(0, 30)
                            .map(t -> t % 2 == 0 ? 8 + topic + random.nextInt(3) : 2 + topic + random.nextInt(3))
                            .toArray();
                })
                .toList();
    }

    private float[][] train() {
        return config.train(VOCABULARY, documents(), 7, Progress.NONE);
    }

    private static double cosine(float[] a, float[] b) {
        double dot = 0;
        double left = 0;
        double right = 0;
        for (int i = 0; i < a.length; i++) {
            dot += a[i] * b[i];
            left += a[i] * a[i];
            right += b[i] * b[i];
        }
        return dot / Math.sqrt(left * right);
    }

    @Test
    void tokensWithTheSameContextsAreNear() {
        float[][] vectors = train();
        for (int word = 2; word <= 4; word++) {
            for (int like = 2; like <= 4; like++) {
                for (int unlike = 5; unlike <= 7; unlike++) {
                    assertThat(cosine(vectors[word], vectors[like]))
                            .isGreaterThan(cosine(vectors[word], vectors[unlike]) + 0.3);
                }
            }
        }
    }

    @Test
    void tokensThatDoNotOccurHaveZeroVectors() {
        float[][] vectors = train();
        assertThat(vectors.length).isEqualTo(VOCABULARY);
        for (int word : new int[] {0, 1, 14, UNSEEN}) {
            assertThat(vectors[word]).containsOnly(0);
        }
        assertThat(config.train(3, List.of(new int[] {2, 2}), 1, Progress.NONE)[2])
                .containsOnly(0);
        assertThat(config.train(3, List.of(), 1, Progress.NONE)[2]).containsOnly(0);
    }

    @Test
    void vectorsHaveTheConfiguredScale() {
        double squares = 0;
        for (float[] row : train()) {
            for (float value : row) {
                squares += value * value;
            }
        }
        assertThat(Math.sqrt(squares / 12 / 12)).isCloseTo(0.1, within(1e-5)); // twelve tokens of size twelve
    }

    @Test
    void equalSeedsGiveEqualVectorsOnAnyNumberOfThreads() throws Exception {
        ForkJoinPool one = new ForkJoinPool(1);
        ForkJoinPool three = new ForkJoinPool(3);
        try {
            float[][] alone = one.submit(this::train).get();
            assertThat(three.submit(this::train).get()).isDeepEqualTo(alone);
            assertThat(config.train(VOCABULARY, documents(), 8, Progress.NONE)[2])
                    .isNotEqualTo(alone[2]);
        } finally {
            one.shutdown();
            three.shutdown();
        }
    }

    @Test
    void negativesAreSampledBySmoothedCounts() {
        TokenSampler sampler = new TokenSampler(new long[] {9, 9, 16, 0, 81}, 0.5, 0); // 4 to 9
        java.util.SplittableRandom random = new java.util.SplittableRandom(1);
        int[] drawn = new int[5];
        for (int i = 0; i < 13_000; i++) {
            drawn[sampler.sampleNegative(random)]++;
        }
        assertThat(drawn[0] + drawn[1] + drawn[3]).isZero();
        assertThat(drawn[2]).isCloseTo(4000, within(200));
    }

    @Test
    void onlyFrequentTokensAreSubsampled() {
        TokenSampler sampler = new TokenSampler(new long[] {0, 0, 9900, 100}, 0.75, 0.05);
        java.util.SplittableRandom random = new java.util.SplittableRandom(1);
        List<Integer> skipped = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            if (sampler.isSubsampled(2, random)) {
                skipped.add(i);
            }
            assertThat(sampler.isSubsampled(3, random)).isFalse();
        }
        // Kept with (√f + 1) / f for f = 0.99 / 0.05 = 19.8: 0.2752.
        assertThat(skipped).hasSizeBetween(7100, 7400);
        assertThat(Collections.max(skipped)).isLessThan(10_000);
    }

    @Test
    void settingsAreChecked() {
        assertThatThrownBy(() -> CbowWordVectors.Config.of(0)).hasMessage("size: 0 (expected: >= 1)");
        assertThatThrownBy(() -> new CbowWordVectors.Config(1, 1, 1, 0.75, 1, 1, 0.05, 0.1))
                .hasMessage("subsample: 1.0 (expected: >= 0 and < 1)");
    }
}
