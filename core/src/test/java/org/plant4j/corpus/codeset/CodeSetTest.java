package org.plant4j.corpus.codeset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.plant4j.UserError;
import org.plant4j.corpus.codeset.CodeSet.Entry;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.corpus.file.TestFiles;

class CodeSetTest {

    private static CodeSet morphology(Path directory) throws IOException {
        Path spanish = TestFiles.file(
                directory,
                "es.tsv",
                "codigo\tDescriptor Completo\tDescriptor Abreviado\t\t",
                "8140/3\t\"Adenocarcinoma, SAI\"\tAdenoCa\t\t",
                "8140/34\t\"Adenocarcinoma, SAI - grado IV, indiferenciado\"\tAdenoCa G4\t\t",
                "8500/3\tCarcinoma ductal\tCa ductal\t\t");
        Path english = TestFiles.file(
                directory,
                "en.txt",
                "Code\tStruct\tLabel",
                "8140/3\ttitle\t\"Adenocarcinoma, NOS\"",
                "8634/3\tsub\tAnother name",
                "\"8634/3\n8634/3\"\ttitle\t\"Sertoli-Leydig cell tumor\"");
        return CodeSetReader.read(List.of(spanish, english));
    }

    @Test
    void theFirstListDescribesACodeOfTwoLists(@TempDir Path directory) throws IOException {
        CodeSet codes = morphology(directory);
        assertThat(codes.describe("8140/3")).contains("Adenocarcinoma, SAI");
        assertThat(codes.describe("8634/3")).contains("Sertoli-Leydig cell tumor");
        assertThat(codes.size()).isEqualTo(4);
    }

    @Test
    void badRowsOfOwnListsCanBeSkipped(@TempDir Path directory) throws IOException {
        Path named = TestFiles.file(directory, "a.tsv", "code\tdescription", "A\tsatyr play\ts", "B\tsecond");
        Path unnamed = TestFiles.file(directory, "b.csv", "C,third", "D,", "E,fifth");
        Path firstRow = TestFiles.file(directory, "c.csv", "F,", "G,seventh");
        for (Path file : List.of(named, unnamed, firstRow)) {
            assertThatThrownBy(() -> CodeSetReader.read(file)).isInstanceOf(UserError.class);
        }
        BadRowHandler badRows = BadRowHandler.skip();
        CodeSet codes = CodeSetReader.read(List.of(named, unnamed, firstRow), badRows);
        assertThat(codes.entries()).extracting(Entry::code).containsExactlyInAnyOrder("B", "C", "E", "G");
        assertThat(badRows.skipped()).isEqualTo(3);
        assertThat(badRows.first())
                .hasValueSatisfying(error -> assertThat(error.where()).endsWith("a.tsv:2"));
    }

    @Test
    void parentsInAnotherFormAreAnErrorInsteadOfLost(@TempDir Path directory) throws IOException {
        Path tabs = TestFiles.file(directory, "a.tsv", "code\tdescription\tparent", "B\tsecond\tA", "A\tfirst\t");
        Path commas = TestFiles.file(directory, "a.csv", "Code,Parent,Description", "B,A,second");
        for (Path file : List.of(tabs, commas)) {
            assertThatThrownBy(() -> CodeSetReader.read(file))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("exactly the columns code, description, parent, valid");
        }
    }

    @Test
    void aMissingCodeIsDescribedByItsNearestAncestorAndItsGrade(@TempDir Path directory) throws IOException {
        CodeSet codes = morphology(directory);
        assertThat(codes.describe("8500/34")).contains("Carcinoma ductal - grado IV, indiferenciado");
        assertThat(codes.describe("8500/3/H")).contains("Carcinoma ductal");
        assertThat(codes.describe("8500/34/H")).contains("Carcinoma ductal - grado IV, indiferenciado");
        assertThat(codes.describe("8140/34/H")).contains("Adenocarcinoma, SAI - grado IV, indiferenciado");
        assertThat(codes.describe("8500/31")).contains("Carcinoma ductal");
        assertThat(codes.describe("8500/1")).contains("Carcinoma ductal");
        assertThat(codes.describe("8500/14/H")).contains("Carcinoma ductal - grado IV, indiferenciado");
        assertThat(codes.describe("9999/3")).isEmpty();
    }

