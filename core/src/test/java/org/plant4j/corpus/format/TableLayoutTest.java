package org.plant4j.corpus.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.Document;
import org.plant4j.GoldEvidence;
import org.plant4j.Span;
import org.plant4j.UserError;
import org.plant4j.corpus.Corpus;
import org.plant4j.corpus.Splits;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.corpus.file.TestFiles;

class TableLayoutTest {

    @TempDir
    private Path directory;

    @Test
    void columnsDelimiterAndCodeSeparatorAreSettings() throws IOException {
        TestFiles.file(directory, "a.csv", "note;icd;who", "\"Fever; cough\";J18.9,I10;7", "Pain;R52;8");
        List<Document> read = TestFiles.read(open(
                "a.csv",
                "columns: {text: note, codes: icd, id: who}, delimiter: ';'," + " options: {code_separator: ','}"));
        assertThat(read)
                .containsExactly(
                        new Document("7", "Fever; cough", Set.of("I10", "J18.9")),
                        new Document("8", "Pain", Set.of("R52")));
    }

    @Test
    void aTsvFileHasTabsAndADocumentWithoutIdIsNamedByItsLine() throws IOException {
        TestFiles.file(directory, "notes.tsv", "text\tcodes", "one, two\tA", "three\tB");
        assertThat(TestFiles.read(open("notes.tsv", "")))
                .containsExactly(
                        new Document("notes-2", "one, two", Set.of("A")),
                        new Document("notes-3", "three", Set.of("B")));
    }

    @Test
    void filesOfOneNameGiveDifferentIds() throws IOException {
        for (String place : List.of("a", "b")) {
            TestFiles.file(
                    Files.createDirectory(directory.resolve(place)), "notes.csv", "text,codes", "one,A", "two,B");
        }
        TestFiles.file(directory, "c.csv", "text,codes", "three,A");
        Splits splits = splits("train: [a/notes.csv, b/notes.csv, c.csv]");
        assertThat(TestFiles.ids(splits.train()))
                .containsExactly("a/notes.csv-2", "a/notes.csv-3", "b/notes.csv-2", "b/notes.csv-3", "c-2");
    }

    @Test
    void jsonFieldsHaveOtherNames() throws IOException {
        TestFiles.file(
                directory,
                "a.jsonl",
                "{\"note\": \"has gout\", \"icd\": [\"M10\"], \"patient\": 3,"
                        + " \"marks\": [{\"code\": \"M10\", \"spans\": [[4, 8]]}]}");
        List<Document> read =
                TestFiles.read(open("a.jsonl", "columns: {text: note, codes: icd, evidence: marks, group: patient}"));
        List<GoldEvidence> evidence = List.of(new GoldEvidence("M10", List.of(new Span(4, 8))));
        assertThat(read).containsExactly(new Document("a-1", "has gout", Set.of("M10"), evidence, "3"));
    }

    @Test
    void eitherAllDocumentsOfAJsonFileHaveAnIdOrNone() throws IOException {
        TestFiles.file(
                directory,
                "a.jsonl",
                "{\"text\": \"one\", \"codes\": [\"A\"]}",
                "{\"id\": 2, \"text\": \"two\", \"codes\": [\"A\"]}");
        assertThatThrownBy(() -> TestFiles.read(open("a.jsonl", "")))
                .hasMessageContaining("Some documents of this file have an id")
                .hasMessageContaining("a.jsonl:2");
    }

    @Test
    void anotherEncodingIsRead() throws IOException {
        TestFiles.file(directory, "a.csv", StandardCharsets.ISO_8859_1, "id,text,codes\n1,tórax,A\n");
        assertThatThrownBy(() -> TestFiles.read(open("a.csv", ""))).hasMessageContaining("set the option encoding");
        assertThat(TestFiles.read(open("a.csv", "options: {encoding: windows-1252}")))
                .containsExactly(new Document("1", "tórax", Set.of("A")));
    }

    @Test
    void documentsOfOneGroupAreInOneSplitOrFold() throws IOException {
        List<String> lines = new ArrayList<>(List.of("id,text,codes,patient"));
        for (int i = 0; i < 600; i++) {
            lines.add(i + ",text,A,p" + i % 60);
        }
        TestFiles.file(directory, "a.csv", lines.toArray(String[]::new));
        Splits splits = splits("path: a.csv, columns: {group: patient}, options: {fractions: 60/20/20}");
        List<Set<String>> groups = groups(splits);
        groups.forEach(group -> assertThat(group).isNotEmpty());
        assertThat(groups.get(0)).doesNotContainAnyElementsOf(groups.get(1)).doesNotContainAnyElementsOf(groups.get(2));
        assertThat(groups.get(1)).doesNotContainAnyElementsOf(groups.get(2));

        Set<String> tested = new HashSet<>();
        int documents = 0;
        for (int fold = 1; fold <= 5; fold++) {
            Splits one = splits("path: a.csv, columns: {group: patient}, options: {fold: " + fold + "/5}");
            List<Set<String>> ofFold = groups(one);
            assertThat(ofFold.get(2)).doesNotContainAnyElementsOf(ofFold.get(0));
            assertThat(ofFold.get(1)).doesNotContainAnyElementsOf(ofFold.get(0));
            tested.addAll(ofFold.get(2));
            documents += TestFiles.ids(one.test()).size();
        }
        assertThat(tested).hasSize(60);
        assertThat(documents).isEqualTo(600);
    }

