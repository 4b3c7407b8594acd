package org.plant4j.inspection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.Progress;
import org.plant4j.UserError;
import org.plant4j.corpus.file.TestFiles;
import org.plant4j.corpus.format.CorpusConfig;

/** Ten kinds of files that people have. */
class CorpusInspectionTest {

    private static final List<String> CODES = List.of("I10", "J18.9", "E11.9", "N17.9", "M10.0");
    private static final List<String> WORDS = List.of(
            "pressure", "infiltrate", "glucose", "creatinine", "joint", "fever", "cough", "oedema", "pain", "dialysis");

    @TempDir
    private Path directory;

    @Test
    void codesSeparatedByCommas() throws IOException {
        CorpusInspection found = inspect(csv(
                "notes.csv",
                ",",
                "id,text,codes",
                i -> i + ",\"" + text(i) + "\",\"" + code(i) + "," + code(i + 1) + "\""));
        assertThat(found.config().options()).isEqualTo(Map.of("code_separator", ","));
        assertThat(found.config().columns()).isEmpty();
        assertThat(found.first().get(0).codes()).hasSize(2);
        assertThat(found.language()).isEqualTo("English");
        assertThat(found.statistics().splits().get(0).documents()).isBetween(70, 90);
        assertThat(found.warnings()).isEmpty();
    }

    @Test
    void aSemicolonCsvWithOtherColumns() throws IOException {
        CorpusConfig config = detect(csv(
                "notes.csv",
                ";",
                "Note_ID;Befundtext;ICD;Age",
                i -> "n" + i + ";" + text(i) + ";" + code(i) + ";" + i));
        assertThat(config.delimiter()).isEqualTo(";");
        assertThat(config.columns()).isEqualTo(Map.of("id", "Note_ID", "text", "Befundtext", "codes", "ICD"));
        assertThat(config.options()).isEmpty();
    }

    @Test
    void documentsWithoutIds() throws IOException {
        CorpusInspection found = inspect(csv("notes.csv", ",", "text,labels", i -> text(i) + "," + code(i)));
        assertThat(found.config().columns()).isEqualTo(Map.of("codes", "labels"));
        assertThat(found.first().get(0).id()).startsWith("notes-");
    }

    @Test
    void latin1() throws IOException {
        StringBuilder rows = new StringBuilder("id,text,codes\n");
        for (int i = 0; i < 100; i++) {
            rows.append(i + ",El paciente con tórax normal que fue visto por los médicos " + i + "," + code(i) + "\n");
        }
        Path file = TestFiles.file(directory, "a.csv", StandardCharsets.ISO_8859_1, rows.toString());
        CorpusInspection found = inspect(file);
        assertThat(found.config().options()).isEqualTo(Map.of("encoding", "windows-1252"));
        assertThat(found.language()).isEqualTo("Spanish");
        assertThat(found.first().get(0).text()).contains("tórax");
    }

    @Test
    void duplicateIds() throws IOException {
        CorpusInspection found =
                inspect(csv("a.csv", ",", "id,text,codes", i -> i % 95 + "," + text(i) + "," + code(i)));
        assertThat(found.warnings())
                .anySatisfy(
                        warning -> assertThat(warning).contains("5 rows cannot be read", "has the id '0'", "a.csv:97"));
    }

    @Test
    void jsonLinesWithEvidence() throws IOException {
        Path file = lines(
                "a.jsonl",
                i -> "{\"doc_id\": \"d" + i + "\", \"body\": \"" + text(i) + "\", \"labels\": [\"" + code(i)
                        + "\"], \"marks\": [{\"code\": \"" + code(i) + "\", \"spans\": [[0, 3]]}]}");
        CorpusInspection found = inspect(file);
        assertThat(found.config().columns())
                .isEqualTo(Map.of("id", "doc_id", "text", "body", "codes", "labels", "evidence", "marks"));
        assertThat(found.facts().evidence()).isEqualTo(1);
    }

    @Test
    void severalDocumentsOfAPatient() throws IOException {
        CorpusConfig config = detect(csv(
                "a.csv", ",", "note_id,patient_id,text,codes", i -> i + ",p" + i % 30 + "," + text(i) + "," + code(i)));
        assertThat(config.columns()).isEqualTo(Map.of("id", "note_id", "group", "patient_id"));
    }

