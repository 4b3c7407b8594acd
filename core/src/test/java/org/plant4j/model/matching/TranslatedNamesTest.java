package org.plant4j.model.matching;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.Progress;
import org.plant4j.UserError;
import org.plant4j.tensor.Compute;
import org.plant4j.text.LabelIndex;
import org.plant4j.text.TokenEvidence;
import org.plant4j.text.Vocabulary;
import org.plant4j.translation.TextPair;

/** Spanish documents about a finding in an organ, with labels that have English names. */
class TranslatedNamesTest {

    private static final List<String> ORGANS =
            List.of("rinon", "pulmon", "higado", "bazo", "vejiga", "mama", "hueso", "ojo", "cuello", "pierna");
    private static final List<String> FINDINGS = List.of("calculo", "absceso", "quiste", "edema", "herida", "fractura");
    private static final List<String> ENGLISH_ORGANS =
            List.of("kidney", "lung", "liver", "spleen", "bladder", "breast", "bone", "eye", "neck", "leg");
    private static final List<String> ENGLISH_FINDINGS =
            List.of("stone", "abscess", "cyst", "swelling", "wound", "break");
    private static final List<String> FILLERS = List.of("paciente", "ingresa", "refiere", "durante", "presenta");

    private static final int DOCUMENTS = 200;
    private static final int ZERO_SHOT = 3; // labels: wounds of eye, neck and leg

    private static final Vocabulary VOCABULARY = vocabulary();

    private static Vocabulary vocabulary() {
        List<String> words = new ArrayList<>(List.of("<pad>", "<unk>"));
        Stream.of(ORGANS, FINDINGS, ENGLISH_ORGANS, ENGLISH_FINDINGS, FILLERS).forEach(words::addAll);
        try (Vocabulary.Builder builder = new Vocabulary.Builder()) {
            return builder.build(words);
        }
    }

    private record Case(int organ, int finding) {

        boolean isZeroShot() {
            return finding == 4 && organ >= ORGANS.size() - ZERO_SHOT;
        }

        String code() {
            return "%c%02d".formatted('A' + finding, organ);
        }

        List<String> english() {
            return List.of(ENGLISH_FINDINGS.get(finding), ENGLISH_ORGANS.get(organ));
        }

        static Case of(String code) {
            return new Case(Integer.parseInt(code.substring(1)), code.charAt(0) - 'A');
        }
    }

    private static final List<Case> CASES = cases();

    /** One case per document; many labels have one or two documents. */
    private static List<Case> cases() {
        Random random = new Random(1);
        List<Case> cases = new ArrayList<>();
        while (cases.size() < DOCUMENTS) {
            int organ = (int) (ORGANS.size() * random.nextDouble() * random.nextDouble());
            Case next = new Case(random.nextInt(5) == 0 ? random.nextInt(ORGANS.size()) : organ, random.nextInt(6));
            if (!next.isZeroShot()) {
                cases.add(next);
            }
        }
        return cases;
    }

    private static final LabelIndex LABELS = labels();

    private static LabelIndex labels() {
        Map<String, Integer> frequencies = new TreeMap<>();
        CASES.forEach(found -> frequencies.merge(found.code(), 1, Integer::sum));
        return LabelIndex.of(frequencies, 1).withZeroShot(List.of("E07", "E08", "E09"));
    }

