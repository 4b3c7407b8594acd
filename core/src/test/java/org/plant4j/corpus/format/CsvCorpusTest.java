package org.plant4j.corpus.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.Document;
import org.plant4j.UserError;
import org.plant4j.corpus.Corpus;
import org.plant4j.corpus.codeset.CodeSystem;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.corpus.file.TestFiles;

class CsvCorpusTest {

    @Test
    void quotedTextMayContainLineBreaksQuotesAndCommas(@TempDir Path directory) throws IOException {
        Path file = TestFiles.file(
                directory, "a.csv", "id,text,codes", "1,\"First line,\n\"\"second\"\" line\",I10; E11.9 ;I10");
        assertThat(TestFiles.read(corpus(file)))
                .containsExactly(new Document("1", "First line,\n\"second\" line", Set.of("E11.9", "I10")));
    }

    @Test
    void gzipCrlfByteOrderMarkAndOtherColumnsAreRead(@TempDir Path directory) throws IOException {
        String content = "\uFEFFCodes,ID,note_date,Text\r\nI10,1,2020,\"una\r\nniña 😀\"\r\n";
        Path file = TestFiles.file(directory, "a.csv.gz", StandardCharsets.UTF_8, content);
        assertThat(TestFiles.read(corpus(file))).containsExactly(new Document("1", "una\r\nniña 😀", Set.of("I10")));
    }

    @Test
    void aQuotedColumnAfterTheByteOrderMarkIsRead(@TempDir Path directory) throws IOException {
        String content = "\uFEFF\"id\",\"text\",\"codes\"\n\"1\",\"one\",\"I10\"\n";
        Path file = TestFiles.file(directory, "a.csv", StandardCharsets.UTF_8, content);
        assertThat(TestFiles.read(corpus(file))).containsExactly(new Document("1", "one", Set.of("I10")));
    }

    @Test
    void everyPassReadsTheFileAgain(@TempDir Path directory) throws IOException {
        Corpus corpus = corpus(TestFiles.file(directory, "a.csv", "id,text,codes", "1,one,A", "2,two,B"));
        try (Stream<Document> half = corpus.documents()) {
            assertThat(half.findFirst()).isPresent();
        }
        assertThat(TestFiles.ids(corpus)).containsExactly("1", "2").isEqualTo(TestFiles.ids(corpus));
    }

    @Test
    void theErrorForAMissingColumnNamesTheClosestOne(@TempDir Path directory) throws IOException {
        Path file = TestFiles.file(directory, "a.csv", "id,text,code", "1,one,A");
        assertThatThrownBy(() -> TestFiles.read(corpus(file)))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("Column 'codes' is missing; found: id, text, code")
                .hasMessageContaining("a.csv:1")
                .hasMessageContaining("rename 'code' to 'codes'");
    }

    @Test
    void theErrorForAMissingHeaderDoesNotQuoteTheDocument(@TempDir Path directory) throws IOException {
        Path file = TestFiles.file(directory, "a.csv", "1,A secret,I10");
        assertThatThrownBy(() -> TestFiles.read(corpus(file)))
                .hasMessageContaining("The first row is not a header: it has none of the columns text, codes")
                .hasMessageNotContaining("secret");
    }

    @Test
    void aBadRowThrowsAnErrorWithFileAndLine(@TempDir Path directory) throws IOException {
        Path file =
                TestFiles.file(directory, "a.csv", "id,text,codes", "1,\"one\ntwo\",A", "2,secret words", "3,three,C");
        assertThatThrownBy(() -> TestFiles.read(corpus(file)))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("2 fields, the header has 3")
                .hasMessageContaining("a.csv:4")
                .hasMessageNotContaining("secret");
    }

    @Test
    void skippedRowsAreCountedAndTheRestIsRead(@TempDir Path directory) throws IOException {
        Path file = TestFiles.file(
                directory, "a.csv", "id,text,codes", "1,one,A", "2,two", ",three,C", "4, ,D", "5,five, ;", "6,six,F");
        BadRowHandler badRows = BadRowHandler.skip();
        assertThat(TestFiles.ids(new CsvCorpus(file, CodeField.REQUIRED, badRows)))
                .containsExactly("1", "6");
        assertThat(badRows.skipped()).isEqualTo(4);
        assertThat(badRows.first().orElseThrow().where()).endsWith("a.csv:3");
    }

    @Test
    void aRowInAnotherEncodingIsABadRowWithItsLine(@TempDir Path directory) throws IOException {
        String content = "id,text,codes\n1,one,A\n2,tórax,B\n3,three,C\n";
        Path file = TestFiles.file(directory, "a.csv", StandardCharsets.ISO_8859_1, content);
        assertThatThrownBy(() -> TestFiles.read(corpus(file)))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("Not valid UTF-8")
                .hasMessageContaining("a.csv:3");
        assertThat(TestFiles.ids(new CsvCorpus(file, CodeField.REQUIRED, BadRowHandler.skip())))
                .containsExactly("1", "3");
    }