    @Test
    void tabsAndASplitColumn() throws IOException {
        CorpusConfig config = detect(csv(
                "a.tsv",
                "\t",
                "text\tcodes\tsplit",
                i -> text(i) + "\t" + code(i) + "\t" + (i % 10 == 0 ? "validation" : i % 10 == 1 ? "test" : "train")));
        assertThat(config.delimiter()).isEmpty();
        assertThat(config.columns()).isEqualTo(Map.of("split", "split"));
        assertThat(config.train()).containsExactly("train");
        assertThat(config.dev()).containsExactly("validation");
        assertThat(config.test()).containsExactly("test");
    }

    /** 4,000 rows of train come before those of dev and test, and the only document without codes is among the last. */
    @Test
    void aSortedFileShowsItsSplitsAndUncodedDocuments() throws IOException {
        IntFunction<String> split = i -> i < 4000 ? "train" : i < 4500 ? "dev" : "test";
        List<String> rows = new ArrayList<>(List.of("id,text,codes,split"));
        List<String> json = new ArrayList<>();
        for (int i = 0; i < 5000; i++) {
            String codes = i == 4990 ? "" : code(i);
            rows.add(i + "," + text(i) + "," + codes + "," + split.apply(i));
            json.add("{\"id\": \"" + i + "\", \"text\": \"" + text(i) + "\", \"codes\": ["
                    + (codes.isEmpty() ? "" : '"' + codes + '"') + "], \"split\": \"" + split.apply(i) + "\"}");
        }
        for (CorpusConfig config : List.of(
                detect(TestFiles.file(directory, "sorted.csv", rows.toArray(String[]::new))),
                detect(TestFiles.file(directory, "sorted.jsonl", json.toArray(String[]::new))))) {
            assertThat(config.columns()).isEqualTo(Map.of("split", "split"));
            assertThat(config.dev()).containsExactly("dev");
            assertThat(config.test()).containsExactly("test");
            assertThat(config.options()).isEqualTo(Map.of("uncoded", "keep"));
        }
    }

    @Test
    void aBadLineOfJsonIsAWarning() throws IOException {
        Path file = lines(
                "a.jsonl",
                i -> i == 50 ? "{broken" : "{\"text\": \"" + text(i) + "\", \"codes\": [\"" + code(i) + "\"]}");
        assertThat(inspect(file).warnings())
                .anySatisfy(warning -> assertThat(warning).contains("1 row cannot be read", "a.jsonl:51"));
    }

    @Test
    void gzip() throws IOException {
        CorpusInspection found = inspect(
                csv("a.csv.gz", ",", "id,text,codes", i -> i + "," + text(i) + "," + code(i) + "|" + code(i + 1)));
        assertThat(found.config().options()).isEqualTo(Map.of("code_separator", "|"));
        assertThat(found.config().format()).isEqualTo("csv");
    }

    @Test
    void foldersOfSplitsAndOfTexts() throws IOException {
        csv("train.csv", ",", "id,text,codes", i -> i + "," + text(i) + "," + code(i));
        csv("test.csv", ",", "id,text,codes", i -> "t" + i + "," + text(i) + ",Z99." + i);
        CorpusInspection found = inspect(directory);
        assertThat(found.config().train()).containsExactly("train.csv");
        assertThat(found.config().test()).containsExactly("test.csv");
        assertThat(found.warnings())
                .anySatisfy(warning -> assertThat(warning).contains("100 documents of dev and test nearly repeat"))
                .anySatisfy(warning -> assertThat(warning).contains("100 of 100 codes of test never occur in train"));

        Path texts = Files.createDirectory(directory.resolve("texts"));
        for (int i = 0; i < 30; i++) {
            TestFiles.file(texts, i + ".txt", text(i));
        }
        TestFiles.file(
                texts,
                "codes.csv",
                Stream.concat(Stream.of("id,codes"), IntStream.range(0, 30).mapToObj(i -> i + "," + code(i)))
                        .toArray(String[]::new));
        CorpusInspection coded = inspect(texts);
        assertThat(coded.config().format()).isEqualTo("text");
        assertThat(coded.facts().labels()).isEqualTo(5);
    }

    @Test
    void twoCodesInOneAreReported() throws IOException {
        CorpusInspection found = inspect(csv(
                "a.csv",
                ";",
                "id;text;codes",
                i -> i + ";" + text(i) + ";"
                        + (i == 5 ? "\"I10;J18.9,E11.9\"" : "\"" + code(i) + ";" + code(i + 1) + "\"")));
        assertThat(found.warnings()).anySatisfy(warning -> assertThat(warning).contains("'J18.9,E11.9'"));
    }

