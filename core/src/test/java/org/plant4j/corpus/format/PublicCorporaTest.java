package org.plant4j.corpus.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.plant4j.Document;
import org.plant4j.corpus.codeset.CodeSet;
import org.plant4j.corpus.codeset.CodeSetReader;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.corpus.file.TestFiles;
import org.plant4j.corpus.format.CodiespCorpus.CodeKind;
import org.plant4j.corpus.format.CodiespCorpus.Language;

/**
 * Checks the published counts of the public corpora. Skipped unless the environment variable PLANT4J_DATA or the system
 * property plant4j.data names a directory with {@code cantemist}, {@code codiesp} and {@code codes}.
 */
class PublicCorporaTest {

    private static Path data = Path.of("");

    @BeforeAll
    static void find() {
        String named = System.getProperty("plant4j.data", System.getenv().getOrDefault("PLANT4J_DATA", ""));
        assumeTrue(!named.isEmpty(), "skipped: PLANT4J_DATA is not set");
        data = Path.of(named);
        assumeTrue(Files.isDirectory(data), "skipped: no such directory: " + data);
    }

    @ParameterizedTest
    @CsvSource({
        "train-set, 501, 493, 5.50, 6396",
        "dev-set1, 249, 338, 5.56, 3341",
        "dev-set2, 250, 334, 5.12, 2660",
        "test-set, 300, 0, 0, 0",
        "background-set, 4932, 0, 0, 0"
    })
    void cantemistHasItsPublishedCounts(String set, int documents, int codes, double mean, int mentions) {
        List<Document> read = cantemist(set);
        assertThat(read).hasSize(documents);
        assertThat(codes(read)).hasSize(codes);
        assertThat(mean(read)).isCloseTo(mean, within(0.005));
        assertThat(read.stream()
                        .mapToInt(document -> document.evidence().size())
                        .sum())
                .isEqualTo(mentions);
    }

    @Test
    void cantemistsCodedSetsHave77CodesOutsideTheOfficialList() {
        Set<String> outside = new TreeSet<>();
        List.of("train-set", "dev-set1", "dev-set2").forEach(set -> outside.addAll(codes(cantemist(set))));
        outside.removeIf(code -> !code.endsWith("/H"));
        assertThat(outside).hasSize(77);
    }

    @ParameterizedTest
    @CsvSource({
        "train, D, 500, 1767", "dev, D, 250, 1158", "test, D, 250, 0",
        "train, P, 435, 563", "dev, P, 222, 375", "test, P, 250, 0",
        "train, BOTH, 500, 2330", "dev, BOTH, 250, 1533"
    })
    void codiespHasItsPublishedCounts(String set, CodeKind kind, int documents, int codes) {
        for (Language language : Language.values()) {
            List<Document> read = codiesp(set, kind, language);
            assertThat(read).hasSize(documents);
            assertThat(codes(read)).hasSize(codes);
        }
    }

    @ParameterizedTest
    @CsvSource({"train-set", "dev-set1", "dev-set2"})
    void everyCantemistSpanMatchesItsMention(String set) throws IOException {
        int wrong = 0;
        for (Document document : cantemist(set)) {
            List<String> mentions = new ArrayList<>();
            Path annotation = data.resolve("cantemist/" + set + "/cantemist-norm/" + document.id() + ".ann");
            for (String line : Files.readAllLines(annotation, StandardCharsets.UTF_8)) {
                if (line.startsWith("T")) {
                    mentions.add(line.split("\t", -1)[2]);
                }
            }
            wrong += wrong(document, mentions);
        }
        assertThat(wrong).isZero();
    }

    /** Some mentions of the published annotations lack the first or last character of their span. */
    @ParameterizedTest
    @CsvSource({"train, 4", "dev, 2"})
    void everyCodiespSpanMatchesItsMention(String set, int slips) throws IOException {
        Map<String, List<String>> mentions = new HashMap<>();
        Path table = data.resolve("codiesp/" + set + "/" + set + "X.tsv");
        for (String line : Files.readAllLines(table, StandardCharsets.UTF_8)) {
            String[] fields = line.split("\t", -1);
            mentions.computeIfAbsent(fields[0], id -> new ArrayList<>()).add(fields[3]);
        }
        int wrong = 0;
        for (Document document : codiesp(set, CodeKind.BOTH, Language.ES)) {
            wrong += wrong(document, mentions.getOrDefault(document.id(), List.of()));
        }
        assertThat(wrong).isEqualTo(slips);
    }

    @Test
    void codeSetsHaveTheirPublishedSizesAndDescribeEveryCode() {
        CodeSet cm = CodeSetReader.read(data.resolve("codes/icd10cm.tsv"));
        CodeSet pcs = CodeSetReader.read(data.resolve("codes/icd10pcs.tsv"));
        assertThat(cm.size()).isEqualTo(95_524);
        assertThat(pcs.size()).isEqualTo(79_115);
        CodeSet ninth = CodeSetReader.read(data.resolve("codes/icd9cm.csv"));
        assertThat(ninth.size()).isEqualTo(14_567);
        assertThat(ninth.describe("386.00")).contains("Ménière's disease - unspecified");
        Path descriptions = data.resolve("cantemist/descriptions");
        CodeSet morphology = CodeSetReader.read(
                List.of(descriptions.resolve("es-morphology-6.tsv"), descriptions.resolve("es-morphology-7.tsv")));
        assertThat(morphology.size()).isEqualTo(4205);
        assertThat(morphology.ancestors("8140/34"))
                .extracting(CodeSet.Entry::code)
                .containsExactly("8140/3");

        for (String set : List.of("train-set", "dev-set1", "dev-set2")) {
            assertThat(undescribed(morphology, codes(cantemist(set)))).isEmpty();
        }
        CodeSet both = CodeSet.merge(List.of(cm, pcs));
        assertThat(both.size()).isEqualTo(95_524 + 79_115);
        assertThat(undescribed(both, codes(codiesp("train", CodeKind.BOTH, Language.ES))))
                .isEmpty();
        assertThat(undescribed(both, codes(codiesp("dev", CodeKind.BOTH, Language.ES))))
                .isEmpty();
    }

    private static Set<String> undescribed(CodeSet codeSet, Set<String> codes) {
        Set<String> undescribed = new TreeSet<>(codes);
        undescribed.removeIf(code -> codeSet.describe(code).isPresent());
        return undescribed;
    }

    private static int wrong(Document document, List<String> mentions) {
        assertThat(document.evidence()).hasSameSizeAs(mentions);
        int wrong = 0;
        for (int i = 0; i < mentions.size(); i++) {
            boolean reads = MentionAligner.matches(
                    document.text(), document.evidence().get(i).spans(), mentions.get(i));
            wrong += reads ? 0 : 1;
        }
        return wrong;
    }

    private static List<Document> cantemist(String set) {
        return TestFiles.read(new CantemistCorpus(data.resolve("cantemist").resolve(set), BadRowHandler.fail()));
    }

    private static List<Document> codiesp(String set, CodeKind kind, Language language) {
        return TestFiles.read(
                new CodiespCorpus(data.resolve("codiesp").resolve(set), kind, language, BadRowHandler.fail()));
    }

    private static Set<String> codes(List<Document> documents) {
        Set<String> codes = new TreeSet<>();
        documents.forEach(document -> codes.addAll(document.codes()));
        return codes;
    }

    private static double mean(List<Document> documents) {
        return documents.stream()
                .mapToInt(document -> document.codes().size())
                .average()
                .orElse(0);
    }
}
