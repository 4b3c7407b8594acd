package org.plant4j.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class ArgumentsTest {

    @Test
    void returnsTheValueThatPasses() {
        assertThat(Arguments.atLeast(1, "k", 1)).isEqualTo(1);
        assertThat(Arguments.between(0, 9, "digit", 9)).isEqualTo(9);
        assertThat(Arguments.fraction("share", 1)).isEqualTo(1);
        assertThat(Arguments.rate("dropout", 0)).isZero();
        assertThat(Arguments.positive("rate", 1e-9)).isEqualTo(1e-9);
    }

    @Test
    void namesTheArgumentItsValueAndTheCondition() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Arguments.atLeast(1, "k", 0))
                .withMessage("k: 0 (expected: >= 1)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Arguments.atLeast(0.5, "beta", 0.25))
                .withMessage("beta: 0.25 (expected: >= 0.5)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Arguments.check(false, "icd", 8, "9 or 10"))
                .withMessage("icd: 8 (expected: 9 or 10)");
    }

    @Test
    void refusesNaN() {
        assertThatIllegalArgumentException().isThrownBy(() -> Arguments.fraction("share", Double.NaN));
        assertThatIllegalArgumentException().isThrownBy(() -> Arguments.positive("rate", Double.NaN));
        assertThatIllegalArgumentException().isThrownBy(() -> Arguments.rate("dropout", 1));
    }
}
