package org.plant4j.corpus.codeset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.UserError;

class SynonymsTest {

    /** Made up, in the form of the tabular list. */
    private static final String TABULAR = """
            <?xml version="1.0" encoding="utf-8"?>
            <ICD10CM.tabular>
              <chapter>
                <name>1</name>
                <includes><note>everything</note></includes>
                <section id="X10-X19">
                  <diag>
                    <name>X10</name>
                    <desc>Cold feet</desc>
                    <inclusionTerm>
                      <note>Chilly   toes &amp; soles</note>
                    </inclusionTerm>
                    <excludes1><note>warm feet (X11)</note></excludes1>
                    <diag>
                      <name>X10.1</name>
                      <desc>Cold left foot</desc>
                      <inclusionTerm>
                        <note>Frost of the left foot</note>
                        <note>Left ice foot</note>
                      </inclusionTerm>
                    </diag>
                    <includes><note>socks</note></includes>
                  </diag>
                </section>
              </chapter>
            </ICD10CM.tabular>
            """;

    @TempDir
    Path directory;

    private Path write(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text);
    }

    @Test
    void inclusionTermsOfTheTabularListAreSynonyms() throws IOException {
        Path file = directory.resolve("tabular.xml.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
            out.write(TABULAR.getBytes(StandardCharsets.UTF_8));
        }
        Synonyms synonyms = Synonyms.read(List.of(file));
        assertThat(synonyms.of("X10")).containsExactly("Chilly toes & soles");
        assertThat(synonyms.of("X10.1")).containsExactly("Frost of the left foot", "Left ice foot");
        assertThat(synonyms.of("X11")).isEmpty();
        assertThat(synonyms.size()).isEqualTo(2);
    }

    @Test
    void severalFilesAddUpWithoutRepetition() throws IOException {
        Path own = write("own.tsv", "code\tsynonym\nX10\tIce feet\nX10\tCold feet\nX11\tWarm feet\n");
        Path list = write("list.tsv", "code\tdescription\tparent\tvalid\nX10\tCold feet\t\t1\n");
        Path names = write("names.tsv", "code\tdescription\nsubject:1\tFootwear\n");
        Path morphology = write("morphology.tsv", "codigo\tdescriptor completo\n8140/3\tAdenocarcinoma, SAI\n");
        Synonyms synonyms = Synonyms.read(List.of(own, list, names, morphology));
        assertThat(synonyms.of("X10")).containsExactly("Ice feet", "Cold feet");
        assertThat(synonyms.of("X11")).containsExactly("Warm feet");
        assertThat(synonyms.of("subject:1")).containsExactly("Footwear");
        assertThat(synonyms.of("8140/3")).containsExactly("Adenocarcinoma, SAI");
    }

    @Test
    void aDamagedFileIsAnErrorWithItsPlace() throws IOException {
        Path cut = write("cut.xml", TABULAR.substring(0, TABULAR.length() / 2));
        assertThatThrownBy(() -> Synonyms.read(List.of(cut)))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("not valid XML")
                .hasMessageContaining("cut.xml");
        Path other = write("other.xml", "<html></html>");
        assertThatThrownBy(() -> Synonyms.read(List.of(other)))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("its root is html");
        Path empty = write("empty.tsv", "code\tsynonym\nX10\t \n");
        assertThatThrownBy(() -> Synonyms.read(List.of(empty)))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("empty.tsv:2");
        assertThatThrownBy(() -> Synonyms.read(List.of(directory.resolve("absent.tsv"))))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("No such file");
    }
}
