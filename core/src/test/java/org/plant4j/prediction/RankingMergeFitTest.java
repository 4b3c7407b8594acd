package org.plant4j.prediction;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RankingMergeFitTest {

    private static final double[] FREQUENCIES = {0, Math.log(2), Math.log(51)}; // 0, 1 and 50 training documents

    @Test
    void averagePrecisionCountsGoldLabelsThatAreNoCandidates() {
        RankingMergeFit.Candidates document =
                new RankingMergeFit.Candidates(List.of(), FREQUENCIES, new int[] {0, 2}, 4);
        // Ranks 1 and 3; the tie goes to the first label.
        assertThat(document.averagePrecision(new double[] {0.5, 0.5, 0.1})).isEqualTo((1 + 2.0 / 3) / 4);
    }

    /** The first member knows rare labels, the second frequent ones; each guesses otherwise. */
    private static List<RankingMergeFit.Candidates> documents(int count, Random random) {
        List<RankingMergeFit.Candidates> documents = new ArrayList<>();
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
            documents.add(new RankingMergeFit.Candidates(scores, frequencies, new int[] {0, 1}, 2));
        }
        return documents;
    }

    private static double memberMap(List<RankingMergeFit.Candidates> documents, int member) {
        return documents.stream()
                .mapToDouble(document -> document.averagePrecision(document.scores().stream()
                        .mapToDouble(scores -> scores[member])
                        .toArray()))
                .average()
                .orElseThrow();
    }

    @Test
    void aMemberCountsForTheLabelsThatItKnows() {
        List<RankingMergeFit.Candidates> documents = documents(100, new Random(1));
        assertThat(memberMap(documents, 0)).isLessThan(0.8);
        assertThat(memberMap(documents, 1)).isLessThan(0.8);
        RankingMergeFit fit = new RankingMergeFit(documents);
        assertThat(fit.crossValidatedMap()).isGreaterThan(0.97);
        // A high score by the member that guesses does not help a label.
        assertThat(fit.fit().probability(new double[] {0.7, 0.1}, 0)).isGreaterThan(0.5);
        assertThat(fit.fit().probability(new double[] {0.3, 0.9}, 0)).isLessThan(0.5);
    }

    @Test
    void aMemberThatMisleadsIsIgnored() {
        List<RankingMergeFit.Candidates> documents = IntStream.range(0, 20)
                .mapToObj(i -> new RankingMergeFit.Candidates(
                        List.of(new double[] {0.6, 0}, new double[] {0.5, 0.9}, new double[] {0.4, 1}),
                        FREQUENCIES,
                        new int[] {0},
                        1))
                .toList();
        assertThat(memberMap(documents, 0)).isEqualTo(1);
        assertThat(memberMap(documents, 1)).isEqualTo(1.0 / 3);
        assertThat(new RankingMergeFit(documents).crossValidatedMap()).isEqualTo(1);
    }
}
