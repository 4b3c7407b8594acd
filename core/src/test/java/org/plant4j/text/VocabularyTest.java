package org.plant4j.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.corpus.Span;
import org.plant4j.support.UserError;

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
    void countingDropsTheRarestTokensWhenFullAndBoundsTheError() {
        Vocabulary.Builder small =
                new Vocabulary.Builder(4).add(tokenizer.tokenize("a a a b b c")).add(tokenizer.tokenize("d"));
        assertThat(small.error()).isZero();
        small.add(
                tokenizer.tokenize("e")); // five tokens: c, d and e are dropped, a and b fit into half of the capacity
        assertThat(small.error()).isEqualTo(1);
        Vocabulary vocabulary = small.build(1, 100);
        assertThat(vocabulary.size()).isEqualTo(4);
        assertThat(vocabulary.token(2)).isEqualTo("a");
        assertThat(vocabulary.count(Vocabulary.UNKNOWN)).isEqualTo(3);
    }
}
