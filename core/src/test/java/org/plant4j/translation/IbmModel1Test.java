package org.plant4j.translation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class IbmModel1Test {

    private static final Offset<Double> ROUNDING = within(1e-12);

    private static final IbmModel1Trainer TRAINER = new IbmModel1Trainer(List.of(
            new TextPair(List.of("a", "b"), List.of("x", "y")), // 0
            new TextPair(List.of("a"), List.of("x")))); // 1

    /**
     * At first all words are equally likely: x and y of the first pair are divided among NULL, a and b, x of the second among
     * NULL and a. So a has the counts 1/3 + 1/2 of x and 1/3 of y, b has 1/3 of both.
     */
    @Test
    void theFirstIterationCountsCoOccurrences() {
        IbmModel1 model = TRAINER.train(pair -> true, 1);
        assertThat(model.probability("a", "x")).isCloseTo(5.0 / 7, ROUNDING);
        assertThat(model.probability("a", "y")).isCloseTo(2.0 / 7, ROUNDING);
        assertThat(model.probability("b", "x")).isCloseTo(1.0 / 2, ROUNDING);
        assertThat(model.probability(IbmModel1.NULL, "x")).isCloseTo(5.0 / 7, ROUNDING);
    }

    /**
     * With these, x of the first pair is divided in the ratio 5/7 : 5/7 : 1/2, so that b gets 7/27, and y in the ratio 2/7 : 2/7 :
     * 1/2, so that b gets 7/15. P(y | b) = 7/15 / (7/27 + 7/15), and P(x | a) = (10/27 + 1/2) / (10/27 + 1/2 + 4/15).
     */
    @Test
    void aWordThatIsExplainedByAnotherIsLessLikelyInTheSecond() {
        IbmModel1 model = TRAINER.train(pair -> true, 2);
        assertThat(model.probability("b", "y")).isCloseTo(9.0 / 14, ROUNDING);
        assertThat(model.probability("a", "x")).isCloseTo(235.0 / 307, ROUNDING);
    }

    @Test
    void onlySelectedPairsCount() {
        IbmModel1 model = TRAINER.train(pair -> pair == 1, 2);
        assertThat(model.probability("a", "x")).isEqualTo(1);
        assertThat(model.of("b")).isEmpty();
    }

    /** The ratio of P(y | a), P(y | b) and P(y | NULL) is 2/7 : 1/2 : 2/7. */
    @Test
    void alignmentsDivideAWordAmongTheSource() {
        IbmModel1 model = TRAINER.train(pair -> true, 1);
        assertThat(model.alignment(List.of("a", "b"), "y"))
                .containsExactly(new double[] {4.0 / 15, 7.0 / 15, 4.0 / 15}, ROUNDING);
        assertThat(model.alignment(List.of("a"), "unknown")).containsExactly(0, 0);
    }
}