    @Test
    void unusableFilesAreErrors() throws IOException {
        Path numbers = TestFiles.file(directory, "a.csv", "x,y", "1,2", "3,4");
        assertThatThrownBy(() -> detect(numbers))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("No column looks like text; found: x, y");
        Path word = TestFiles.file(directory, "a.docx", "x");
        assertThatThrownBy(() -> detect(word)).hasMessageContaining("save it as .csv");
        assertThatThrownBy(() -> detect(directory.resolve("none.csv"))).hasMessageContaining("No such file");
    }

    @Test
    void tablesWithoutCodesAreErrors() throws IOException {
        Path none = csv("none.csv", ",", "id,text", i -> "d" + i + "," + text(i));
        assertThatThrownBy(() -> detect(none))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("No column looks like codes; found: id, text");
        Path flags = csv("flags.csv", ",", "id,text,I10,E78.5", i -> i + "," + text(i) + "," + i % 2 + ",0");
        assertThatThrownBy(() -> detect(flags)).hasMessageContaining("into one column 'codes'");
        Path header = TestFiles.file(directory, "header.csv", "id,text,codes");
        assertThatThrownBy(() -> detect(header)).hasMessageContaining("there are no rows");
        CorpusConfig named = detect(csv("named.csv", ",", "text,x", i -> text(i) + "," + code(i)));
        assertThat(named.columns()).isEqualTo(Map.of("codes", "x"));
    }

    @Test
    void listsInCellsAreErrors() throws IOException {
        for (String quote : List.of("'", "\"\"")) {
            Path file = csv(
                    "a.csv",
                    ",",
                    "id,text,codes",
                    i -> i + "," + text(i) + ",\"[" + quote + code(i) + quote + ", " + quote + code(i + 1) + quote
                            + "]\"");
            assertThatThrownBy(() -> detect(file))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("The column 'codes' contains lists")
                    .hasMessageContaining("str.join");
        }
    }

    @Test
    void oneRowPerCodeIsAnError() throws IOException {
        for (String id : List.of("id", "note_id")) {
            String more = " and more words".repeat(10);
            Path file = csv("a.csv", ",", id + ",text,code", i -> i / 2 + "," + text(i / 2) + more + "," + code(i));
            assertThatThrownBy(() -> detect(file))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("write one row per document")
                    .hasMessageContaining("df.groupby(\"text\")[\"code\"]");
        }
    }

    @Test
    void codesThatOccurOnceAreReported() throws IOException {
        CorpusInspection found = inspect(csv("a.csv", ",", "id,text,codes", i -> i + "," + text(i) + ",X" + i));
        assertThat(found.warnings()).anySatisfy(warning -> assertThat(warning).contains("occur in one document only"));
    }

    @Test
    void numbersInOtherLanguages() throws IOException {
        CorpusConfig config = detect(csv(
                "a.csv",
                ";",
                "Fallnr;PatientenNr;Befund;Diagnosen",
                i -> i + ";p" + i % 30 + ";" + text(i) + ";" + code(i)));
        assertThat(config.columns())
                .isEqualTo(Map.of("id", "Fallnr", "group", "PatientenNr", "text", "Befund", "codes", "Diagnosen"));
    }

    @Test
    void theWrittenFileReadsTheCorpus() throws IOException {
        CorpusInspection found = inspect(csv(
                "my notes.csv",
                ";",
                "Note;ICD;patient",
                i -> text(i) + ";\"" + code(i) + ", " + code(i + 1) + "\";" + i % 20));
        String yaml =
                new CorpusYaml(found, new ModelAdvice("linear", "it is small"), directory).text("mine", List.of());
        assertThat(yaml)
                .contains("extends: auto")
                .contains("path: \"my notes.csv\"")
                .contains("delimiter: \";\"")
                .contains("columns: {codes: ICD, group: patient, text: Note}")
                .contains("options: {code_separator: \",\"}");
    }

    @Test
    void columnsNamedAsYamlConstantsAreQuoted() throws IOException {
        CorpusInspection found = inspect(csv("a.csv", ",", "No,text,null", i -> i + "," + text(i) + "," + code(i)));
        assertThat(new CorpusYaml(found, new ModelAdvice("linear", "it is small"), directory).text("mine", List.of()))
                .contains("columns: {codes: \"null\", id: \"No\"}");
    }

