package org.plant4j.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.plant4j.text.Vocabulary;

class WordOrderTest {

    private static final int UNKNOWN = Vocabulary.UNKNOWN;

    /** 40 words, ids 2 to 41, of which the last ten continue a word. */
    private static Vocabulary vocabulary() {
        List<String> tokens = new ArrayList<>(List.of("<pad>", "<unk>"));
        IntStream.range(0, 40).forEach(i -> tokens.add((i < 30 ? "t" : "##t") + i));
        try (Vocabulary.Builder builder = new Vocabulary.Builder()) {
            return builder.build(tokens);
        }
    }

    private static final TokenPairs PAIRS = pairs();

    private static TokenPairs pairs() {
        TokenPairs.Counts counts = new TokenPairs.Counts(1000);
        Random random = new Random(7);
        for (int document = 0; document < 50; document++) {
            int[] tokens = random.ints(30, 2, 42).toArray();
            for (int i = 1; i < tokens.length; i += 2) {
                tokens[i] = 2 + (tokens[i - 1] + 1) % 40; // a typical successor
            }
            counts.add(tokens);
        }
        return counts.build();
    }

    @Test
    void theScoreIsThatOfListsOfWordsInRandomOrder() {
        WordOrder order = new WordOrder(vocabulary(), PAIRS);
        Random random = new Random(11);
        for (int trial = 0; trial < 50; trial++) {
            int[] tokens = random.ints(1 + random.nextInt(60), 1, 42).toArray();
            assertThat(order.score(tokens)).as("trial %d", trial).isCloseTo(expected(tokens), within(1e-9));
        }
    }

    @Test
    void aFewPermutationsDecideLikeAllOfThem() {
        WordOrder order = new WordOrder(vocabulary(), PAIRS);
        Random random = new Random(12);
        for (int trial = 0; trial < 200; trial++) {
            int[] tokens = random.ints(20 + random.nextInt(60), 2, 42).toArray();
            for (int i = 1; i < tokens.length; i++) {
                if (random.nextInt(100) < trial % 100) {
                    tokens[i] = 2 + (tokens[i - 1] + 1) % 40;
                }
            }
            for (double threshold : new double[] {-1, 0, 4}) {
                assertThat(order.isSufficient(tokens, score -> score >= threshold))
                        .as("trial %d, threshold %s", trial, threshold)
                        .isEqualTo(order.score(tokens) >= threshold);
            }
        }
    }

    /** The definition, written down with lists and doubles. */
    private static double expected(int[] tokens) {
        List<List<Integer>> words = new ArrayList<>();
        for (int token : tokens) {
            if (words.isEmpty() || token < 32) {
                words.add(new ArrayList<>());
            }
            words.get(words.size() - 1).add(token);
        }
        Random random = new Random(1);
        double inOrder = mean(words);
        double[] shuffled = new double[32];
        for (int i = 0; i < shuffled.length; i++) {
            Collections.shuffle(words, random);
            shuffled[i] = mean(words);
        }
        double mean = Arrays.stream(shuffled).average().orElseThrow();
        double deviation = Math.sqrt(Arrays.stream(shuffled)
                .map(value -> Math.pow(value - mean, 2))
                .average()
                .orElseThrow());
        return (inOrder - mean) / Math.max(1e-3, deviation);
    }

    private static double mean(List<List<Integer>> words) {
        List<Integer> tokens = words.stream().flatMap(List::stream).toList();
        return IntStream.range(1, tokens.size())
                .filter(i -> tokens.get(i - 1) > UNKNOWN && tokens.get(i) > UNKNOWN)
                .mapToDouble(i -> 0.1 * PAIRS.association(tokens.get(i - 1), tokens.get(i)))
                .average()
                .orElse(-1);
    }
}
