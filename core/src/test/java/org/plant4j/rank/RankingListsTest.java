package org.plant4j.rank;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.BitSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RankingListsTest {

    private static final int VOCABULARY = 50;
    private static final Relevance RELEVANCE = new Relevance(
            new int[][] {{9, 7, 30, 20, 40, 41, 42}, {5}, {}},
            new float[][] {{0.9f, 0.5f, 0.4f, 0.4f, 0.3f, 0.2f, 0.1f}, {1}, {}});

    private static RankingLists lists(int listed, int sampled, double power, int heldOut) {
        long[] frequencies = IntStream.range(0, VOCABULARY)
                .mapToLong(i -> i == 49 ? 10_000 : 1)
                .toArray();
        RankConfig config = RankConfig.builder()
                .topTokens(listed)
                .sampledTokens(sampled)
                .samplingPower(power)
                .k(5)
                .maxGrade(4)
                .heldOutEvery(heldOut)
                .build();
        return new RankingLists(config, RELEVANCE, frequencies);
    }

    private static int grade(RankingLists.GradedList list, int token) {
        return IntStream.range(0, list.tokens().length)
                .filter(i -> list.tokens()[i] == token)
                .map(i -> list.grades()[i])
                .findFirst()
                .orElse(-1);
    }

    @Test
    void aListHasTheTopTokensByGradeAndOthersOfGradeZero() {
        RankingLists.GradedList list = lists(5, 10, 0, 0).training(0, 1);

        assertThat(list.tokens()).hasSize(15).doesNotHaveDuplicates();
        assertThat(grade(list, 9)).isEqualTo(4);
        assertThat(grade(list, 7)).isEqualTo(3); // rank 2
        assertThat(grade(list, 30)).isEqualTo(3); // rank 3
        assertThat(grade(list, 20)).isEqualTo(3); // rank 4, but ties with the third
        assertThat(grade(list, 40)).isEqualTo(2);
        assertThat(Arrays.stream(list.grades()).filter(grade -> grade == 0)).hasSize(10);
        assertThat(list.tokens()).doesNotContain(0, 1);
    }

    @Test
    void tokensThatTieWithTheLastTopTokenAreNotSampled() {
        RankingLists.GradedList cutInTie = lists(3, 500, 0, 0).training(0, 1);

        assertThat(grade(cutInTie, 30)).isEqualTo(3);
        assertThat(cutInTie.tokens()).doesNotContain(20).contains(40).hasSize(VOCABULARY - 3);
        assertThat(lists(2, 500, 0, 0).training(0, 1).tokens()).contains(30, 20);
    }

    @Test
    void noPairIsUsedForTrainingAndValidation() {
        RankingLists lists = lists(6, 10, 0, 3);
        BitSet trained = new BitSet();
        BitSet measured = new BitSet();
        for (int seed = 0; seed < 200; seed++) {
            Arrays.stream(lists.training(0, seed).tokens()).forEach(trained::set);
            Arrays.stream(lists.heldOut(0, seed).tokens()).forEach(measured::set);
        }

        assertThat(trained.intersects(measured)).isFalse();
        assertThat(trained.stream().toArray()).contains(9, 7, 20, 40).doesNotContain(30, 41);
        assertThat(measured.stream().toArray()).contains(30, 41);
        assertThat(measured.cardinality()).isBetween(8, 30);
    }

    @Test
    void aLabelWithTooFewTokensHasNoHeldOutList() {
        assertThat(lists(5, 10, 0, 3).heldOut(1, 1).tokens()).isEmpty();
        assertThat(lists(5, 10, 0, 3).training(2, 1).tokens()).isEmpty();
        assertThat(lists(5, 10, 0, 0).heldOut(1, 1).tokens()).hasSize(11);
    }

    @Test
    void frequentTokensAreSampledMoreOften() {
        RankingLists byFrequency = lists(5, 1, 1, 0);
        RankingLists sameLists = lists(5, 1, 0, 0);

        assertThat(IntStream.range(0, 100).filter(seed -> grade(byFrequency.training(0, seed), 49) == 0))
                .hasSizeGreaterThan(95);
        assertThat(IntStream.range(0, 100).filter(seed -> grade(sameLists.training(0, seed), 49) == 0))
                .hasSizeLessThan(15);
    }

    @Test
    void aSmallVocabularyGivesAShorterList() {
        assertThat(lists(5, 500, 0, 0).training(0, 1).tokens())
                .hasSize(VOCABULARY - 2)
                .doesNotHaveDuplicates();
    }

    @Test
    void theOrderIsRandomAndDependsOnTheSeedOnly() {
        RankingLists lists = lists(5, 10, 0, 0);

        assertThat(lists.training(0, 1).tokens()).isEqualTo(lists.training(0, 1).tokens());
        assertThat(IntStream.range(0, 100)
                        .filter(seed -> lists.training(0, seed).tokens()[0] == 9))
                .hasSizeBetween(1, 25);
    }
}
