package org.plant4j.model.matching;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.Progress;
import org.plant4j.UserError;
import org.plant4j.tensor.Compute;
import org.plant4j.text.LabelIndex;
import org.plant4j.text.TokenEvidence;
import org.plant4j.text.Vocabulary;

class MentionRankerTest {

    private static final int DOCUMENTS = 250;

    private static final Vocabulary VOCABULARY = vocabulary();

    private static final int ADENOCARCINOMA = VOCABULARY.id("adenocarcinoma");
    private static final int MELANOMA = VOCABULARY.id("melanoma");
    private static final int METASTASIS = VOCABULARY.id("metastasis");
    private static final int SIN = VOCABULARY.id("sin");

    private static Vocabulary vocabulary() {
        List<String> words = new ArrayList<>(
                List.of("<pad>", "<unk>", "adenocarcinoma", "melanoma", "metastasis", "metastasica", "sin"));
        for (char letter = 'a'; letter < 'k'; letter++) {
            words.add("word" + letter);
        }
        try (Vocabulary.Builder builder = new Vocabulary.Builder()) {
            return builder.build(words);
        }
    }

    private static LabelIndex labels() {
        return LabelIndex.of(Map.of("8000/6", 50, "8140/3", 49, "8720/3", 48), 1)
                .withZeroShot(List.of("8140/6", "9999/9"));
    }

    /** Documents with up to three of the words of labels 0 to 2 between others; a word after "sin" has no label. */
    private static AnnotatedDocuments corpus() {
        int[] wordOf = {METASTASIS, ADENOCARCINOMA, MELANOMA};
        Random random = new Random(1);
        List<int[]> documents = new ArrayList<>();
        List<int[]> gold = new ArrayList<>();
        List<List<TokenEvidence>> marks = new ArrayList<>();
        for (int i = 0; i < DOCUMENTS; i++) {
            List<Integer> tokens = new ArrayList<>();
            List<TokenEvidence> evidence = new ArrayList<>();
            List<Integer> found = new ArrayList<>();
            for (int label = 0; label < wordOf.length; label++) {
                int kind = random.nextInt(3); // absent, marked, excluded
                for (int filler = 0; filler < 3; filler++) {
                    tokens.add(SIN + 1 + random.nextInt(10));
                }
                if (kind == 2) {
                    tokens.add(SIN);
                }
                if (kind > 0) {
                    tokens.add(wordOf[label]);
                }
                if (kind == 1) {
                    evidence.add(new TokenEvidence(label, tokens.size() - 1, tokens.size()));
                    found.add(label);
                }
            }
            tokens.add(SIN + 1);
            documents.add(tokens.stream().mapToInt(Integer::intValue).toArray());
            gold.add(found.stream().mapToInt(Integer::intValue).toArray());
            marks.add(evidence);
        }
        return new AnnotatedDocuments(documents, gold, marks);
    }

    private static final DescriptionMatching.Config WITH_TREES =
            new DescriptionMatching.Config(0.5, 1, 5, 0, 1000, false, true, 60, false, false, Optional.empty());

    private static DescriptionMatching train(DescriptionMatching.Config config) {
        return DescriptionMatching.train(
                config, VOCABULARY, labels(), corpus(), Collections.nCopies(5, new int[0]), List.of(), Progress.NONE);
    }

    private static final DescriptionMatching MODEL = train(WITH_TREES);

    /** The word is the same; only its context differs, which the regression does not see. */
    @Test
    void theContextOfAMentionCounts() {
        int[] marked = {SIN + 3, SIN + 5, SIN + 2, MELANOMA, SIN + 1};
        int[] excluded = {SIN + 3, SIN + 5, SIN + 2, SIN, MELANOMA, SIN + 1};
        float score = MODEL.score(List.of(marked))[0][2];
        assertThat(MODEL.score(List.of(excluded))[0][2]).isLessThan(score / 2);
    }

    /** 8140/6 is composed of 8140/3 and 8000/6; nothing of 9999/9 is mentioned. */
    @Test
    void zeroShotCodesAreComposedOfMentions() {
        float[] scores = MODEL.score(List.of(new int[] {ADENOCARCINOMA, SIN + 2, METASTASIS}))[0];
        assertThat(scores[3]).isPositive();
        assertThat(scores[4]).isZero();
    }

    @Test
    void wordsWithAnotherEndingAreSimilarMentions() {
        DescriptionMatching.Config noRidge =
                new DescriptionMatching.Config(0.5, 0, 5, 0, 1000, false, true, 60, false, false, Optional.empty());
        int[] document = {SIN + 1, SIN + 2, METASTASIS + 1};
        DescriptionMatching model = train(noRidge);
        assertThat(model.score(List.of(document))[0][0]).isPositive();
        assertThat(train(new DescriptionMatching.Config(
                                0.5, 0, 5, 0, 1000, false, true, 0, false, false, Optional.empty()))
                        .score(List.of(document))[0][0])
                .isZero();
        float[] evidence = model.evidence(document, 0)[0];
        assertThat(evidence).containsExactly(0, 0, 1);
    }

    @Test
    void aModelWithTreesCanBeStored(@TempDir Path directory) throws IOException {
        MODEL.save(directory);
        List<int[]> documents = corpus().documents().subList(0, 20);
        assertThat(load(directory).score(documents)).isDeepEqualTo(MODEL.score(documents));

        Path file = directory.resolve("mention-ranker.bin");
        byte[] bytes = Files.readAllBytes(file);
        for (int end : new int[] {0, 7, 50, 200, bytes.length / 2, bytes.length - 1}) {
            Files.write(file, Arrays.copyOf(bytes, end));
            assertThatThrownBy(() -> load(directory))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("truncated");
        }
        Files.write(file, Arrays.copyOf(bytes, bytes.length + 1));
        assertThatThrownBy(() -> load(directory)).isInstanceOf(UserError.class).hasMessageContaining("damaged");
        Files.delete(file);
        assertThatThrownBy(() -> load(directory)).isInstanceOf(UserError.class).hasMessageContaining("missing");
    }

    private static DescriptionMatching load(Path directory) {
        return WITH_TREES.load(directory, VOCABULARY.size(), labels(), Compute.CPU);
    }

    @Test
    void trainingIsRepeatable() {
        List<int[]> documents = corpus().documents().subList(0, 20);
        assertThat(train(WITH_TREES).score(documents)).isDeepEqualTo(MODEL.score(documents));
    }

    @Test
    void treesNeedMentions() {
        assertThatThrownBy(() -> new DescriptionMatching.Config(
                        0.5, 1, 5, 0, 1000, true, false, 10, false, false, Optional.empty()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("trees");
    }
}
