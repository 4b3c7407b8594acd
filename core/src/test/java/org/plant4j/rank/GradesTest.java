package org.plant4j.rank;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class GradesTest {

    @Test
    void aGradeIsLostEachTimeTheRankDoubles() {
        assertThat(new Grades(4).of(9, 11)).containsExactly(4, 3, 3, 2, 2, 2, 2, 1, 1, 0, 0);
    }

    @Test
    void aListedTokenNeverFallsToTheUnlisted() {
        assertThat(new Grades(4).at(1_000_000)).isOne();
        assertThat(new Grades(10).at(512)).isOne();
        assertThat(new Grades(10).at(511)).isEqualTo(2);
    }

    @Test
    void gradesWhosePowersWouldOverflowAreRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> new Grades(25)).withMessageContaining("highest: 25");
        assertThatIllegalArgumentException().isThrownBy(() -> new Grades(0));
    }
}
