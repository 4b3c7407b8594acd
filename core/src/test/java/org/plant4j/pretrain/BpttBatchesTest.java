package org.plant4j.pretrain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.Test;
import org.plant4j.pretrain.BpttBatches.Window;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.Golden;

class BpttBatchesTest {

    @Test
    void columnsAreParallelAndEachTokenPredictsTheNext() {
        // Thirteen input tokens, six per column; the last but one is not used.
        BpttBatches columns = BpttBatches.of(new int[] {0, 1, 2, 3, 4, 5, 6, 0, 8, 9, 10, 11, 12, 13}, 2, 3);
        assertThat(columns.batchSize()).isEqualTo(2);
        assertThat(columns.columnLength()).isEqualTo(6);
        assertThat(columns.windows(4)).containsExactly(columns.window(0, 4), columns.window(4, 2));
        try (PointerScope scope = new PointerScope()) {
            assertThat(numbers(columns.inputs(columns.window(0, 4), Compute.CPU)))
                    .containsExactly(0, 1, 2, 3, 6, 0, 8, 9);
            assertThat(numbers(columns.targets(columns.window(0, 4), Compute.CPU)))
                    .containsExactly(1, 2, 3, 4, 0, 8, 9, 10);
            assertThat(numbers(columns.targets(columns.window(4, 2), Compute.CPU)))
                    .containsExactly(5, 6, 11, 12);
            assertThat(columns.inputs(columns.window(4, 2), Compute.CPU).shape())
                    .containsExactly(2, 2);
        }
        assertThat(columns.targetCount(columns.window(0, 4))).isEqualTo(7); // one target is the start of a document
    }

    private static double[] numbers(Tensor ids) {
        return Golden.values(ids.to(torch.ScalarType.Float));
    }

    @Test
    void shortStreamsHaveFewerColumns() {
        assertThat(BpttBatches.of(new int[8], 64, 70)).satisfies(columns -> {
            assertThat(columns.batchSize()).isEqualTo(1);
            assertThat(columns.columnLength()).isEqualTo(7);
        });
        assertThat(BpttBatches.of(new int[211], 64, 70).batchSize()).isEqualTo(3);
    }

    @Test
    void windowLengthsVaryAndCoverAllTokens() {
        BpttBatches columns = new BpttBatches(new int[0], 1, 70_000);
        List<Window> windows = columns.windows(70, new Random(1));
        int next = 0;
        for (Window window : windows) {
            assertThat(window.start()).isEqualTo(next);
            assertThat(window.length()).isBetween(5, 94); // a short remainder joins the last window
            next += window.length();
        }
        assertThat(next).isEqualTo(70_000);
        assertThat(windows.size()).isBetween(980, 1060); // 70,000 / (0.95 · 70 + 0.05 · 35) = 1026
        assertThat(windows.stream().filter(window -> window.length() < 50).count() / (double) windows.size())
                .isCloseTo(0.05, within(0.02));
        assertThat(columns.windows(70, new Random(1))).isEqualTo(windows);
        assertThat(new BpttBatches(new int[0], 1, 9)
                        .windows(2, new Random(1)).stream()
                                .flatMapToInt(window -> IntStream.of(window.length()))
                                .sum())
                .isEqualTo(9);
    }
}
