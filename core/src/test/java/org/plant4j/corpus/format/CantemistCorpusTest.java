package org.plant4j.corpus.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.Document;
import org.plant4j.UserError;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.corpus.file.TestFiles;

class CantemistCorpusTest {

    private static final String TEXT = "Mujer con carcinoma ductal.\nM0 al alta.\n";

    private static Path set(Path directory) throws IOException {
        Path set = directory.resolve("train-set");
        TestFiles.file(
                set,
                "cantemist-coding/train-coding.tsv",
                "file\tcode",
                "cc_onco2\t8500/3",
                "cc_onco2\t8000/6/h",
                "cc_onco2\t8500/3",
                "cc_onco1\t8140/34");
        TestFiles.file(set, "cantemist-coding/txt/cc_onco1.txt", "Adenocarcinoma pobremente diferenciado");
        TestFiles.file(set, "cantemist-coding/txt/cc_onco2.txt", StandardCharsets.UTF_8, TEXT);
        TestFiles.file(set, "cantemist-coding/txt/cc_onco853.txt", "Sin tumor.");
        TestFiles.file(
                set,
                "cantemist-norm/cc_onco2.ann",
                "T1\tMORFOLOGIA_NEOPLASIA 10 26\tcarcinoma ductal",
                "#1\tAnnotatorNotes T1\t8500/3",
                "T2\tMORFOLOGIA_NEOPLASIA 28 30\tM0",
                "#2\tAnnotatorNotes T2\t8000/6/H");
        return set;
    }

    @Test
    void duplicateRowsAreMergedAndTextsWithoutCodesAreSkipped(@TempDir Path directory) throws IOException {
        List<Document> read = TestFiles.read(new CantemistCorpus(set(directory), BadRowHandler.fail()));
        assertThat(read).extracting(Document::id).containsExactly("cc_onco1", "cc_onco2");
        assertThat(read.get(0).codes()).containsExactly("8140/34");
        assertThat(read.get(1).codes()).containsExactly("8000/6/H", "8500/3");
        assertThat(read.get(1).text()).isEqualTo(TEXT);
    }

    @Test
    void evidenceComesFromTheAnnotations(@TempDir Path directory) throws IOException {
        List<Document> read = TestFiles.read(new CantemistCorpus(set(directory), BadRowHandler.fail()));
        assertThat(TestFiles.evidenceTexts(read.get(1))).containsExactly("8500/3=carcinoma ductal", "8000/6/H=M0");
    }

    @Test
    void lineEndsChangedByACheckoutDoNotShiftTheEvidence(@TempDir Path directory) throws IOException {
        Path set = set(directory);
        TestFiles.file(set, "cantemist-coding/txt/cc_onco2.txt", StandardCharsets.UTF_8, TEXT.replace("\n", "\r\n"));
        List<Document> read = TestFiles.read(new CantemistCorpus(set, BadRowHandler.fail()));
        assertThat(TestFiles.evidenceTexts(read.get(1))).containsExactly("8500/3=carcinoma ductal", "8000/6/H=M0");
    }

    @Test
    void testAndBackgroundSetsHaveNoCodes(@TempDir Path directory) throws IOException {
        TestFiles.file(directory, "test-set/cantemist-norm/cc_onco7.txt", "Texto");
        TestFiles.file(directory, "background-set/S1.txt", "Texto");
        for (String set : List.of("test-set", "background-set")) {
            List<Document> read = TestFiles.read(new CantemistCorpus(directory.resolve(set), BadRowHandler.fail()));
            assertThat(read).hasSize(1);
            assertThat(read.get(0).codes()).isEmpty();
        }
    }

    @Test
    void badRowsNameTheirFileAndLine(@TempDir Path directory) throws IOException {
        Path set = set(directory);
        TestFiles.file(
                set, "cantemist-coding/train-coding.tsv", "file\tcode", "cc_onco1\t8140/3", "cc_onco9\t8000/3", "x");
        assertThatThrownBy(() -> TestFiles.read(new CantemistCorpus(set, BadRowHandler.fail())))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("No text for document 'cc_onco9'")
                .hasMessageContaining("train-coding.tsv:3");
        BadRowHandler badRows = BadRowHandler.skip();
        assertThat(TestFiles.ids(new CantemistCorpus(set, badRows))).containsExactly("cc_onco1");
        assertThat(badRows.skipped()).isEqualTo(2);
    }

    @Test
    void anAnnotationOutsideTheTextIsABadRow(@TempDir Path directory) throws IOException {
        Path set = set(directory);
        TestFiles.file(set, "cantemist-norm/cc_onco2.ann", "T1\tM 10 260\tcarcinoma", "#1\tAnnotatorNotes T1\t8500/3");
        assertThatThrownBy(() -> TestFiles.read(new CantemistCorpus(set, BadRowHandler.fail())))
                .hasMessageContaining("outside the text")
                .hasMessageContaining("cc_onco2.ann:1")
                .hasMessageNotContaining("carcinoma");
    }

    @Test
    void aTextInAnotherEncodingIsABadRowWithItsLine(@TempDir Path directory) throws IOException {
        Path set = set(directory);
        TestFiles.file(set, "cantemist-coding/txt/cc_onco1.txt", StandardCharsets.ISO_8859_1, "uno\ntórax\n");
        assertThatThrownBy(() -> TestFiles.read(new CantemistCorpus(set, BadRowHandler.fail())))
                .hasMessageContaining("Not valid UTF-8")
                .hasMessageContaining("cc_onco1.txt:2");
        assertThat(TestFiles.ids(new CantemistCorpus(set, BadRowHandler.skip())))
                .containsExactly("cc_onco2");
    }

    @Test
    void theErrorForADirectoryWithoutTextsSuggestsARemedy(@TempDir Path directory) throws IOException {
        Files.createDirectories(directory.resolve("train-set"));
        assertThatThrownBy(() -> TestFiles.read(new CantemistCorpus(directory, BadRowHandler.fail())))
                .hasMessageContaining("name the directory of one set");
    }
}