    @Test
    void theModelDependsOnSizeEvidenceDescriptionsAndTime() {
        ModelAdvice.Means laptop = means(false, false, 120);
        assertThat(model(new CorpusFacts(50, 10, 200, 3, 0), laptop)).isEqualTo("linear");
        assertThat(model(new CorpusFacts(500, 1000, 400, 11, 0), laptop)).isEqualTo("plant");
        assertThat(model(new CorpusFacts(500, 1000, 400, 11, 0.9), laptop)).isEqualTo("mention-matching");
        assertThat(model(new CorpusFacts(21_000, 1000, 40, 11, 0.9), laptop)).isEqualTo("plant-evidence");
        assertThat(model(new CorpusFacts(500, 1000, 400, 11, 0), means(false, false, 1)))
                .isEqualTo("linear");
        ModelAdvice.Means server = means(true, true, 120);
        assertThat(model(new CorpusFacts(500, 1000, 400, 11, 0), server)).isEqualTo("plant-descriptions");
        assertThat(model(new CorpusFacts(500, 1000, 400, 11, 1), server)).isEqualTo("description-attention-evidence");
        // 500 · 400 · 10 tokens · 1.5 / 8000 tokens per second
        assertThat(ModelAdvice.minutes(new CorpusFacts(500, 1000, 400, 11, 0), false))
                .isEqualTo(6.25);
    }

    /** Library records with few documents per label, discharge summaries with many, and titles. */
    @Test
    void manyLabelsNeedManyDocuments() {
        CorpusFacts records = new CorpusFacts(4945, 7237, 150, 2.5, 0);
        assertThat(model(records, means(false, false, 120))).isEqualTo("label-tree");
        assertThat(model(records, means(true, true, 120))).isEqualTo("description-matching");
        assertThat(model(new CorpusFacts(20_001, 7237, 150, 2.5, 0), means(true, true, 120)))
                .isEqualTo("label-tree");
        CorpusFacts summaries = new CorpusFacts(47_000, 8900, 1500, 15, 0);
        assertThat(model(summaries, means(false, false, 120))).isEqualTo("label-tree");
        // 47,000 · 1,500 · 10 tokens · 5.45 / 8000 per second: 8,005 minutes, on a GPU 267
        assertThat(model(summaries, means(false, true, 120))).isEqualTo("label-tree");
        assertThat(model(summaries, means(false, true, 300))).isEqualTo("plant");
        assertThat(ModelAdvice.choose(summaries, means(false, true, 300)).reason())
                .endsWith("267 min on a GPU");
        assertThat(model(new CorpusFacts(627_500, 25_000, 8, 2.45, 0), means(false, false, 120)))
                .isEqualTo("label-tree");
    }

    @Test
    void anOpenQuoteIsReportedWithItsLine() throws IOException {
        Path file = csv(
                "notes.csv",
                ",",
                "text,codes",
                i -> i == 50 ? "\"" + text(i) + "," + code(i) : "\"" + text(i) + "\"," + code(i));
        assertThatThrownBy(() -> detect(file))
                .isInstanceOfSatisfying(
                        UserError.class, error -> assertThat(error.where()).contains("notes.csv:"));
    }

    @Test
    void theGpuIsAskedForOnlyIfItMatters() {
        ModelAdvice.Means unknown = new ModelAdvice.Means(
                true,
                false,
                () -> {
                    throw new AssertionError("asked");
                },
                120);
        assertThat(model(new CorpusFacts(500, 1000, 400, 11, 0), unknown)).isEqualTo("plant");
    }

    private static ModelAdvice.Means means(boolean encoderAndDescriptions, boolean gpu, double minutes) {
        return new ModelAdvice.Means(encoderAndDescriptions, encoderAndDescriptions, () -> gpu, minutes);
    }

    private static String model(CorpusFacts facts, ModelAdvice.Means means) {
        return ModelAdvice.choose(facts, means).model();
    }

    private static CorpusInspection inspect(Path file) {
        return CorpusInspection.of(detect(file), Progress.NONE);
    }

    private static CorpusConfig detect(Path file) {
        return CorpusDetector.detect(file);
    }

    private Path csv(String name, String delimiter, String header, IntFunction<String> row) throws IOException {
        List<String> lines = new ArrayList<>(List.of(header));
        IntStream.range(0, 100).mapToObj(row).forEach(lines::add);
        assertThat(header).contains(delimiter);
        return TestFiles.file(directory, name, lines.toArray(String[]::new));
    }

    private Path lines(String name, IntFunction<String> row) throws IOException {
        return TestFiles.file(
                directory, name, IntStream.range(0, 100).mapToObj(row).toArray(String[]::new));
    }

    private static String code(int i) {
        return CODES.get(i % CODES.size());
    }

    /** Different words in each text. */
    private static String text(int i) {
        return "the patient was seen with " + WORDS.get(i % 10) + " and " + WORDS.get(i / 10 % 10) + " number" + i
                + " of case" + i * 7 + " to ward" + i * 3 + " for " + WORDS.get((i + 3) % 10) + i;
    }
}
