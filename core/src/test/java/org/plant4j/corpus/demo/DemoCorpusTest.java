package org.plant4j.corpus.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.plant4j.Document;
import org.plant4j.GoldEvidence;
import org.plant4j.Span;
import org.plant4j.corpus.Split;
import org.plant4j.corpus.demo.DemoCorpus.Sizes;
import org.plant4j.corpus.format.JsonLinesCorpus;

class DemoCorpusTest {

    private static final long SEED = 1;
    private static final Map<Split, List<Document>> SPLITS = new LinkedHashMap<>();
    private static final Pattern HEADING = Pattern.compile("(?m)^([A-Z][A-Za-z/ -]+):$");
    private static final Set<String> FAMILY = Set.of("Family History", "FAMILY HISTORY", "FH", "FHx");
    private static final Set<String> WITHOUT_EVIDENCE = Set.of(
            "Chief Complaint",
            "CHIEF COMPLAINT",
            "CC",
            "Reason for Admission",
            "Medications on Admission",
            "HOME MEDICATIONS",
            "Home Meds",
            "MEDICATIONS",
            "Discharge Medications",
            "DISCHARGE MEDICATIONS",
            "Physical Exam",
            "PHYSICAL EXAMINATION",
            "Admission Exam",
            "PE on admission",
            "Discharge Instructions",
            "INSTRUCTIONS",
            "Patient Instructions",
            "Follow-up",
            "FOLLOW UP",
            "Followup Instructions");

    static {
        for (Split split : Split.values()) {
            SPLITS.put(split, read(new DemoCorpus(split, SEED)));
        }
    }

    private static List<Document> read(DemoCorpus corpus) {
        try (Stream<Document> documents = corpus.documents()) {
            return documents.toList();
        }
    }

    private static List<Document> documents(Split split) {
        return SPLITS.getOrDefault(split, List.of());
    }

    private static List<Document> all() {
        return SPLITS.values().stream().flatMap(List::stream).toList();
    }

    private static Map<String, Integer> frequencies(List<Document> documents) {
        Map<String, Integer> counts = new TreeMap<>();
        documents.forEach(document -> document.codes().forEach(code -> counts.merge(code, 1, Integer::sum)));
        return counts;
    }

    private static String hash(List<Document> documents) throws NoSuchAlgorithmException {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        documents.forEach(
                document -> digest.update(JsonLinesCorpus.toJson(document).getBytes(StandardCharsets.UTF_8)));
        return HexFormat.of().formatHex(digest.digest()).substring(0, 16);
    }

    @Test
    void theSameSeedGivesTheSameBytes() throws NoSuchAlgorithmException {
        // Must be the same on every machine. If a change of the lexicon or the generator changes it,
        // increment DemoCorpus.VERSION.
        assertThat(hash(all())).isEqualTo("b5900ddfaea5243d");
        assertThat(read(new DemoCorpus(Split.DEV, SEED))).isEqualTo(documents(Split.DEV));
    }

    @Test
    void anotherSeedGivesOtherDocuments() {
        assertThat(read(new DemoCorpus(Split.DEV, SEED + 1))).doesNotContainAnyElementsOf(documents(Split.DEV));
    }

    @Test
    void splitsHaveTheirSizesAndNoDuplicateTexts() {
        assertThat(documents(Split.TRAIN)).hasSize(1000);
        assertThat(documents(Split.DEV)).hasSize(200);
        assertThat(documents(Split.TEST)).hasSize(200);
        assertThat(all().stream().map(Document::id)).doesNotHaveDuplicates();
        assertThat(all().stream().map(Document::text)).doesNotHaveDuplicates();
        assertThat(read(new DemoCorpus(Split.TEST, SEED, new Sizes(30, 5, 7)))).hasSize(7);
    }

    @Test
    void codesHaveAHeadAndALongTail() {
        Map<String, Integer> counts = frequencies(all());
        assertThat(counts).hasSizeGreaterThanOrEqualTo(300);
        long rare = counts.values().stream().filter(count -> count <= 5).count();
        assertThat((double) rare / counts.size()).isGreaterThan(1 / 3.0);
        assertThat(counts.getOrDefault("I10", 0)).isGreaterThan(250);
        assertThat(List.of("E11.9", "E78.5", "N17.9", "I50.9"))
                .allSatisfy(code -> assertThat(counts.getOrDefault(code, 0)).isGreaterThan(100));
    }

    @Test
    void aFewCodesAreUnseenInTraining() {
        Set<String> unseen = new TreeSet<>(frequencies(documents(Split.TEST)).keySet());
        unseen.addAll(frequencies(documents(Split.DEV)).keySet());
        unseen.removeAll(frequencies(documents(Split.TRAIN)).keySet());
        assertThat(unseen).hasSizeBetween(5, 20);
    }

