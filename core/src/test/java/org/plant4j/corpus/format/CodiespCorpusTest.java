package org.plant4j.corpus.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.Document;
import org.plant4j.UserError;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.corpus.file.TestFiles;
import org.plant4j.corpus.format.CodiespCorpus.CodeKind;
import org.plant4j.corpus.format.CodiespCorpus.Language;

class CodiespCorpusTest {

    private static Path set(Path directory) throws IOException {
        Path set = directory.resolve("train");
        TestFiles.file(set, "trainD.tsv", "S1-1\tn44.8", "S1-1\tr60.9", "S2-1\tz20.818");
        TestFiles.file(set, "trainP.tsv", "S1-1\tbw03zzz", "S1-1\tbn20");
        TestFiles.file(
                set,
                "trainX.tsv",
                "S1-1\tPROCEDIMIENTO\tbw03zzz\tRx tórax\t0 8",
                "S1-1\tDIAGNOSTICO\tn44.8\tteste \"aumentado\"\t9 9;9 14;22 33");
        TestFiles.file(set, "text_files/S1-1.txt", "Rx tórax teste derecho \"aumentado\".");
        TestFiles.file(set, "text_files/S2-1.txt", "Contacto.");
        TestFiles.file(set, "text_files_en/S1-1.txt", "Chest X-ray");
        TestFiles.file(set, "text_files_en/S2-1.txt", "Contact.");
        return set;
    }

    @Test
    void diagnosesAreUpperCaseWithTheirEvidence(@TempDir Path directory) throws IOException {
        List<Document> read = read(set(directory), CodeKind.D, Language.ES);
        assertThat(read).extracting(Document::id).containsExactly("S1-1", "S2-1");
        assertThat(read.get(0).codes()).containsExactly("N44.8", "R60.9");
        assertThat(TestFiles.evidenceTexts(read.get(0))).containsExactly("N44.8=teste| \"aumentado");
    }

    @Test
    void aTextWithoutACodeOfTheKindIsSkipped(@TempDir Path directory) throws IOException {
        List<Document> read = read(set(directory), CodeKind.P, Language.ES);
        assertThat(read).extracting(Document::id).containsExactly("S1-1");
        assertThat(read.get(0).codes()).containsExactly("BN20", "BW03ZZZ");
        assertThat(TestFiles.evidenceTexts(read.get(0))).containsExactly("BW03ZZZ=Rx tórax");
    }

    @Test
    void bothKindsCanBeCombined(@TempDir Path directory) throws IOException {
        List<Document> read = read(set(directory), CodeKind.BOTH, Language.ES);
        assertThat(read.get(0).codes()).containsExactly("BN20", "BW03ZZZ", "N44.8", "R60.9");
        assertThat(read.get(0).evidence()).hasSize(2);
    }

    @Test
    void englishTextsHaveCodesButNoEvidence(@TempDir Path directory) throws IOException {
        List<Document> read = read(set(directory), CodeKind.D, Language.EN);
        assertThat(read.get(0).text()).isEqualTo("Chest X-ray\n");
        assertThat(read.get(0).codes()).hasSize(2);
        assertThat(read.get(0).evidence()).isEmpty();
    }

    @Test
    void theTestSetHasNoCodes(@TempDir Path directory) throws IOException {
        TestFiles.file(directory, "test/text_files/S9-1.txt", "Texto");
        assertThat(read(directory.resolve("test"), CodeKind.P, Language.ES))
                .singleElement()
                .satisfies(document -> assertThat(document.codes()).isEmpty());
    }

    @Test
    void badRowsNameTheirFileAndLine(@TempDir Path directory) throws IOException {
        Path set = set(directory);
        TestFiles.file(set, "trainD.tsv", "S1-1\tn44.8", "S1-1 r60.9");
        assertThatThrownBy(() -> read(set, CodeKind.D, Language.ES))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("trainD.tsv:2");
        TestFiles.file(set, "trainD.tsv", "S1-1\tn44.8");
        TestFiles.file(set, "trainX.tsv", "S1-1\tDIAGNOSTICO\tn44.8\tsecret\t9-14");
        assertThatThrownBy(() -> read(set, CodeKind.D, Language.ES))
                .hasMessageContaining("Invalid offsets")
                .hasMessageContaining("trainX.tsv:1")
                .hasMessageNotContaining("secret");
    }

    private static List<Document> read(Path set, CodeKind kind, Language language) {
        return TestFiles.read(new CodiespCorpus(set, kind, language, BadRowHandler.fail()));
    }
}
