package org.plant4j.model.matching;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.plant4j.Progress;
import org.plant4j.UserError;
import org.plant4j.tensor.Compute;
import org.plant4j.text.Dataset;
import org.plant4j.text.LabelIndex;
import org.plant4j.text.TokenEvidence;
import org.plant4j.text.Vocabulary;

class MentionIndexTest {

    private static final int WORDS = 12;

    /** Padding and the unknown token have no stem; token t has stem t − 2. */
    private static final int[] STEMS = IntStream.range(0, WORDS)
            .map(token -> token < 2 ? DescriptionIndex.UNKNOWN : token - 2)
            .toArray();

    /** Label 0 is "4", label 1 is "4 5"; token 6 is once evidence of label 0 and the last document has none. */
    private static final AnnotatedDocuments CORPUS = new AnnotatedDocuments(
            List.of(new int[] {4, 7, 6}, new int[] {8, 4, 5, 9}, new int[] {4, 5, 4}, new int[] {6, 8, 4}, new int[] {
                1, 7
            }),
            List.of(new int[] {0}, new int[] {1}, new int[] {0, 1}, new int[] {0}, new int[] {}),
            List.of(
                    List.of(new TokenEvidence(0, 0, 1)),
                    List.of(new TokenEvidence(1, 1, 3)),
                    List.of(new TokenEvidence(1, 0, 2), new TokenEvidence(0, 2, 3)),
                    List.of(new TokenEvidence(0, 0, 1)),
                    List.of(new TokenEvidence(0, 0, 1)))); // an unknown token cannot be a mention

    private static final MentionIndex INDEX = MentionIndex.of(STEMS, CORPUS);

    @Test
    void mentionsCountTheDocumentsThatContainThemAndThoseThatMarkThem() {
        assertThat(INDEX.mentions()).hasSize(3);
        MentionIndex.Mention four = INDEX.mentions().get(0);
        assertThat(four.stems()).containsExactly(2);
        assertThat(four.documents()).isEqualTo(4);
        assertThat(four.marked()).isEqualTo(2);
        assertThat(four.labels()).containsExactly(0);
        assertThat(four.counts()).containsExactly(2);
        MentionIndex.Mention fourFive = INDEX.mentions().get(1);
        assertThat(fourFive.stems()).containsExactly(2, 3);
        assertThat(fourFive.documents()).isEqualTo(2);
        assertThat(fourFive.counts()).containsExactly(2);
        assertThat(INDEX.mentions().get(2).documents()).isEqualTo(2); // 6, marked in one of them
    }

    /** 4 5 contains 4 at position 2, so that one of its two occurrences is part of a longer mention. */
    @Test
    void theLabelsOfADocumentAreThoseOfItsMentions() {
        List<MentionMatch> matches = INDEX.matches(new int[] {9, 4, 4, 5, 6});
        assertThat(matches).extracting(MentionMatch::label).containsExactly(0, 1);
        MentionMatch first = matches.get(0);
        double four = 2 / 4.5;
        double six = 1 / 2.5;
        assertThat(first.probability()).isCloseTo(four, within(1e-12));
        assertThat(first.anyProbability()).isCloseTo(1 - (1 - four) * (1 - six), within(1e-12));
        assertThat(first.widestProbability()).isCloseTo(four, within(1e-12));
        assertThat(first.mentions()).isEqualTo(2);
        assertThat(first.best()).isEqualTo(new MentionMatch.Best(2, 4, 1, 2, 1, 1));
        assertThat(first.widestShare()).isEqualTo(0.5);
        MentionMatch second = matches.get(1);
        assertThat(second.probability()).isCloseTo(2 / 2.5, within(1e-12));
        assertThat(second.best()).isEqualTo(new MentionMatch.Best(2, 2, 2, 1, 2, 1));
    }

    @Test
    void aMentionInsideALongerOneIsNotTheWidest() {
        MentionMatch match = INDEX.matches(new int[] {4, 5}).get(0);
        assertThat(match.label()).isZero();
        assertThat(match.widestProbability()).isZero();
        assertThat(match.widestShare()).isZero();
    }

    @Test
    void aTrainingDocumentDoesNotCountForItself() {
        // 6 is marked in document 3 alone, so it is not a mention there; 4 is marked in documents 0 and 2, of three
        // others.
        List<MentionMatch> matches = INDEX.matchesOfOthers(CORPUS, 3);
        assertThat(matches).hasSize(1);
        assertThat(matches.get(0).probability()).isCloseTo(2 / 3.5, within(1e-12));
        // Document 0 marks 4 itself, one mark and three documents remain; its 6 is marked in another of one document.
        MentionMatch own = INDEX.matchesOfOthers(CORPUS, 0).get(0);
        assertThat(own.probability()).isCloseTo(1 / 1.5, within(1e-12));
        assertThat(own.anyProbability()).isCloseTo(1 - (1 - 1 / 1.5) * (1 - 1 / 3.5), within(1e-12));
    }

