package org.plant4j.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.Span;
import org.plant4j.UserError;

class SubwordTokenizerTest {

    /** The last token is "café" with a combining accent. */
    private static final List<String> TOKENS = TestWordPieces.with(
            List.of("neo", "##plas", "##ia", "de", "pulmón", "con", "fie", "##bre", ".", "cafe\u0301", "𝒳", "-"));

    @TempDir
    Path directory;

    private SubwordTokenizer open() {
        return SubwordTokenizer.open(TestWordPieces.write(directory.resolve("tokenizer.json"), TOKENS));
    }

    private static List<String> pointedAt(String text, TokenizedText tokens) {
        return tokens.spans().stream()
                .map(span -> text.substring(span.start(), span.end()))
                .toList();
    }

    @Test
    void wordsAreSplitIntoSubwordsWithoutSpecialTokensOrTruncation() {
        try (SubwordTokenizer tokenizer = open()) {
            TokenizedText tokens = tokenizer.tokenize("neoplasia de pulmón con fiebre.");
            assertThat(tokens.tokens())
                    .containsExactly("neo", "##plas", "##ia", "de", "pulmón", "con", "fie", "##bre", ".");
            assertThat(tokens.spans())
                    .startsWith(new Span(0, 3), new Span(3, 7), new Span(7, 9), new Span(10, 12), new Span(13, 19));
        }
    }

    @Test
    void spansAreUtf16OffsetsAfterEmojiCombiningAccentsAndNewlines() {
        String text = "👩‍⚕️ fiebre\r\n\n\tcafe\u0301 𝒳-neo\u00a0😀de";
        try (SubwordTokenizer tokenizer = open()) {
            TokenizedText tokens = tokenizer.tokenize(text);
            assertThat(pointedAt(text, tokens)).endsWith("cafe\u0301", "𝒳", "-", "neo", "😀de");
            assertThat(tokens.tokens()).endsWith("cafe\u0301", "𝒳", "-", "neo", "[UNK]");
            int fever = tokens.tokens().indexOf("fie");
            assertThat(pointedAt(text, tokens).subList(fever, fever + 2)).containsExactly("fie", "bre");
        }
    }

    @Test
    void aDocumentOfManyThousandTokensIsNotTruncated() {
        String text = "fiebre 😀 ".repeat(20_000);
        try (SubwordTokenizer tokenizer = open()) {
            TokenizedText tokens = tokenizer.tokenize(text);
            assertThat(tokens.size()).isEqualTo(60_000);
            assertThat(tokens.spans().get(59_998)).isEqualTo(new Span(text.length() - 7, text.length() - 4));
        }
    }

    @Test
    void anEmptyTextHasNoTokens() {
        try (SubwordTokenizer tokenizer = open()) {
            assertThat(tokenizer.tokenize("").size()).isZero();
            assertThat(tokenizer.tokenize(" \n ").size()).isZero();
        }
    }

    @Test
    void subwordsContinueAWordAndPunctuationDoesNot() {
        try (SubwordTokenizer tokenizer = open()) {
            TokenizedText tokens = tokenizer.tokenize("neoplasia de fiebre. neo-neo");
            assertThat(IntStream.range(0, tokens.size()).filter(tokens::continuesWord))
                    .containsExactly(1, 2, 5);
        }
    }

    @Test
    void concurrentCallsReturnTheSameTokens() {
        String text = "neoplasia de pulmón con fiebre. 😀 cafe\u0301 ".repeat(20);
        try (SubwordTokenizer tokenizer = open()) {
            TokenizedText one = tokenizer.tokenize(text);
            assertThat(IntStream.range(0, 200).parallel().mapToObj(i -> tokenizer.tokenize(text)))
                    .allMatch(one::equals);
        }
    }

    @Test
    void anInvalidTokenizerFileIsAUserErrorWithARemedy() throws IOException {
        Path broken = Files.writeString(directory.resolve("broken.json"), "{\"version\": \"1.0\"}");
        UserError error = catchThrowableOfType(UserError.class, () -> SubwordTokenizer.open(broken));
        assertThat(error.what()).startsWith("Cannot read the tokenizer");
        assertThat(error.where()).isEqualTo(broken.toString());
        assertThat(error.remedy()).contains("plant encoder import");
        assertThat(catchThrowableOfType(UserError.class, () -> SubwordTokenizer.open(directory.resolve("none.json")))
                        .what())
                .isEqualTo("The tokenizer file does not exist");
    }
}
