package org.plant4j.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.plant4j.Span;
import org.plant4j.UserError;

class VocabularyTest {

    private final Tokenizer tokenizer = new WordTokenizer();
    private final Vocabulary.Builder builder =
            new Vocabulary.Builder().add(tokenizer.tokenize("b a c b")).add(tokenizer.tokenize("dolor a b dolor"));

    @Test
    void givenTokensKeepTheirOrderAndOthersAreUnknown() {
        Vocabulary vocabulary = new Vocabulary.Builder()
                .add(new TokenizedText(List.of("b", "x", "b"), List.of(new Span(0, 1), new Span(2, 3), new Span(4, 5))))
                .build(List.of("[PAD]", "[UNK]", "a", "b"));
        assertThat(vocabulary.size()).isEqualTo(4);
        assertThat(vocabulary.id("b")).isEqualTo(3);
        assertThat(vocabulary.count(2)).isZero();
        assertThat(vocabulary.count(3)).isEqualTo(2);
        assertThat(vocabulary.count(Vocabulary.UNKNOWN)).isEqualTo(1);
        assertThat(vocabulary.id("[UNK]")).isEqualTo(Vocabulary.UNKNOWN);
    }

    @Test
    void tokensAreOrderedByCountThenAlphabetically() {
        Vocabulary vocabulary = builder.build(1, 100);
        assertThat(vocabulary.size()).isEqualTo(6);
        assertThat(vocabulary.token(2)).isEqualTo("b");
        assertThat(vocabulary.token(3)).isEqualTo("a");
        assertThat(vocabulary.token(4)).isEqualTo("dolor");
        assertThat(vocabulary.token(5)).isEqualTo("c");
        assertThat(vocabulary.count(2)).isEqualTo(3);
        assertThat(vocabulary.count(Vocabulary.UNKNOWN)).isZero();
    }

    @Test
    void furtherTokensAreKeptHoweverRareTheyAre() {
        Vocabulary vocabulary = builder.build(2, 100, Set.of("c", "b", "new"));
        assertThat(vocabulary.ids(tokenizer.tokenize("b a dolor c new x"))).containsExactly(2, 3, 4, 5, 6, 1);
        assertThat(vocabulary.count(5)).isEqualTo(1);
        assertThat(vocabulary.count(6)).isZero();
        assertThat(vocabulary.count(Vocabulary.UNKNOWN)).isZero();
        assertThat(builder.build(2, 4, Set.of("c", "new")).size()).isEqualTo(6);
    }

    @Test
    void rareTokensAndTokensBeyondTheLimitAreUnknown() {
        assertThat(builder.build(2, 100).ids(tokenizer.tokenize("c b dolor x"))).containsExactly(1, 2, 4, 1);
        Vocabulary two = builder.build(1, 2);
        assertThat(two.ids(tokenizer.tokenize("c b a dolor"))).containsExactly(1, 2, 3, 1);
        assertThat(two.count(Vocabulary.UNKNOWN)).isEqualTo(3);
    }

    @Test
    void writtenFilesReadBackUnchanged(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("vocabulary.tsv");
        builder.build(2, 100).write(file);
        assertThat(Files.readString(file)).isEqualTo("token\tcount\n<pad>\t0\n<unk>\t1\nb\t3\na\t2\ndolor\t2\n");
        Vocabulary read = Vocabulary.read(file);
        assertThat(read.size()).isEqualTo(5);
        assertThat(read.id("dolor")).isEqualTo(4);
        assertThat(read.id("<pad>")).isEqualTo(Vocabulary.UNKNOWN);
        assertThat(read.count(3)).isEqualTo(2);
    }

    @Test
    void errorsForInvalidFilesNameTheLine(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("vocabulary.tsv");
        assertThatThrownBy(() -> Vocabulary.read(file)).isInstanceOf(UserError.class);
        Files.writeString(file, "code\tdocuments\n");
        assertThatThrownBy(() -> Vocabulary.read(file)).isInstanceOf(UserError.class);
        Files.writeString(file, "token\tcount\n<pad>\t0\n<unk>\tmany\n");
        assertThatThrownBy(() -> Vocabulary.read(file))
                .isInstanceOf(UserError.class)
                .hasMessageContaining(".tsv:3");
        Files.writeString(file, "token\tcount\n<pad>\t0\n<unk>\n");
        assertThatThrownBy(() -> Vocabulary.read(file))
                .isInstanceOf(UserError.class)
                .hasMessageContaining(".tsv:3");
        Files.writeString(file, "token\tcount\n<pad>\t0\n<unk>\t0\na\t1\na\t1\n");
        assertThatThrownBy(() -> Vocabulary.read(file)).isInstanceOf(UserError.class);
    }

    @Test
    void countsBeyondTheCapacityAreMergedFromFilesAndExact() {
        try (Vocabulary.Builder small = new Vocabulary.Builder(2)) {
            small.add(tokenizer.tokenize("a a a b b c")).add("c", 4).add(tokenizer.tokenize("d e b"));
            Vocabulary vocabulary = small.build(2, 100);
            assertThat(vocabulary.size()).isEqualTo(5);
            assertThat(List.of(vocabulary.token(2), vocabulary.token(3), vocabulary.token(4)))
                    .containsExactly("c", "a", "b");
            assertThat(vocabulary.count(2)).isEqualTo(5);
            assertThat(vocabulary.count(4)).isEqualTo(3);
            assertThat(vocabulary.count(Vocabulary.UNKNOWN)).isEqualTo(2);
            assertThat(small.build(List.of("[PAD]", "[UNK]", "d", "x", "b")).count(4))
                    .isEqualTo(3);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void anyPartitionOfTheTextsAndAnyCapacityGiveTheSameFile(long seed, @TempDir Path directory) throws IOException {
        Random random = new Random(seed);
        List<TokenizedText> texts = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            texts.add(tokenizer.tokenize(random.ints(random.nextInt(30), 0, 400)
                    .mapToObj(bound ->
                            "t" + random.nextInt(bound + 1) + (random.nextBoolean() ? "\uff5e" : "\ud835\udc00"))
                    .collect(Collectors.joining(" "))));
        }
        Path whole = directory.resolve("whole.tsv");
        Path parts = directory.resolve("parts.tsv");
        try (Vocabulary.Builder all = new Vocabulary.Builder()) {
            texts.forEach(all::add);
            all.build(2, 50).write(whole);
        }
        Collections.shuffle(texts, random);
        try (Vocabulary.Builder sum = new Vocabulary.Builder(1 + random.nextInt(40))) {
            for (int part = 0; part < 7; part++) {
                try (Vocabulary.Builder some = new Vocabulary.Builder(1 + random.nextInt(40))) {
                    for (int i = part; i < texts.size() && part != 3; i += 7) { // one part is empty
                        some.add(texts.get(i));
                    }
                    some.forEach(sum::add);
                }
            }
            for (int i = 3; i < texts.size(); i += 7) {
                sum.add(texts.get(i));
            }
            sum.build(2, 50).write(parts);
        }
        assertThat(parts).hasSameBinaryContentAs(whole);
    }
}
