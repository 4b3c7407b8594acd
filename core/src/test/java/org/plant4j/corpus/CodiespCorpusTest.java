package org.plant4j.corpus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.UserError;
import org.plant4j.corpus.CodiespCorpus.Kind;
import org.plant4j.corpus.CodiespCorpus.Language;

class CodiespCorpusTest {

    private static Path set(Path folder) throws IOException {
        Path set = folder.resolve("train");
        Written.file(set, "trainD.tsv", "S1-1\tn44.8", "S1-1\tr60.9", "S2-1\tz20.818");
        Written.file(set, "trainP.tsv", "S1-1\tbw03zzz", "S1-1\tbn20");
        Written.file(
                set,
                "trainX.tsv",
                "S1-1\tPROCEDIMIENTO\tbw03zzz\tRx tórax\t0 8",
                "S1-1\tDIAGNOSTICO\tn44.8\tteste \"aumentado\"\t9 9;9 14;22 33");
        Written.file(set, "text_files/S1-1.txt", "Rx tórax teste derecho \"aumentado\".");
        Written.file(set, "text_files/S2-1.txt", "Contacto.");
        Written.file(set, "text_files_en/S1-1.txt", "Chest X-ray");
        Written.file(set, "text_files_en/S2-1.txt", "Contact.");
        return set;
    }

    @Test
    void diagnosesAreUpperCaseWithTheirEvidence(@TempDir Path folder) throws IOException {
        List<Document> read = read(set(folder), Kind.D, Language.ES);
        assertThat(read).extracting(Document::id).containsExactly("S1-1", "S2-1");
        assertThat(read.get(0).codes()).containsExactly("N44.8", "R60.9");
        assertThat(Written.marked(read.get(0))).containsExactly("N44.8=teste| \"aumentado");
    }

    @Test
    void aTextWithoutACodeOfTheKindIsLeftOut(@TempDir Path folder) throws IOException {
        List<Document> read = read(set(folder), Kind.P, Language.ES);
        assertThat(read).extracting(Document::id).containsExactly("S1-1");
        assertThat(read.get(0).codes()).containsExactly("BN20", "BW03ZZZ");
        assertThat(Written.marked(read.get(0))).containsExactly("BW03ZZZ=Rx tórax");
    }

    @Test
    void bothKindsTogether(@TempDir Path folder) throws IOException {
        List<Document> read = read(set(folder), Kind.BOTH, Language.ES);
        assertThat(read.get(0).codes()).containsExactly("BN20", "BW03ZZZ", "N44.8", "R60.9");
        assertThat(read.get(0).evidence()).hasSize(2);
    }

    @Test
    void englishTextsHaveCodesButNoEvidence(@TempDir Path folder) throws IOException {
        List<Document> read = read(set(folder), Kind.D, Language.EN);
        assertThat(read.get(0).text()).isEqualTo("Chest X-ray\n");
        assertThat(read.get(0).codes()).hasSize(2);
        assertThat(read.get(0).evidence()).isEmpty();
    }

    @Test
    void theTestSetStreamsWithoutCodes(@TempDir Path folder) throws IOException {
        Written.file(folder, "test/text_files/S9-1.txt", "Texto");
        assertThat(read(folder.resolve("test"), Kind.P, Language.ES))
                .singleElement()
                .satisfies(document -> assertThat(document.codes()).isEmpty());
    }

    @Test
    void badRowsNameTheirFileAndLine(@TempDir Path folder) throws IOException {
        Path set = set(folder);
        Written.file(set, "trainD.tsv", "S1-1\tn44.8", "S1-1 r60.9");
        assertThatThrownBy(() -> read(set, Kind.D, Language.ES))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("trainD.tsv:2");
        Written.file(set, "trainD.tsv", "S1-1\tn44.8");
        Written.file(set, "trainX.tsv", "S1-1\tDIAGNOSTICO\tn44.8\tsecret\t9-14");
        assertThatThrownBy(() -> read(set, Kind.D, Language.ES))
                .hasMessageContaining("Offsets cannot be read")
                .hasMessageContaining("trainX.tsv:1")
                .hasMessageNotContaining("secret");
    }

    private static List<Document> read(Path set, Kind kind, Language language) {
        return Written.read(new CodiespCorpus(set, kind, language, BadRows.fail()));
    }
}
