package org.plant4j.corpus.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.plant4j.Document;
import org.plant4j.GoldEvidence;
import org.plant4j.Span;
import org.plant4j.UserError;
import org.plant4j.corpus.Corpus;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.corpus.file.TestFiles;

class JsonLinesCorpusTest {

    @Test
    void codesAndEvidenceAreRead(@TempDir Path directory) throws IOException {
        Path file = TestFiles.file(
                directory,
                "a.jsonl.gz",
                "{\"id\": 7, \"text\": \"😀 dolor torácico\", \"codes\": [\"R07.9\"], \"evidence\":"
                        + " [{\"code\": \"R07.9\", \"spans\": [[3, 8], [9, 17]]}]}",
                "",
                "{\"id\": \"b\", \"text\": \"x\", \"codes\": [\"I10\", \"E11\"], \"evidence\": null, \"more\": {}}");
        List<Document> read = TestFiles.read(corpus(file));
        assertThat(read).extracting(Document::id).containsExactly("7", "b");
        assertThat(TestFiles.evidenceTexts(read.get(0))).containsExactly("R07.9=dolor|torácico");
        assertThat(read.get(1).codes()).containsExactly("E11", "I10");
        assertThat(read.get(1).evidence()).isEmpty();
    }

    @Test
    void aWrittenDocumentReadsBackUnchanged(@TempDir Path directory) throws IOException {
        Document document = new Document(
                "7",
                "😀 \"dolor\"\ntorácico",
                Set.of("R07.9", "I10"),
                List.of(new GoldEvidence("R07.9", List.of(new Span(4, 9), new Span(11, 19)))));
        Path file = TestFiles.file(directory, "a.jsonl", JsonLinesCorpus.toJson(document));
        assertThat(TestFiles.read(corpus(file))).containsExactly(document);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"id\": \"secret\", | Not valid JSON",
                "{\"id\": secret} | Not valid JSON at column",
                "[1, 2] | Not a JSON object",
                "{\"id\": \"1\", \"codes\": [\"A\"]} | \"text\" is missing or empty; found: [id, codes]",
                "{\"id\": \"1\", \"txt\": \"secret\", \"codes\": [\"A\"]} | rename \"txt\" to \"text\"",
                "{\"id\": \"1\", \"text\": \"secret\", \"code\": [\"A\"]} | rename \"code\" to \"codes\"",
                "{\"id\": \"1\", \"text\": \"secret\", \"codes\": \"A\"} | \"codes\" is not an array",
                "{\"id\": \"1\", \"text\": \"secret\", \"codes\": []} | no codes",
                "{\"id\": \"1\", \"text\": \"secret\", \"codes\": [\"A\"], \"evidence\": [{\"code\": \"A\", \"spans\":"
                        + " [[0, 7]]}]} | A span is outside the text, which has 6 characters",
                "{\"id\": \"1\", \"text\": \"secret\", \"codes\": [\"A\"], \"evidence\": [{\"code\": \"B\", \"spans\":"
                        + " [[0, 6]]}]} | Evidence for 'B', which is not among the codes",
                "{\"id\": 1.5, \"text\": \"secret\", \"codes\": [\"A\"]} | \"id\" is not a string",
                "{\"id\": \"a\\tb\", \"text\": \"secret\", \"codes\": [\"A\"]} | The id contains a tab",
                "{\"id\": \"0\", \"text\": \"secret\", \"codes\": [\"A\"]} | has the id '0'",
                "{\"id\": \"1\", \"text\": 5, \"codes\": [\"A\"]} | \"text\" is not a string",
                "{\"id\": \"1\", \"text\": [\"secret\"], \"codes\": [\"A\"]} | \"text\" is not a string",
                "{\"id\": \"1\", \"text\": null, \"codes\": [\"A\"]} | \"text\" is missing",
                "{\"id\": \"1\", \"text\": \"secret \\ud83d\", \"codes\": [\"A\"]} | half of a surrogate pair",
                "{\"id\": \"1\", \"text\": \"secret\", \"codes\": [{\"code\": \"I10\"}]} | A code is not a string",
                "{\"id\": \"1\", \"text\": \"secret\", \"codes\": [[\"I10\"]]} | A code is not a string",
                "{\"id\": \"1\", \"text\": \"secret\", \"codes\": [\"A\", null]} | A code is not a string",
                "{\"id\": \"1\", \"text\": \"secret\", \"codes\": [250.00]} | A code is not a string",
                "{\"id\": \"1\", \"text\": \"secret\", \"codes\": [\"A\", \" \"]} | A code is not a string, or is empty",
                "{\"id\": \"1\", \"text\": \"secret\", \"codes\": [\"A\\nB\"]} | A code contains a tab, a line break",
                "{\"id\": \"1\", \"text\": \"secret\", \"text\": \"x\", \"codes\": [\"A\"]} | A field occurs twice",
                "{\"id\": \"1\", \"text\": \"secret\", \"codes\": [\"A\"], \"evidnce\": []} | rename \"evidnce\" to \"evidence\"",
                "{\"id\": \"1\", \"text\": \"secret\", \"codes\": [\"A\"], \"evidence\": [7]} | Evidence is not an object",
                "{\"id\": \"1\", \"text\": \"secret\", \"codes\": [\"A\"], \"evidence\": [{\"code\": \"A\", \"code\": \"A\"}]}"
                        + " | A field occurs twice",
                "{\"id\": \"1\", \"text\": \"secret\", \"codes\": [\"A\"], \"evidence\": [{\"code\": \"A\", \"spans\":"
                        + " []}]} | has no spans"
            })
    void theErrorForABadLineNamesItsNumberAndDoesNotQuoteIt(String line, String expected, @TempDir Path directory)
            throws IOException {
        Path file = TestFiles.file(directory, "a.jsonl", "{\"id\": \"0\", \"text\": \"x\", \"codes\": [\"A\"]}", line);
        assertThatThrownBy(() -> TestFiles.read(corpus(file)))
                .isInstanceOf(UserError.class)
                .hasNoCause()
                .hasMessageContaining(expected)
                .hasMessageContaining("a.jsonl:2")
                .hasMessageNotContaining("secret");
        BadRowHandler badRows = BadRowHandler.skip();
        assertThat(TestFiles.ids(new JsonLinesCorpus(file, CodeField.REQUIRED, badRows)))
                .containsExactly("0");
        assertThat(badRows.skipped()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[4294967297, 4294967299] | outside the text, which has 6 characters",
                "[1, 99999999999999999999] | outside the text",
                "[-1, 2] | outside the text",
                "[0, 1.5] | not a pair of integers",
                "[0.0, 2] | not a pair of integers",
                "[\"0\", 2] | not a pair of integers",
                "[null, 2] | not a pair of integers",
                "[0, 1, 2] | not a pair of integers",
                "{\"start\": 0} | not a pair of integers",
                "[3, 2] | ends before it starts, or is empty",
                "[2, 2] | ends before it starts, or is empty",
                "[0, 3] | within a character",
                "[3, 6] | within a character"
            })
    void spansAreCheckedIntegersThatCutNoCharacter(String span, String expected, @TempDir Path directory)
            throws IOException {
        Path file = TestFiles.file(
                directory,
                "a.jsonl",
                "{\"id\": \"1\", \"text\": \"ab😀cd\", \"codes\": [\"A\"], \"evidence\": [{\"code\": \"A\", \"spans\": ["
                        + span + "]}]}");
        assertThatThrownBy(() -> TestFiles.read(corpus(file)))
                .isInstanceOf(UserError.class)
                .hasMessageContaining(expected)
                .hasMessageContaining("a.jsonl:1");
    }

    @Test
    void aDocumentThatIsTooLongIsABadRow(@TempDir Path directory) throws IOException {
        String longest = "x".repeat(Document.MAX_CHARACTERS);
        Path file = TestFiles.file(
                directory,
                "a.jsonl",
                "{\"id\": \"1\", \"codes\": [\"A\"], \"text\": \"" + longest + "\"}",
                "{\"id\": \"2\", \"codes\": [\"A\"], \"text\": \"" + longest + "x\"}");
        assertThatThrownBy(() -> TestFiles.read(corpus(file)))
                .hasMessageContaining("more than 1,000,000 characters")
                .hasMessageContaining("a.jsonl:2");
    }

    @Test
    void namesOfFieldsThatMayBeDocumentTextAreNotQuoted(@TempDir Path directory) throws IOException {
        Path file = TestFiles.file(directory, "a.jsonl", "{\"the secret text\": 1, \"id\": \"1\"}");
        assertThatThrownBy(() -> TestFiles.read(corpus(file)))
                .hasMessageContaining("found: […, id]")
                .hasMessageNotContaining("secret");
    }

    @Test
    void aLineInAnotherEncodingIsABadRow(@TempDir Path directory) throws IOException {
        String content = "{\"id\": \"0\", \"text\": \"x\", \"codes\": [\"A\"]}\r\n{\"id\": \"1\", \"text\": \"ñ\"}\r\n";
        Path file = TestFiles.file(directory, "a.jsonl", StandardCharsets.ISO_8859_1, content);
        assertThatThrownBy(() -> TestFiles.read(corpus(file)))
                .hasMessageContaining("Not valid UTF-8")
                .hasMessageContaining("a.jsonl:2");
    }

    private static Corpus corpus(Path file) {
        return new JsonLinesCorpus(file, CodeField.REQUIRED, BadRowHandler.fail());
    }
}