    @Test
    void officialListsProvideHierarchyAndValidity(@TempDir Path directory) throws IOException {
        Path diagnoses = TestFiles.file(
                directory,
                "cm.tsv",
                "order_number\ticd10cm_code\tvalid_billing_code\ticd10cm_short_description\ticd10cm_long_description\tpoa",
                "1\tS72\t0\tFx femur\tFracture of femur\tNA",
                "2\tS7200\t0\tFx neck\tFracture of neck of femur\tNA",
                "3\tS72001\t1\tFx neck r\tFracture of neck of right femur\tNA",
                "4\tB03\t1\tSmallpox\tSmallpox\tNA");
        Path procedures = TestFiles.file(
                directory,
                "pcs.tsv",
                "order_number\ticd10pcs_code\tvalid_billing_code\ticd10pcs_short_description\ticd10pcs_long_description",
                "1\tBW0\t0\tImaging\tPlain radiography",
                "2\tBW03ZZZ\t1\tChest\tPlain radiography of chest",
                "3\tB03\t0\tMRI\tImaging of the brain");
        Path ninth = TestFiles.file(
                directory,
                "icd9.csv",
                "icd9code,long_description,short_description",
                "024.,Glanders,Gl",
                "428.0,\"CHF, x\",C");
        CodeSet codes = CodeSetReader.read(List.of(diagnoses, procedures, ninth));
        assertThat(codes.find("S72.001"))
                .contains(new Entry("S72.001", "Fracture of neck of right femur", Optional.of("S72.00"), true));
        assertThat(codes.ancestors("S72.001A")).extracting(Entry::code).containsExactly("S72.001", "S72.00", "S72");
        assertThat(codes.children("S72")).extracting(Entry::code).containsExactly("S72.00");
        assertThat(codes.find("S72").map(Entry::valid)).contains(false);
        assertThat(codes.describe("BW03")).contains("Plain radiography");
        assertThat(codes.find("BW03ZZZ").flatMap(Entry::parent)).contains("BW0-");
        assertThat(codes.describe("B03")).contains("Smallpox");
        assertThat(codes.describe("B030")).contains("Imaging of the brain");
        assertThat(codes.find("024")).isPresent();
        assertThat(codes.entries()).extracting(Entry::code).startsWith("S72").endsWith("428.0");
    }

    @Test
    void aWrittenCodeSetReadsBackUnchanged(@TempDir Path directory) throws IOException {
        CodeSet codes = CodeSet.merge(List.of(
                morphology(directory),
                CodeSet.of(List.of(new Entry("I10", "Essential \"primary\" hypertension", Optional.empty(), false)))));
        Path file = directory.resolve("codes.tsv");
        codes.write(file);
        assertThat(CodeSet.read(file).entries()).containsExactlyElementsOf(codes.entries());
        assertThat(CodeSetReader.read(file).entries()).containsExactlyElementsOf(codes.entries());
    }

