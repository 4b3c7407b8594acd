package org.plant4j.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.bytedeco.javacpp.PointerScope;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SegmentsTest {

    /** 5, 2 and 0 tokens. */
    private static final List<int[]> DOCUMENTS = List.of(new int[] {5, 6, 7, 8, 9}, new int[] {10, 11}, new int[0]);

    private static Segments of(int length) {
        return new Segments(DOCUMENTS, length, false, Compute.CPU);
    }

    @Test
    void documentsAreSplitFromTheirStartAndEndInTheLastSegment() {
        try (PointerScope scope = new PointerScope()) {
            Segments segments = of(2);
            assertThat(segments.count()).isEqualTo(3);
            assertThat(segments.get(0).ids()).containsExactly(5, 6, 0, 0, 0, 0);
            assertThat(segments.get(0).lengths()).containsExactly(2, 0, 0);
            assertThat(segments.get(1).ids()).containsExactly(7, 8, 0, 0, 0, 0);
            assertThat(segments.get(2).ids()).containsExactly(9, 0, 10, 11, 1, 0); // 1: the unknown token
            assertThat(segments.get(2).lengths()).containsExactly(1, 2, 1);
        }
    }

    @Test
    void documentsThatFitAreOneSegment() {
        try (PointerScope scope = new PointerScope()) {
            assertThat(of(5).count()).isEqualTo(1);
            Segments whole = of(Integer.MAX_VALUE);
            assertThat(whole.count()).isEqualTo(1);
            assertThat(whole.get(0).ids())
                    .containsExactly(Batch.of(DOCUMENTS, Compute.CPU).ids());
            assertThat(whole.countBefore(Integer.MAX_VALUE)).isZero();
            assertThat(whole.countBefore(1)).isZero();
        }
    }

    /** In segments of two the first document is 5 6, 7 8, 9: its last two tokens start in the second segment. */
    @ParameterizedTest
    @CsvSource({"1, 2", "2, 1", "3, 1", "4, 0", "5, 0", "100, 0"})
    void countBeforeCountsSegmentsWithoutTokensOfTheWindow(int window, int before) {
        assertThat(of(2).countBefore(window)).isEqualTo(before);
    }

    @Test
    void aSegmentHasAtLeastOneToken() {
        assertThatThrownBy(() -> of(0)).hasMessage("length: 0 (expected: >= 1)");
    }
}
