package org.plant4j.corpus.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TextReaderTest {

    @Test
    void everyCharacterSurvivesWhateverTheBufferBoundaries() throws IOException {
        StringBuilder text = new StringBuilder();
        Random random = new Random(7);
        String[] fragments = {"a", "é", "€", "😀", "\r\n", "ñ"};
        while (text.length() < 200_000) {
            text.append(fragments[random.nextInt(fragments.length)]);
        }
        for (int size : new int[] {1, 2, 3, 1000, 70_000}) {
            assertThat(read(text.toString().getBytes(StandardCharsets.UTF_8), size)
                            .equals(text.toString()))
                    .isTrue();
        }
    }

    @Test
    void aMalformedByteIsMarkedAndTheRestIsRead() throws IOException {
        byte[] bytes = "tórax 😀 fin".getBytes(StandardCharsets.ISO_8859_1);
        String text = read(bytes, 16);
        assertThat(TextReader.indexOfMalformed(text)).isEqualTo(1);
        assertThat(text).startsWith("t").endsWith("fin");
    }

    @Test
    void aTruncatedCharacterAtTheEndIsMarked() throws IOException {
        assertThat(TextReader.indexOfMalformed(read(new byte[] {'a', (byte) 0xC3}, 8)))
                .isEqualTo(1);
    }

    @Test
    void surrogatePairsAreNotMalformed() {
        assertThat(TextReader.indexOfMalformed("a😀b")).isEqualTo(-1);
    }

    private static String read(byte[] bytes, int size) throws IOException {
        StringBuilder text = new StringBuilder();
        try (TextReader reader = new TextReader(new ByteArrayInputStream(bytes))) {
            char[] buffer = new char[size];
            for (int n = reader.read(buffer); n >= 0; n = reader.read(buffer)) {
                text.append(buffer, 0, n);
            }
        }
        return text.toString();
    }
}
