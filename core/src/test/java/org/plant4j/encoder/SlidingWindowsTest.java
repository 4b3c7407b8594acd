package org.plant4j.encoder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SlidingWindowsTest {

    private static int[] document(int length) {
        return IntStream.range(100, 100 + length).toArray();
    }

    @Test
    void aDocumentThatFitsIsOneWindow() {
        SlidingWindows windows = SlidingWindows.of(List.of(document(5), document(2)), 5, 2);
        assertThat(windows.rows()).containsExactly(document(5), document(2));
        assertThat(windows.documents()).containsExactly(0, 1);
    }

    @Test
    void aLongerDocumentIsSplitEvenlyAndTheLastWindowEndsWithIt() {
        // 10 tokens in windows of at most 6 that share 2: two windows of 6, not one of 6 and a remainder.
        assertThat(SlidingWindows.of(List.of(document(10)), 6, 2).rows())
                .containsExactly(new int[] {100, 101, 102, 103, 104, 105}, new int[] {104, 105, 106, 107, 108, 109});
        assertThat(SlidingWindows.of(List.of(document(7)), 6, 2).rows())
                .containsExactly(new int[] {100, 101, 102, 103, 104}, new int[] {102, 103, 104, 105, 106});
    }

    @Test
    void aTokenBelongsToTheWindowWhereItIsFarthestFromACut() {
        // Windows 0–5 and 4–9: token 4 has one token after it in the first and none before it in the second.
        SlidingWindows windows = SlidingWindows.of(List.of(document(10), document(3)), 6, 2);
        assertThat(windows.tokenPositions(new int[] {10, 3}, 10, 8, 1))
                .startsWith(1, 2, 3, 4, 5, 8 + 2, 8 + 3, 8 + 4, 8 + 5, 8 + 6)
                .endsWith(17, 18, 19, 0, 0, 0, 0, 0, 0, 0);
    }

    @ParameterizedTest
    @CsvSource({"3000, 256, 64", "513, 256, 64", "257, 256, 255", "100, 7, 3", "11, 2, 1", "9, 1, 0", "50, 10, 8"})
    void everyTokenKeepsItsPositionWithHalfTheOverlapAsContext(int tokens, int window, int overlap) {
        int[] document = document(tokens);
        SlidingWindows windows = SlidingWindows.of(List.of(document), window, overlap);
        int width = windows.rows().stream().mapToInt(row -> row.length).max().orElse(0) + 2;
        long[] places = windows.tokenPositions(new int[] {tokens}, tokens, width, 1);
        int last = windows.rows().size() - 1;
        for (int t = 0; t < tokens; t++) {
            int row = (int) (places[t] / width);
            int column = (int) (places[t] % width) - 1;
            assertThat(windows.rows().get(row)[column]).isEqualTo(document[t]);
            assertThat(row == 0 || column >= overlap / 2 - 1).isTrue();
            assertThat(row == last || windows.rows().get(row).length - 1 - column >= overlap / 2 - 1)
                    .isTrue();
        }
        List<Integer> lengths = new ArrayList<>();
        windows.rows().forEach(row -> lengths.add(row.length));
        assertThat(lengths).allMatch(length -> length <= window).containsOnly(lengths.get(0));
        int[] starts = windows.starts().get(0);
        for (int i = 1; i < starts.length; i++) {
            assertThat(starts[i - 1] + lengths.get(0) - starts[i]).isGreaterThanOrEqualTo(overlap);
        }
    }

    @Test
    void anOverlapAsWideAsTheWindowIsRejected() {
        assertThatThrownBy(() -> SlidingWindows.of(List.of(), 4, 4))
                .hasMessageContaining("overlap: 4 (expected: >= 0 and < window, 4)");
    }
}