    @Test
    void twoColumnsOfOneNameAreAnError(@TempDir Path directory) throws IOException {
        Path file = TestFiles.file(directory, "a.csv", "id,text,codes,Codes", "1,one,A,B");
        assertThatThrownBy(() -> TestFiles.read(corpus(file)))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("Two columns have the name 'Codes'")
                .hasMessageContaining("a.csv:1");
        Path unnamed = TestFiles.file(directory, "b.csv", "id,text,codes,,", "1,one,A,,");
        assertThat(TestFiles.ids(corpus(unnamed))).containsExactly("1");
    }

    @Test
    void aMisspeltOptionalColumnIsAnError(@TempDir Path directory) throws IOException {
        Path file = TestFiles.file(directory, "a.csv", "id,text,code", "1,one,A");
        assertThatThrownBy(() -> TestFiles.read(new CsvCorpus(file, CodeField.OPTIONAL, BadRowHandler.fail())))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("rename 'code' to 'codes'");
    }

    @Test
    void aSecondDocumentWithTheSameIdIsABadRow(@TempDir Path directory) throws IOException {
        Path file = TestFiles.file(directory, "a.csv", "id,text,codes", "1,one,A", " 1 ,two,B", "3,three,C");
        assertThatThrownBy(() -> TestFiles.read(corpus(file)))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("has the id '1'")
                .hasMessageContaining("a.csv:3");
        BadRowHandler badRows = BadRowHandler.skip();
        Corpus skipping = new CsvCorpus(file, CodeField.REQUIRED, badRows);
        assertThat(TestFiles.ids(skipping)).containsExactly("1", "3").isEqualTo(TestFiles.ids(skipping));
        assertThat(badRows.skipped()).isEqualTo(1);
    }

    @Test
    void aRowWithBinaryDataIsABadRow(@TempDir Path directory) throws IOException {
        Path file = TestFiles.file(directory, "a.csv", "id,text,codes", "1,on\0e,A", "2,two,B");
        assertThatThrownBy(() -> TestFiles.read(corpus(file)))
                .hasMessageContaining("binary data")
                .hasMessageContaining("a.csv:2");
    }

    @Test
    void textAfterAClosingQuoteIsAnError(@TempDir Path directory) throws IOException {
        Path file = TestFiles.file(directory, "a.csv", "id,text,codes", "1,\"one\"two,A");
        assertThatThrownBy(() -> TestFiles.read(corpus(file)))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("cannot be parsed");
    }

    @Test
    void aUtf16FileIsDetectedAtItsHeader(@TempDir Path directory) throws IOException {
        Path file = TestFiles.file(directory, "a.csv", StandardCharsets.UTF_16, "id,text,codes\n1,one,A\n");
        assertThatThrownBy(() -> TestFiles.read(corpus(file)))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("Not valid UTF-8")
                .hasMessageContaining("a.csv:1");
    }

    @Test
    void errorsForAnEmptyFileAndABrokenGzipNameTheFile(@TempDir Path directory) throws IOException {
        Path empty = TestFiles.bytes(directory, "empty.csv", new byte[0]);
        assertThatThrownBy(() -> TestFiles.read(corpus(empty))).hasMessageContaining("The file is empty");
        Path whole = TestFiles.file(directory, "whole.csv.gz", "id,text,codes", "1," + "long ".repeat(5000) + ",A");
        byte[] packed = Files.readAllBytes(whole);
        Path cut = directory.resolve("cut.csv.gz");
        Files.write(cut, Arrays.copyOf(packed, packed.length - 20));
        assertThatThrownBy(() -> TestFiles.read(corpus(cut)))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("cut.csv.gz")
                .hasMessageContaining("gzip");
        assertThatThrownBy(() -> TestFiles.read(corpus(directory.resolve("none.csv"))))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("none.csv");
    }

    @Test
    void anUnclosedQuoteIsAnErrorEvenIfBadRowsAreSkipped(@TempDir Path directory) throws IOException {
        Path file = TestFiles.file(directory, "a.csv", "id,text,codes", "1,one,A", "2,\"two,B", "3,three,C");
        assertThatThrownBy(() -> TestFiles.read(new CsvCorpus(file, CodeField.REQUIRED, BadRowHandler.skip())))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("double quote");
    }

    @Test
    void documentsWithoutCodesAreReadIfCodesAreOptional(@TempDir Path directory) throws IOException {
        Path file = TestFiles.file(directory, "a.csv", "id,text", "1,one");
        assertThat(TestFiles.read(new CsvCorpus(file, CodeField.OPTIONAL, BadRowHandler.fail())))
                .containsExactly(new Document("1", "one", Set.of()));
    }

    @Test
    void codesAreNormalizedToTheirSystem(@TempDir Path directory) throws IOException {
        Path file = TestFiles.file(directory, "a.csv", "id,text,codes", "1,one,e119;i10");
        CodeField icd = new CodeField(Optional.of(CodeSystem.ICD_10_CM), true);
        assertThat(TestFiles.read(new CsvCorpus(file, icd, BadRowHandler.fail()))
                        .get(0)
                        .codes())
                .containsExactly("E11.9", "I10");
    }

    private static Corpus corpus(Path file) {
        return new CsvCorpus(file, CodeField.REQUIRED, BadRowHandler.fail());
    }
}