    private static List<String> words(Case found, Random random) {
        List<String> words = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            words.add(FILLERS.get(random.nextInt(FILLERS.size())));
        }
        words.add(FINDINGS.get(found.finding));
        words.add("presenta");
        words.add(ORGANS.get(found.organ));
        words.add(FILLERS.get(random.nextInt(FILLERS.size())));
        return words;
    }

    private static int[] ids(List<String> words) {
        return words.stream().mapToInt(VOCABULARY::id).toArray();
    }

    private static DescriptionMatching train(DescriptionMatching.Config config) {
        Random random = new Random(2);
        List<int[]> documents = new ArrayList<>();
        List<int[]> gold = new ArrayList<>();
        List<List<TokenEvidence>> evidence = new ArrayList<>();
        List<List<TextPair>> translations = new ArrayList<>();
        for (Case found : CASES) {
            List<String> words = words(found, random);
            documents.add(ids(words));
            int label = LABELS.codes().indexOf(found.code());
            gold.add(new int[] {label});
            evidence.add(List.of(new TokenEvidence(label, 4, 7)));
            translations.add(List.of(new TextPair(found.english(), words)));
        }
        return DescriptionMatching.train(
                config,
                VOCABULARY,
                LABELS,
                new AnnotatedDocuments(documents, gold, evidence),
                LABELS.codes().stream()
                        .map(code -> ids(Case.of(code).english()))
                        .toList(),
                List.of(),
                config.translate() ? translations : List.of(),
                Progress.NONE);
    }

    private static DescriptionMatching.Config config(boolean translate) {
        return new DescriptionMatching.Config(1, 1, 5, 0, 1000, true, true, 60, false, translate, Optional.empty());
    }

    private static final DescriptionMatching MODEL = train(config(true));

    private static final int LEG_WOUND = LABELS.codes().indexOf("E09");
    private static final int[] DOCUMENT = ids(words(Case.of("E09"), new Random(3)));

    @Test
    void zeroShotLabelsAreFoundByTheirTranslatedNames() {
        float[] scores = MODEL.score(List.of(DOCUMENT))[0];
        for (int label = 0; label < scores.length; label++) {
            assertThat(scores[LEG_WOUND]).isGreaterThanOrEqualTo(scores[label]);
        }
        assertThat(train(config(false)).score(List.of(DOCUMENT))[0][LEG_WOUND]).isZero();
    }

    @Test
    void theWordsOfATranslatedNameAreEvidence() {
        assertThat(MODEL.evidence(DOCUMENT, LEG_WOUND)[0]).startsWith(0, 0, 0, 0);
        assertThat(MODEL.evidence(DOCUMENT, LEG_WOUND)[0][4]).isPositive();
        assertThat(MODEL.evidence(DOCUMENT, LEG_WOUND)[0][6]).isPositive();
    }

    @Test
    void trainingIsRepeatable() {
        assertThat(train(config(true)).score(List.of(DOCUMENT))).isDeepEqualTo(MODEL.score(List.of(DOCUMENT)));
    }

    @Test
    void translatedNamesAreStored(@TempDir Path directory) throws IOException {
        MODEL.save(directory);
        assertThat(load(directory, true).score(List.of(DOCUMENT))).isDeepEqualTo(MODEL.score(List.of(DOCUMENT)));

        Path file = directory.resolve("mention-ranker.bin");
        byte[] bytes = Files.readAllBytes(file);
        for (int end = bytes.length - 200; end < bytes.length; end += 7) {
            Files.write(file, Arrays.copyOf(bytes, end));
            assertThatThrownBy(() -> load(directory, true))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("truncated");
        }
    }

    /** Version 1 had no translated names, and zero-shot labels had no rank by ridge score. */
    @Test
    void rankersOfVersion1AreStillRead(@TempDir Path directory) throws IOException {
        DescriptionMatching model = train(config(false));
        model.save(directory);
        Path file = directory.resolve("mention-ranker.bin");
        byte[] bytes = Files.readAllBytes(file);
        assertThat(ByteBuffer.wrap(bytes).getInt(Long.BYTES)).isEqualTo(2);
        ByteBuffer.wrap(bytes).putInt(Long.BYTES, 1);
        byte[] version1 = Arrays.copyOf(bytes, bytes.length - Integer.BYTES);
        Files.write(file, version1);

        DescriptionMatching old = load(directory, false);
        List<int[]> seen = List.of(ids(words(CASES.get(0), new Random(4))));
        int label = LABELS.codes().indexOf(CASES.get(0).code());
        assertThat(old.score(seen)[0][label]).isPositive().isEqualTo(model.score(seen)[0][label]);
        old.save(directory);
        assertThat(file).hasBinaryContent(version1);
    }

    private static DescriptionMatching load(Path directory, boolean translate) {
        return config(translate).load(directory, VOCABULARY.size(), LABELS, Compute.CPU);
    }

    @Test
    void onlyNamesThatAreRankedByTreesAreTranslated() {
        assertThat(config(true).usesTranslations()).isTrue();
        assertThat(new DescriptionMatching.Config(1, 1, 5, 0, 1000, true, true, 0, false, true, Optional.empty())
                        .usesTranslations())
                .isFalse();
        assertThat(new DescriptionMatching.Config(1, 1, 5, 0, 1000, false, true, 60, false, true, Optional.empty())
                        .usesTranslations())
                .isFalse();
    }
}
