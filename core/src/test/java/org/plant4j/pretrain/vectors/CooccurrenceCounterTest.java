package org.plant4j.pretrain.vectors;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class CooccurrenceCounterTest {

    @Test
    void aPairAtDistanceDWeighsOneOverD() {
        CooccurrenceCounter counter = count(5, 2, 100, 100, new int[] {2, 3, 4}); // in halves
        assertThat(table(counter)).hasToString("{2-3=2, 2-4=1, 3-4=2}");
        assertThat(totals(counter)).containsExactly(0, 0, 3, 4, 3);
    }

    @Test
    void paddingAndUnknownFormNoPairsButCountTowardsDistances() {
        CooccurrenceCounter counter = count(4, 2, 100, 100, new int[] {2, 1, 3, 0, 0, 2});
        assertThat(table(counter)).hasToString("{2-3=1}");
        assertThat(totals(counter)).containsExactly(0, 0, 1, 1);
    }

    @Test
    void aTokenNextToItselfCountsTwice() {
        CooccurrenceCounter counter = count(3, 1, 100, 100, new int[] {2, 2});
        assertThat(table(counter)).hasToString("{2-2=2}");
        assertThat(totals(counter)).containsExactly(0, 0, 2);
    }

    @Test
    void tokensOfDifferentDocumentsFormNoPairs() {
        CooccurrenceCounter counter = count(6, 5, 100, 100, new int[] {2, 3}, new int[] {4, 5});
        assertThat(table(counter)).hasToString("{2-3=60, 4-5=60}");
    }

    @Test
    void runsOfAnyLengthMergeToTheCountsOfAMap() {
        int[][] documents = draw(new Random(1), 30, 50, 12);
        Map<String, Long> plain = new TreeMap<>();
        for (int[] document : documents) {
            for (int i = 0; i < document.length; i++) {
                for (int j = Math.max(0, i - 3); j < i; j++) {
                    int low = Math.min(document[i], document[j]);
                    int high = Math.max(document[i], document[j]);
                    if (low > 1) {
                        plain.merge(low + "-" + high, 6L / (i - j) * (low == high ? 2 : 1), Long::sum);
                    }
                }
            }
        }
        for (int run : new int[] {1, 7, 64, 100_000}) {
            assertThat(table(count(12, 3, 1000, run, documents))).isEqualTo(plain);
        }
    }

    @Test
    void beyondTheLimitTheLightestPairsAreRemovedAndTotalsStayExact() {
        int[] heavy = {2, 3, 2, 3, 2, 3, 2, 3};
        int[][] documents = draw(new Random(2), 40, 30, 60);
        CooccurrenceCounter bounded = new CooccurrenceCounter(60, 2, 100, 50);
        CooccurrenceCounter free = new CooccurrenceCounter(60, 2, 10_000, 50);
        for (int[] document : documents) {
            for (CooccurrenceCounter counter : new CooccurrenceCounter[] {bounded, free}) {
                counter.add(heavy);
                counter.add(document);
            }
        }
        bounded.finish();
        free.finish();
        assertThat(free.size()).isGreaterThan(500);
        assertThat(bounded.size()).isLessThanOrEqualTo(100);
        assertThat(table(bounded).get("2-3")).isEqualTo(table(free).get("2-3"));
        assertThat(totals(bounded)).isEqualTo(totals(free));
    }

    private static CooccurrenceCounter count(int vocabulary, int window, int maxPairs, int run, int[]... documents) {
        CooccurrenceCounter counter = new CooccurrenceCounter(vocabulary, window, maxPairs, run);
        for (int[] document : documents) {
            counter.add(document);
        }
        counter.finish();
        return counter;
    }

    private static int[][] draw(Random random, int documents, int length, int vocabulary) {
        int[][] drawn = new int[documents][length];
        for (int[] document : drawn) {
            Arrays.setAll(document, i -> random.nextInt(vocabulary));
        }
        return drawn;
    }

    private static Map<String, Long> table(CooccurrenceCounter counter) {
        Map<String, Long> table = new TreeMap<>();
        for (int pair = 0; pair < counter.size(); pair++) {
            table.put(counter.first(pair) + "-" + counter.second(pair), counter.weight(pair));
        }
        return table;
    }

    private static long[] totals(CooccurrenceCounter counter) {
        long[] totals = new long[counter.vocabularySize()];
        Arrays.setAll(totals, counter::total);
        return totals;
    }
}