    @Test
    void documentsHaveSevenCodesAndSeveralHundredWords() {
        assertThat(all().stream().mapToInt(document -> document.codes().size()).average())
                .hasValueCloseTo(7.0, within(0.5));
        int[] words = all().stream()
                .mapToInt(document -> document.text().split("\\s+", -1).length)
                .sorted()
                .toArray();
        assertThat(words[words.length / 20]).isGreaterThan(250);
        assertThat(words[words.length / 2]).isBetween(300, 450);
        assertThat(words[words.length - 1]).isBetween(850, 1200);
    }

    @Test
    void everyCodeHasEvidenceAndNoOtherCodeDoes() {
        assertThat(all())
                .allSatisfy(document -> assertThat(document.evidence().stream()
                                .map(GoldEvidence::code)
                                .collect(Collectors.toSet()))
                        .isEqualTo(document.codes()));
    }

    @Test
    void evidenceIsTrimmedAndInASectionAboutThePatient() {
        Set<String> supporting = new TreeSet<>();
        for (Document document : all()) {
            for (GoldEvidence evidence : document.evidence()) {
                for (Span span : evidence.spans()) {
                    String words = document.text().substring(span.start(), span.end());
                    assertThat(words).as(document.id()).isNotBlank().isEqualTo(words.strip());
                    supporting.add(section(document.text(), span.start()));
                }
            }
        }
        assertThat(supporting)
                .doesNotContainAnyElementsOf(FAMILY)
                .doesNotContainAnyElementsOf(WITHOUT_EVIDENCE)
                .contains("HPI", "PMH", "HOSPITAL COURSE", "Discharge Diagnoses", "SOCIAL HISTORY", "STUDIES");
    }

    @Test
    void negatedMentionsAreFrequentAndNeverEvidence() {
        Pattern negated = Pattern.compile(
                "(?i)(?:no evidence of|doubt|low suspicion for|ruled out for|not felt to represent) ([^.]+)\\.");
        int found = 0;
        for (Document document : all()) {
            Matcher matcher = negated.matcher(document.text());
            while (matcher.find()) {
                found++;
                Span mention = new Span(matcher.start(1), matcher.end(1));
                assertThat(document.evidence().stream().flatMap(e -> e.spans().stream()))
                        .as(document.id())
                        .noneMatch(mention::overlaps);
            }
        }
        assertThat(found).isGreaterThan(500);
    }

    @Test
    void officialDescriptionsAreSeldomVerbatim() {
        Map<String, String> descriptions = new HashMap<>();
        DemoCorpus.codeSetTsv()
                .lines()
                .map(line -> line.split("\t", -1))
                .forEach(row -> descriptions.put(row[0], row[1].toLowerCase(Locale.ROOT)));
        int verbatim = 0;
        int occurrences = 0;
        for (Document document : all()) {
            String text = document.text().toLowerCase(Locale.ROOT);
            for (String code : document.codes()) {
                occurrences++;
                verbatim += text.contains(descriptions.getOrDefault(code, "")) ? 1 : 0;
            }
        }
        assertThat((double) verbatim / occurrences).isLessThan(0.1);
    }

    @Test
    void conditionsOfAGroupExcludeEachOther() {
        Set<String> diabetes = Set.of("E11.9", "E11.65", "E11.42", "E10.9", "E10.10", "E11.22", "E10.22");
        assertThat(all())
                .allSatisfy(document -> assertThat(document.codes().stream()
                                .filter(diabetes::contains)
                                .count())
                        .isLessThanOrEqualTo(1));
    }

    @Test
    void hypertensionWithHeartFailureIsHypertensiveHeartDisease() {
        assertThat(all().stream().filter(document -> document.codes().contains("I10")))
                .noneMatch(document ->
                        document.codes().stream().anyMatch(c -> c.startsWith("I50") || c.startsWith("N18")));
        assertThat(all().stream().filter(document -> document.codes().contains("I11.0")))
                .isNotEmpty()
                .allMatch(document -> document.codes().stream().anyMatch(c -> c.startsWith("I50")));
    }

    @Test
    void noTemplateSyntaxIsLeftInTheText() {
        assertThat(all())
                .allSatisfy(document -> assertThat(document.text())
                        .as(document.id())
                        .doesNotContainPattern("[{}|\\[\\]]|<[a-z]+>|\\.\\.\\d| {2}|\\. \\.|\\.\\."));
    }

    private static String section(String text, int at) {
        String heading = "";
        Matcher matcher = HEADING.matcher(text);
        while (matcher.find() && matcher.start() < at) {
            heading = matcher.group(1);
        }
        return heading;
    }
}
