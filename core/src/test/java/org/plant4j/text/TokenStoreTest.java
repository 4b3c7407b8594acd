package org.plant4j.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.plant4j.UserError;

class TokenStoreTest {

    private static final int DOCUMENTS = 60;

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7, 64, 1000, MappedIntArray.CHUNK_SIZE}) // documents span several chunks
    void documentsReadBackUnchangedForAnyChunkSize(int chunkSize) {
        Path file = written();
        TokenStore store = TokenStore.open(file, chunkSize);
        assertThat(store.size()).isEqualTo(DOCUMENTS);
        for (int i = 0; i < DOCUMENTS; i++) {
            assertThat(store.id(i)).isEqualTo(id(i));
            assertThat(store.tokens(i)).containsExactly(tokens(i));
            assertThat(store.labels(i)).containsExactly(labels(i));
            assertThat(store.length(i)).isEqualTo(tokens(i).length);
            assertThat(store.evidence(i)).isEqualTo(evidence(i));
        }
        assertThat(store.totalTokens())
                .isEqualTo(IntStream.range(0, DOCUMENTS)
                        .mapToLong(i -> tokens(i).length)
                        .sum());
    }

    @Test
    void threadsReadConcurrently() {
        TokenStore store = TokenStore.open(written(), 50);
        boolean same = IntStream.range(0, 20_000).parallel().allMatch(n -> {
            int i = n * 7919 % DOCUMENTS;
            return Arrays.equals(store.tokens(i), tokens(i))
                    && Arrays.equals(store.labels(i), labels(i))
                    && store.id(i).equals(id(i));
        });
        assertThat(same).isTrue();
    }

    @Test
    void emptyStoresAndEmptyDocumentsAreAllowed() {
        try (TokenStoreWriter writer = TokenStore.create(directory.resolve("empty"))) {
            assertThat(writer.documents()).isZero();
            writer.finish();
        }
        assertThat(TokenStore.open(directory.resolve("empty")).size()).isZero();
        try (TokenStoreWriter writer = TokenStore.create(directory.resolve("one"))) {
            writer.add(new EncodedDocument("", new int[0], new int[0], List.of()));
            assertThat(writer.documents()).isEqualTo(1);
            writer.finish();
        }
        TokenStore store = TokenStore.open(directory.resolve("one"));
        assertThat(store.id(0)).isEmpty();
        assertThat(store.tokens(0)).isEmpty();
        assertThat(store.labels(0)).isEmpty();
        assertThatThrownBy(() -> store.tokens(1)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void anAbandonedWriterKeepsTheOldStoreAndLeavesNoOtherFile() throws IOException {
        Path file = written();
        try (TokenStoreWriter writer = TokenStore.create(file)) {
            writer.add(new EncodedDocument("new", new int[] {1}, new int[] {0}, List.of()));
        }
        assertThat(TokenStore.open(file).size()).isEqualTo(DOCUMENTS);
        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files).containsExactly(file);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 39, 40, 41, 1000, -1, -4})
    void truncatedStoreIsAUserError(int length) throws IOException {
        byte[] whole = Files.readAllBytes(written());
        Path file = Files.write(
                directory.resolve("cut"), Arrays.copyOf(whole, length < 0 ? whole.length + length : length));
        assertThatThrownBy(() -> TokenStore.open(file))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("cut");
    }

    @Test
    void missingInvalidAndNewerStoresAreUserErrors() throws IOException {
        assertThatThrownBy(() -> TokenStore.open(directory.resolve("none"))).isInstanceOf(UserError.class);
        Path foreign = Files.writeString(directory.resolve("foreign"), "id,text,codes\n".repeat(10));
        assertThatThrownBy(() -> TokenStore.open(foreign))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("not a token store");
        byte[] bytes = Files.readAllBytes(written());
        bytes[8] = 9;
        Path later = Files.write(directory.resolve("later"), bytes);
        assertThatThrownBy(() -> TokenStore.open(later))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("version 9 instead of " + TokenStore.VERSION);
    }

    private Path written() {
        Path file = directory.resolve("train.tokens");
        try (TokenStoreWriter writer = TokenStore.create(file)) {
            for (int i = 0; i < DOCUMENTS; i++) {
                writer.add(new EncodedDocument(id(i), tokens(i), labels(i), evidence(i)));
            }
            writer.finish();
        }
        return file;
    }

    private static String id(int document) {
        return "\u00f1".repeat(document % 5) + document;
    }

    private static int[] tokens(int document) {
        return new Random(document)
                .ints(document % 11 == 0 ? 0 : document, 0, Integer.MAX_VALUE)
                .toArray();
    }

    private static List<TokenEvidence> evidence(int document) {
        return IntStream.range(0, document % 3)
                .mapToObj(i -> new TokenEvidence(i, document, document + i + 1))
                .toList();
    }

    private static int[] labels(int document) {
        return IntStream.range(0, document % 4).map(i -> i * 1000 + document).toArray();
    }
}