    @Test
    void foldsDivideTrainAndDevButNotTest() throws IOException {
        for (String name : List.of("train", "dev", "test")) {
            TestFiles.file(directory, name + ".csv", "id,text,codes", name + "1,one,A", name + "2,two,A");
        }
        Set<String> all = new HashSet<>();
        for (int fold = 1; fold <= 3; fold++) {
            Splits splits = splits("train: train.csv, dev: dev.csv, test: test.csv, options: {fold: " + fold + "/3}");
            all.addAll(TestFiles.ids(splits.test()));
        }
        assertThat(all).containsExactlyInAnyOrder("train1", "train2", "dev1", "dev2");
    }

    @Test
    void aSplitColumnNamesTheSubsets() throws IOException {
        TestFiles.file(
                directory, "a.csv", "text,codes,fold", "one,A,Train", "two,B,valid", "three,C,test", "x,D,train");
        String columns = "path: a.csv, columns: {split: fold}, train: train, dev: valid, ";
        Splits splits = splits(columns + "test: test");
        assertThat(TestFiles.ids(splits.train())).containsExactly("a-2", "a-5");
        assertThat(TestFiles.ids(splits.dev())).containsExactly("a-3");
        assertThat(TestFiles.ids(splits.test())).containsExactly("a-4");
        assertThatThrownBy(() -> TestFiles.ids(splits(columns + "test: tset").test()))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("No row has the split 'tset'")
                .hasMessageContaining("did you mean 'test'?");
    }

    @Test
    void theSplitOfAJsonDocumentIsAStringOrAnInteger() throws IOException {
        String document = "{\"id\": \"%s\", \"text\": \"x\", \"codes\": [\"A\"], \"fold\": %s}";
        TestFiles.file(
                directory,
                "a.jsonl",
                document.formatted("a", "\"1\""),
                document.formatted("b", "1"),
                document.formatted("c", "null"));
        String path = "path: '" + directory.resolve("a.jsonl") + "', format: jsonl, columns: {split: fold}, train: '1'";
        assertThat(TestFiles.ids(CorpusFormats.openSplits(config(path), BadRowHandler.fail())
                        .train()))
                .containsExactly("a", "b");
        for (String value : List.of("true", "1.0", "[\"1\"]", "{}")) {
            TestFiles.file(directory, "a.jsonl", document.formatted("a", "\"1\""), document.formatted("b", value));
            assertThatThrownBy(() -> TestFiles.ids(CorpusFormats.openSplits(config(path), BadRowHandler.fail())
                            .train()))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("\"fold\" is not a string")
                    .hasMessageContaining("a.jsonl:2");
        }
    }

    @Test
    void aDirectoryOfTextsWithACodeFile() throws IOException {
        TestFiles.file(directory, "one.txt", "Gout.");
        TestFiles.file(directory, "two.txt", "Pain.");
        TestFiles.file(directory, "codes.csv", "id,codes", "one,M10;I10", "two,R52");
        Corpus corpus = open("", "format: text, options: {code_file: " + directory.resolve("codes.csv") + "}");
        assertThat(TestFiles.read(corpus))
                .containsExactly(
                        new Document("one", "Gout.\n", Set.of("I10", "M10")),
                        new Document("two", "Pain.\n", Set.of("R52")));
    }

    @Test
    void wrongSettingsAreNamed() {
        assertThatThrownBy(() -> config("path: a.csv, columns: {txt: note}"))
                .hasMessageContaining("Unknown column 'txt'");
        assertThatThrownBy(() -> config("path: a.csv, delimiter: ab")).hasMessageContaining("Invalid delimiter 'ab'");
        assertThatThrownBy(() -> splits("format: cantemist, path: x, columns: {text: note}"))
                .hasMessageContaining("has no columns");
        assertThatThrownBy(() -> splits("path: a.csv, columns: {group: g}, train: a.csv"))
                .hasMessageContaining("both named splits and a group column");
        assertThatThrownBy(() -> config("path: notes.doc")).hasMessageContaining("The format of the corpus is unknown");
        assertThatThrownBy(() -> splits("path: a.csv, options: {fold: 6/5}"))
                .hasMessageContaining("a fold such as 2/5");
    }

    private static List<Set<String>> groups(Splits splits) throws IOException {
        List<Set<String>> groups = new ArrayList<>();
        for (Corpus corpus : List.of(splits.train(), splits.dev(), splits.test())) {
            groups.add(TestFiles.read(corpus).stream().map(Document::group).collect(Collectors.toSet()));
        }
        return groups;
    }

    private Corpus open(String file, String settings) throws IOException {
        return CorpusFormats.openCorpus(
                config("path: '" + directory.resolve(file) + "', " + settings), BadRowHandler.fail());
    }

    private Splits splits(String settings) throws IOException {
        String located = settings.startsWith("path: a.csv")
                ? settings.replace("path: a.csv", "path: '" + directory.resolve("a.csv") + "'")
                : "path: '" + directory + "', " + settings.replace("path: x, ", "");
        return CorpusFormats.openSplits(config(located), BadRowHandler.fail());
    }

    private static CorpusConfig config(String settings) throws IOException {
        try {
            return new YAMLMapper().readValue("{" + settings + "}", CorpusConfig.class);
        } catch (com.fasterxml.jackson.databind.exc.ValueInstantiationException e) {
            throw (RuntimeException) e.getCause();
        }
    }
}
