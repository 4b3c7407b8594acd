package org.plant4j.pretrain;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PretrainingRowsTest {

    private static List<int[]> rows(int[] stream, int maxLength) {
        PretrainingRows rows = new PretrainingRows(stream, maxLength, piece -> piece > 1);
        return IntStream.range(0, rows.size()).mapToObj(rows::tokens).toList();
    }

    @Test
    void aDocumentIsSplitIntoAsFewRowsAsPossibleOfEqualLength() {
        int[] stream = {0, 2, 3, 4, 5, 6, 7, 8, 0, 9, 10};
        assertThat(rows(stream, 3))
                .containsExactly(new int[] {2, 3}, new int[] {4, 5}, new int[] {6, 7, 8}, new int[] {9, 10});
        assertThat(rows(stream, 7)).containsExactly(new int[] {2, 3, 4, 5, 6, 7, 8}, new int[] {9, 10});
        assertThat(new PretrainingRows(stream, 3, piece -> true).length(2)).isEqualTo(3);
    }

    @Test
    void rowsWithoutAKnownTokenAndEmptyDocumentsAreLeftOut() {
        assertThat(rows(new int[] {0, 1, 1, 2, 3, 0, 0, 1}, 2)).containsExactly(new int[] {2, 3});
        assertThat(rows(new int[0], 2)).isEmpty();
    }
}