    /** Of mentions that are equally probable either may be the best one, as their order depends on the documents. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void aTrainingDocumentIsMatchedAsIfItWereNew(long seed) {
        AnnotatedDocuments all = random(30, seed);
        MentionIndex index = MentionIndex.of(STEMS, all);
        for (int i = 0; i < all.size(); i++) {
            List<MentionMatch> found = index.matchesOfOthers(all, i);
            List<MentionMatch> expected = MentionIndex.of(STEMS, all.without(i)).matches(all.tokens(i));
            assertThat(found).hasSameSizeAs(expected);
            for (int at = 0; at < found.size(); at++) {
                MentionMatch here = found.get(at);
                MentionMatch there = expected.get(at);
                assertThat(here.label()).isEqualTo(there.label());
                assertThat(here.probability()).isEqualTo(there.probability());
                assertThat(here.anyProbability()).isCloseTo(there.anyProbability(), within(1e-12));
                assertThat(here.widestProbability()).isEqualTo(there.widestProbability());
                assertThat(here.mentions()).isEqualTo(there.mentions());
                assertThat(probability(here.best())).isEqualTo(probability(there.best()));
                if (here.mentions() == 1) {
                    assertThat(here.best()).isEqualTo(there.best());
                }
            }
        }
    }

    private static double probability(MentionMatch.Best best) {
        return MentionMatch.probability(best.marked(), best.documents());
    }

    /** Documents of up to 12 of 10 words, with up to three phrases of one to three words that are evidence of two labels. */
    private static AnnotatedDocuments random(int count, long seed) {
        Random random = new Random(seed);
        List<int[]> documents = new ArrayList<>();
        List<List<TokenEvidence>> marks = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int[] tokens = random.ints(4 + random.nextInt(9), 1, WORDS).toArray();
            documents.add(tokens);
            marks.add(IntStream.range(0, random.nextInt(4))
                    .mapToObj(mark -> {
                        int start = random.nextInt(tokens.length);
                        int end = Math.min(tokens.length, start + 1 + random.nextInt(3));
                        return new TokenEvidence(random.nextInt(2), start, end);
                    })
                    .toList());
        }
        return new AnnotatedDocuments(documents, Collections.nCopies(count, new int[0]), marks);
    }

    @Test
    void evidenceIsTheTokensOfMentionsByTheirProbability() {
        assertThat(INDEX.weights(new int[] {9, 4, 5, 6}, 1)).containsExactly(0, 0.8f, 0.8f, 0);
        assertThat(INDEX.weights(new int[] {9, 4, 5, 6}, 0)).containsExactly(0, (float) (2 / 4.5), 0, 0.4f);
    }

    private static final DescriptionMatching.Config MENTIONS_ONLY =
            new DescriptionMatching.Config(0.5, 0, 5, 0, 1000, false, true, 0, false, false, Optional.empty());

    private static DescriptionMatching train(DescriptionMatching.Config config, Dataset documents) {
        return DescriptionMatching.train(
                config,
                vocabulary(),
                labels(),
                documents,
                Collections.nCopies(2, new int[0]),
                List.of(),
                Progress.NONE);
    }

    private static Vocabulary vocabulary() {
        try (Vocabulary.Builder builder = new Vocabulary.Builder()) {
            return builder.build(IntStream.range(0, WORDS - 2)
                    .mapToObj(i -> Character.toString((char) ('a' + i)))
                    .toList());
        }
    }

    private static LabelIndex labels() {
        return LabelIndex.of(new HashMap<>(Map.of("0", 3, "1", 2)), 1);
    }

    @Test
    void aModelOfMentionsNeedsNoDescriptionsAndCanBeStored(@TempDir Path directory) {
        DescriptionMatching model = train(MENTIONS_ONLY, CORPUS);
        float[] scores = model.score(List.of(new int[] {9, 4, 5}))[0];
        assertThat(scores[1]).isGreaterThan(0);
        assertThat(model.score(List.of(new int[] {9, 8}))[0]).containsExactly(0, 0); // no mention
        model.save(directory);
        DescriptionMatching loaded = MENTIONS_ONLY.load(directory, WORDS, labels(), Compute.CPU);
        assertThat(loaded.score(List.of(new int[] {9, 4, 5}))[0]).containsExactly(scores);
        assertThat(loaded.evidence(new int[] {9, 4, 5}, 1)[0]).containsExactly(0, 0.5f, 0.5f);
    }

    @Test
    void documentsWithoutEvidenceAreRefused() {
        AnnotatedDocuments unmarked =
                new AnnotatedDocuments(CORPUS.documents(), CORPUS.gold(), Collections.nCopies(5, List.of()));
        assertThatThrownBy(() -> train(MENTIONS_ONLY, unmarked))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("no gold evidence");
    }

    /** Each phrase is marked in one document, which does not count for itself. */
    @Test
    void phrasesThatAreMarkedInOneDocumentEachAreTooFew() {
        AnnotatedDocuments different = new AnnotatedDocuments(
                List.of(new int[] {4, 7}, new int[] {5, 8}),
                List.of(new int[] {0}, new int[] {1}),
                List.of(List.of(new TokenEvidence(0, 0, 1)), List.of(new TokenEvidence(1, 0, 1))));
        assertThatThrownBy(() -> train(MENTIONS_ONLY, different))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("No training document has a candidate")
                .hasMessageContaining("model.ridge_penalty");
    }

    /** Version 1 of the file ended before the number of mentions. */
    @Test
    void filesWithoutMentionsCanStillBeRead(@TempDir Path directory) throws IOException {
        DescriptionMatching.Config config =
                new DescriptionMatching.Config(0.5, 1, 5, 0, 1000, true, false, 0, false, false, Optional.empty());
        DescriptionMatching model = DescriptionMatching.train(
                config,
                vocabulary(),
                labels(),
                CORPUS,
                List.of(new int[] {4}, new int[] {4, 5}),
                List.of(),
                Progress.NONE);
        model.save(directory);
        Path file = directory.resolve("description-matching.bin");
        byte[] bytes = Files.readAllBytes(file);
        ByteBuffer.wrap(bytes).putInt(Long.BYTES, 1);
        Files.write(file, Arrays.copyOf(bytes, bytes.length - Integer.BYTES));
        int[] document = {9, 4, 5};
        assertThat(config.load(directory, WORDS, labels(), Compute.CPU).score(List.of(document)))
                .isDeepEqualTo(model.score(List.of(document)));
    }
}
