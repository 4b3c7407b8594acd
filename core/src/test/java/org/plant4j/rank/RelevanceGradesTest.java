package org.plant4j.rank;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RelevanceGradesTest {

    @Test
    void theGradeDropsByOneEachTimeTheRankDoubles() {
        assertThat(IntStream.rangeClosed(1, 9).map(new RelevanceGrades(4)::atRank))
                .containsExactly(4, 3, 3, 2, 2, 2, 2, 1, 1);
    }

    @Test
    void aTopTokenHasAtLeastGradeOne() {
        assertThat(new RelevanceGrades(4).atRank(1_000_000)).isOne();
        assertThat(new RelevanceGrades(10).atRank(512)).isOne();
        assertThat(new RelevanceGrades(10).atRank(511)).isEqualTo(2);
    }

    @Test
    void gradesAboveTheLimitAreRejected() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RelevanceGrades(25))
                .withMessageContaining("highest: 25");
        assertThatIllegalArgumentException().isThrownBy(() -> new RelevanceGrades(0));
    }
}
