package org.plant4j.rank;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.UserError;

class RelevanceTest {

    private final Relevance relevance =
            new Relevance(new int[][] {{7, 2}, {}, {5}}, new float[][] {{0.5f, 0.25f}, {}, {0.125f}});

    @TempDir
    Path directory;

    @Test
    void aGainIsFoundByLabelAndToken() {
        assertThat(relevance.gain(0, 2)).isEqualTo(0.25f);
        assertThat(relevance.gain(2, 2)).isZero();
        assertThat(relevance.gain(1, 7)).isZero();
    }

    @Test
    void writeAndReadRoundTripAndLeaveNoTemporaryFile() throws IOException {
        Path file = directory.resolve("mi.bin");
        relevance.write(file);

        Relevance read = Relevance.read(file);

        assertThat(read.labels()).isEqualTo(3);
        assertThat(read.tokens(0)).containsExactly(7, 2);
        assertThat(read.gains(0)).containsExactly(0.5f, 0.25f);
        assertThat(read.size(1)).isZero();
        assertThat(read.gain(2, 5)).isEqualTo(0.125f);
        assertThat(directory).isDirectoryContaining(file::equals);
        try (var files = Files.list(directory)) {
            assertThat(files).hasSize(1);
        }
    }

    @Test
    void aTruncatedOrForeignFileIsRejected() throws IOException {
        Path file = directory.resolve("mi.bin");
        relevance.write(file);
        byte[] whole = Files.readAllBytes(file);

        Files.write(file, Arrays.copyOf(whole, whole.length - 1));
        assertThatThrownBy(() -> Relevance.read(file)).isInstanceOf(UserError.class);
        Files.write(file, new byte[40]);
        assertThatThrownBy(() -> Relevance.read(file)).isInstanceOf(UserError.class);
        assertThatThrownBy(() -> Relevance.read(directory.resolve("none.bin"))).isInstanceOf(UserError.class);
    }
}
