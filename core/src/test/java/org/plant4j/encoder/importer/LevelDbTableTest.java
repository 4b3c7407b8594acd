package org.plant4j.encoder.importer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.plant4j.UserError;

class LevelDbTableTest {

    private static final SortedMap<String, byte[]> ENTRIES = new TreeMap<>(Map.of(
            "", new byte[] {1},
            "bert/a", new byte[] {2, 3},
            "bert/ab", new byte[] {},
            "bert/b", new byte[] {4},
            "cls", new byte[] {5, 6, 7}));

    @TempDir
    Path directory;

    private Path file(byte[] bytes) throws IOException {
        return Files.write(directory.resolve("variables.index"), bytes);
    }

    @Test
    void entriesOfAllBlocksAreRead() throws IOException {
        Map<String, ByteBuffer> read = LevelDbTable.read(file(LevelDbTableBytes.of(ENTRIES, 0)));
        assertThat(read.keySet()).containsExactly("", "bert/a", "bert/ab", "bert/b", "cls");
        ENTRIES.forEach((key, value) -> assertThat(read.get(key)).as(key).isEqualTo(ByteBuffer.wrap(value)));
    }

    @Test
    void compressedBlocksAreRejected() {
        assertThatThrownBy(() -> LevelDbTable.read(file(LevelDbTableBytes.of(ENTRIES, 1))))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("compressed");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 10, 60, 150})
    void aTruncatedTableIsAUserError(int length) {
        assertThatThrownBy(() -> LevelDbTable.read(file(Arrays.copyOf(LevelDbTableBytes.of(ENTRIES, 0), length))))
                .isInstanceOf(UserError.class);
    }

    @Test
    void aHandleBeyondTheFileIsAUserError() throws IOException {
        byte[] bytes = LevelDbTableBytes.of(ENTRIES, 0);
        Arrays.fill(bytes, bytes.length - 48, bytes.length - 40, (byte) 0x7f);
        assertThatThrownBy(() -> LevelDbTable.read(file(bytes))).isInstanceOf(UserError.class);
    }
}
