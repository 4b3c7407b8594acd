package org.plant4j.encoder.importer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.UserError;
import org.plant4j.text.SubwordTokenizer;

class TokenizerConverterTest {

    @TempDir
    Path directory;

    private TokenizerFile open() {
        return TokenizerConverter.open(new ModelArchive(directory, Optional.empty(), false));
    }

    private List<String> tokenize(String text) {
        Path file = directory.resolve("written.json");
        open().write(file);
        try (SubwordTokenizer tokenizer = SubwordTokenizer.open(file)) {
            return tokenizer.tokenize(text).tokens();
        }
    }

    @Test
    void aVocabularyBecomesWordPiece() throws IOException {
        TinyBert.vocabulary(directory, false);
        assertThat(tokenize("fiebres, [MASK] tos")).containsExactly("fiebre", "##s", "[UNK]", "[MASK]", "tos");
        assertThat(tokenize("Tos")).containsExactly("[UNK]");
    }

    @Test
    void anUncasedModelLowercases() throws IOException {
        TinyBert.vocabulary(directory, true);
        assertThat(tokenize("TÓS")).containsExactly("tos");
    }

    @Test
    void theCaseOfTheModelMustBeKnown() throws IOException {
        TinyBert.vocabulary(directory, true);
        Files.delete(directory.resolve("tokenizer_config.json"));
        assertThatThrownBy(this::open).isInstanceOf(UserError.class).hasMessageContaining("lower case");
    }

    private void sentencePieces(int modelType) throws IOException {
        ProtoBytes model = new ProtoBytes();
        List.of("<unk>", "<s>", "</s>", "\u2581fie", "bre", "\u2581", "tos", "\u2581fiebre")
                .forEach(piece -> model.message(
                        1, new ProtoBytes().text(1, piece).fixed32(2, piece.equals("\u2581fiebre") ? -9f : -2f)));
        model.message(2, new ProtoBytes().number(3, modelType));
        Files.write(directory.resolve("sentencepiece.bpe.model"), model.toBytes());
    }

    @Test
    void aSentencePieceModelBecomesUnigramWithXlmRobertasIds() throws IOException {
        sentencePieces(1);
        TokenizerFile made = open();
        assertThat(made.tokens())
                .containsExactly(
                        "<s>", "<pad>", "</s>", "<unk>", "\u2581fie", "bre", "\u2581", "tos", "\u2581fiebre", "<mask>");
        assertThat(made.specialTokens()).isEqualTo(TokenizerFile.SpecialTokens.ROBERTA);
        // −2 − 2 is more likely than −9.
        assertThat(tokenize("fiebre  tos")).containsExactly("\u2581fie", "bre", "\u2581", "tos");
    }

    @Test
    void otherSentencePieceModelsAreRejected() throws IOException {
        sentencePieces(2);
        assertThatThrownBy(this::open).isInstanceOf(UserError.class).hasMessageContaining("unigram");
    }

    @Test
    void bytePairsAreMergedInOrder() throws IOException {
        Files.writeString(
                directory.resolve("vocab.json"),
                "{\"<s>\":0,\"<pad>\":1,\"</s>\":2,\"<unk>\":3,\"t\":4,\"o\":5,\"s\":6,\"to\":7,\"tos\":8,\"\u0120\":9,\"\u0120tos\":10,\"<mask>\":11}");
        Files.writeString(directory.resolve("merges.txt"), "#version: 0.2\nt o\nto s\n\u0120 tos\n");
        assertThat(tokenize("tos tos")).containsExactly("tos", "\u0120tos");
    }

    @Test
    void aTokenizerFileIsUsedWithoutTruncation() throws IOException {
        org.plant4j.text.TestWordPieces.write(
                directory.resolve("x-tokenizer.json"), org.plant4j.text.TestWordPieces.with(List.of("tos")));
        assertThat(open().tokenizer().get("truncation").isNull()).isTrue();
        assertThat(tokenize("tos tos tos tos tos tos")).hasSize(6);
    }

    @Test
    void aMissingTokenizerIsReportedWithTheSupportedFiles() {
        assertThatThrownBy(this::open).isInstanceOf(UserError.class).hasMessageContaining("sentencepiece.bpe.model");
    }

    @Test
    void unsupportedTokenizersAreRejected() throws IOException {
        Files.writeString(directory.resolve("tokenizer.json"), "{\"model\":{\"vocab\":{\"a\":0}}}");
        assertThatThrownBy(this::open).isInstanceOf(UserError.class).hasMessageContaining("[MASK]");
        Files.writeString(directory.resolve("tokenizer.json"), "{");
        assertThatThrownBy(this::open).isInstanceOf(UserError.class).hasMessageContaining("not JSON");
    }
}
