package org.plant4j.prediction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.plant4j.prediction.Stacking.Weight;

class StackingTest {

    private static final double[] FREQUENCIES = {0, Math.log(2), Math.log(51)}; // 0, 1 and 50 training documents

    @Test
    void aScoreIsTheWeightedSumOfTheMembers() {
        Stacking stacking = new Stacking(List.of(new Weight(1, 0.5), new Weight(0, 0.25)), 3);
        List<double[]> scores = List.of(new double[] {0.7, 0.9}, new double[] {0.4, 0.8}, new double[] {0.2, 0.4});
        // z is 0, ln 2 / ln 4 = 1/2, and 1 beyond the maximum: 0.7; 0.75 · 0.4 + 0.125 · 0.8; 0.5 · 0.2 + 0.25 · 0.4
        assertThat(stacking.combine(scores, FREQUENCIES)).containsExactly(new double[] {0.7, 0.4, 0.2}, within(1e-12));
    }

    @Test
    void normalizedScoresAreAtMostOne() {
        Stacking stacking = new Stacking(List.of(new Weight(3, 1), new Weight(1, 1)), 3).normalized();
        assertThat(stacking.members()).containsExactly(new Weight(0.75, 0.25), new Weight(0.25, 0.25));
    }

    @Test
    void averagePrecisionCountsGoldLabelsThatAreNoCandidates() {
        StackingFit.Candidates document = new StackingFit.Candidates(List.of(), FREQUENCIES, new int[] {0, 2}, 4);
        // Ranks 1 and 3; the tie goes to the first label.
        assertThat(document.averagePrecision(new double[] {0.5, 0.5, 0.1})).isEqualTo((1 + 2.0 / 3) / 4);
    }

    /** The first member knows rare labels, the second frequent ones; each guesses otherwise. */
    private static List<StackingFit.Candidates> documents(int count, Random random) {
        List<StackingFit.Candidates> documents = new ArrayList<>();
        for (int document = 0; document < count; document++) {
            List<double[]> scores = new ArrayList<>();
            double[] frequencies = new double[10];
            for (int i = 0; i < 10; i++) {
                boolean rare = random.nextBoolean();
                frequencies[i] = rare ? 0 : Math.log(101);
                double known = (i < 2 ? 0.5 : 0.2) + 0.3 * random.nextDouble(); // the first two labels are gold
                double guessed = random.nextDouble();
                scores.add(rare ? new double[] {known, guessed} : new double[] {guessed, known});
            }
            documents.add(new StackingFit.Candidates(scores, frequencies, new int[] {0, 1}, 2));
        }
        return documents;
    }

    @Test
    void aMemberCountsForTheLabelsThatItKnows() {
        StackingFit fit = new StackingFit(documents(100, new Random(1)), 2, 100);
        Stacking stacking = fit.fit();
        assertThat(stacking.members().get(0).rare())
                .isGreaterThan(5 * stacking.members().get(1).rare());
        assertThat(stacking.members().get(1).frequent())
                .isGreaterThan(5 * stacking.members().get(0).frequent());
        assertThat(fit.memberMap(0)).isLessThan(0.8);
        assertThat(fit.meanMap()).isLessThan(0.9);
        assertThat(fit.crossValidatedMap()).isGreaterThan(0.97);
    }

    @Test
    void aMemberThatMisleadsHasNoWeight() {
        List<StackingFit.Candidates> documents = IntStream.range(0, 20)
                .mapToObj(i -> new StackingFit.Candidates(
                        List.of(new double[] {0.6, 0}, new double[] {0.5, 0.9}, new double[] {0.4, 1}),
                        FREQUENCIES,
                        new int[] {0},
                        1))
                .toList();
        StackingFit fit = new StackingFit(documents, 2, 50);
        assertThat(fit.memberMap(0)).isEqualTo(1);
        assertThat(fit.memberMap(1)).isEqualTo(1.0 / 3);
        assertThat(fit.meanMap()).isEqualTo(1.0 / 3);
        assertThat(fit.crossValidatedMap()).isEqualTo(1);
    }

    @Test
    void equalWeightsAreKeptIfNothingIsBetter() {
        List<StackingFit.Candidates> documents = List.of(new StackingFit.Candidates(
                List.of(new double[] {0.9, 0.8}, new double[] {0.1, 0.2}), new double[] {0, 1}, new int[] {0}, 1));
        assertThat(new StackingFit(documents, 2, 2).fit().members())
                .containsExactly(new Weight(0.5, 0.5), new Weight(0.5, 0.5));
    }
}
