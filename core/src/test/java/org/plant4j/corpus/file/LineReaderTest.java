package org.plant4j.corpus.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.corpus.file.TextFiles.Line;

class LineReaderTest {

    @TempDir
    Path directory;

    @Test
    void linesEndWithAnyLineBreakAndBlankOnesCount() throws IOException {
        String long1 = "x".repeat((1 << 13) - 1); // the line break falls on the border of the buffer
        Path file = text("\uFEFFa\r\n\nb\rc\n" + long1 + "\r\nd");
        assertThat(read(file, 1 << 20, BadRowHandler.fail())).containsExactly("1:a", "3:b", "4:c", "5:" + long1, "6:d");
    }

    @Test
    void aLineThatIsTooLongIsABadRowAndTheNextIsRead() throws IOException {
        Path file = text("0123456789\n01234567890\nrest");
        assertThatThrownBy(() -> read(file, 10, BadRowHandler.fail()))
                .hasMessageContaining("more than 10 characters")
                .hasMessageContaining("lines.txt:2");
        BadRowHandler badRows = BadRowHandler.skip();
        assertThat(read(file, 10, badRows)).containsExactly("1:0123456789", "3:rest");
        assertThat(badRows.skipped()).isEqualTo(1);
    }

    @Test
    void binaryDataIsABadRow() throws IOException {
        Path file = text("a\nb\0c\n");
        assertThatThrownBy(() -> read(file, 10, BadRowHandler.fail()))
                .hasMessageContaining("binary data")
                .hasMessageContaining("lines.txt:2");
    }

    @Test
    void aDamagedGzipFileIsNamed() throws IOException {
        Path file = TestFiles.file(directory, "lines.txt.gz", "first");
        byte[] one = Files.readAllBytes(file);
        byte[] two = Arrays.copyOf(one, one.length * 2 - 3);
        System.arraycopy(one, 0, two, one.length, one.length - 3);
        Files.write(file, two);
        assertThatThrownBy(() -> read(file, 10, BadRowHandler.skip()))
                .hasMessageContaining("The gzip file is damaged: the file ends within the compressed data")
                .hasMessageContaining("lines.txt.gz");
    }

    private Path text(String content) throws IOException {
        return TestFiles.file(directory, "lines.txt", StandardCharsets.UTF_8, content);
    }

    private static List<String> read(Path file, int maxLength, BadRowHandler badRows) {
        try (Stream<Line> lines = new LineReader(file, badRows, maxLength).stream()) {
            return lines.map(line -> line.number() + ":" + line.text()).toList();
        }
    }
}
