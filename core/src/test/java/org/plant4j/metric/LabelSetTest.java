package org.plant4j.metric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class LabelSetTest {

    @Test
    void labelsAreSortedAndDistinct() {
        LabelSet set = LabelSet.of(7, 2, 7, 0);

        assertThat(set.toArray()).containsExactly(0, 2, 7);
        assertThat(set.size()).isEqualTo(3);
        assertThat(set.get(1)).isEqualTo(2);
        assertThat(set.max()).isEqualTo(7);
        assertThat(set.contains(2)).isTrue();
        assertThat(set.contains(3)).isFalse();
        assertThat(set).isEqualTo(LabelSet.of(0, 2, 7)).hasSameHashCodeAs(LabelSet.of(0, 2, 7));
    }

    @Test
    void intersectionsAreCounted() {
        assertThat(LabelSet.of(1, 3, 5, 9).intersectionSize(LabelSet.of(0, 3, 4, 9, 12)))
                .isEqualTo(2);
        assertThat(LabelSet.EMPTY.intersectionSize(LabelSet.of(1))).isZero();
    }

    @Test
    void negativeLabelsAreRejected() {
        assertThatThrownBy(() -> LabelSet.of(3, -1)).hasMessage("label: -1 (expected: >= 0)");
    }
}