    @Test
    void anOfficialListMayBeInLatin1(@TempDir Path directory) throws IOException {
        String content = "icd9code,long_description,short_description\n386.00,Ménière's disease,Meniere\n";
        Path file = TestFiles.file(directory, "icd9.csv", StandardCharsets.ISO_8859_1, content);
        assertThat(CodeSetReader.read(file).describe("386.00")).contains("Ménière's disease");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "I10\tHypertension\tI10\t1", // its own parent
                "I10\tHypertension\tI11\t1|I11\tHeart disease\tI12\t1|I12\tKidney disease\tI10\t1",
                "I10\tHypertension\tI10.1\t1|I10.1\tSevere hypertension\t\t1" // the way back follows from the form
            })
    void aCodeThatIsItsOwnAncestorIsAnError(String rows, @TempDir Path directory) throws IOException {
        Path file = ownList(directory, rows);
        for (ThrowingCallable reading :
                List.<ThrowingCallable>of(() -> CodeSet.read(file), () -> CodeSetReader.read(file))) {
            assertThatThrownBy(reading)
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("is its own ancestor")
                    .hasMessageContaining("I1")
                    .hasMessageContaining("own.tsv");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "I10\\tHypertension\\tI09\\t1; I10 has the parent I09, which is not in the code set; own.tsv",
                "I10\\tOne\\t\\t1|I10\\tTwo\\t\\t1; I10 occurs twice; own.tsv:3",
                "I10\\tOne\\t\\t1|I10\\tOne\\t\\t0; I10 occurs twice; own.tsv:3",
                "I10\\tOne\\t\\tyes; Not a row of a code set; own.tsv:2",
                "I10\\tOne\\t; Not a row of a code set; own.tsv:2",
                "\\tOne\\t\\t1; no code; own.tsv:2"
            })
    void aRowThatCannotBeUsedIsAnError(String rows, String expected, String where, @TempDir Path directory)
            throws IOException {
        Path file = ownList(directory, rows);
        assertThatThrownBy(() -> CodeSetReader.read(file))
                .isInstanceOf(UserError.class)
                .hasMessageContaining(expected)
                .hasMessageContaining(where);
    }

    @Test
    void equalRowsAndParentsInAnotherFileAreFine(@TempDir Path directory) throws IOException {
        Path file = ownList(directory, "I10.1\tSevere\tI10\t1|I10.1\tSevere\tI10\t1");
        Path other =
                TestFiles.file(directory, "other.tsv", "code\tdescription\tparent\tvalid", "I10\tHypertension\t\t0");
        assertThat(CodeSetReader.read(List.of(file, other)).ancestors("I10.1"))
                .extracting(Entry::code)
                .containsExactly("I10");
    }

    @Test
    void anOfficialListWithoutItsColumnsIsAnError(@TempDir Path directory) throws IOException {
        Path file = TestFiles.file(directory, "cm.tsv", "icd10cm_code\ticd10cm_long_description", "I10\tHypertension");
        assertThatThrownBy(() -> CodeSetReader.read(file))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("Column 'valid_billing_code' is missing");
        Path twice =
                TestFiles.file(directory, "nine.csv", "icd9code,long_description", "4280,CHF", "428.0,Heart failure");
        assertThatThrownBy(() -> CodeSetReader.read(twice))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("428.0 occurs twice")
                .hasMessageContaining("nine.csv:3");
    }

    @Test
    void aVeryLongTextHasNoAncestors() {
        assertThat(CodeSet.empty().describe("9".repeat(1_000_000))).isEmpty();
    }

    /** A list in our own format; rows are separated by a vertical bar. */
    private static Path ownList(Path directory, String rows) throws IOException {
        return TestFiles.file(
                directory,
                "own.tsv",
                ("code\tdescription\tparent\tvalid|" + rows)
                        .replace("\\t", "\t")
                        .split("\\|"));
    }

    @Test
    void anEmptyCodeSetFindsNothing() {
        assertThat(CodeSet.empty().describe("I10")).isEmpty();
        assertThat(CodeSet.empty().ancestors("I10.1")).isEmpty();
    }

    @Test
    void anOwnListHasTheColumnsCodeAndDescription(@TempDir Path directory) throws IOException {
        Path tabs = TestFiles.file(directory, "own.tsv", "code\tdescription", "gnd:1\tBlender 2.6", "my code\tSecond");
        Path commas = TestFiles.file(directory, "own.csv", "description,code", "\"Third, quoted\",c3");
        CodeSet codes = CodeSetReader.read(List.of(tabs, commas));
        assertThat(codes.describe("gnd:1")).contains("Blender 2.6");
        assertThat(codes.describe("my code")).contains("Second");
        assertThat(codes.describe("c3")).contains("Third, quoted");
    }

    @Test
    void theErrorForAnUnknownListNamesItsColumns(@TempDir Path directory) throws IOException {
        Path file = TestFiles.file(directory, "x.csv", "label,meaning,chapter", "a,b,c");
        assertThatThrownBy(() -> CodeSetReader.read(file))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("label, meaning, chapter");
    }

    @Test
    void aFileWithTwoColumnsIsReadWithAndWithoutHeader(@TempDir Path directory) throws IOException {
        Path comma = TestFiles.file(directory, "a.csv", "code,description", "J18,\"Pneumonia, organism\"");
        Path tab = TestFiles.file(directory, "b.tsv", "J18\tPneumonia", "A5\tfifth");
        Path semicolon = TestFiles.file(directory, "c.csv", "Title;ICD-10", "Pneumonia, all;J18");
        assertThat(CodeSetReader.read(comma).describe("J18")).hasValue("Pneumonia, organism");
        assertThat(CodeSetReader.read(comma).entries()).hasSize(1);
        assertThat(CodeSetReader.read(tab).entries()).hasSize(2);
        assertThat(CodeSetReader.read(semicolon).describe("J18")).hasValue("Pneumonia, all");
        Path empty = TestFiles.file(directory, "d.csv", "A01,Typhoid fever", "J18,");
        assertThatThrownBy(() -> CodeSetReader.read(empty))
                .hasMessageContaining("no description")
                .hasMessageContaining("d.csv:2");
        Path ambiguous = TestFiles.file(directory, "e.csv", "J18;Pneumonia, all");
        assertThatThrownBy(() -> CodeSetReader.read(ambiguous)).hasMessageContaining("tab or semicolon");
    }
}
