package org.plant4j.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.plant4j.DomainCheck;
import org.plant4j.corpus.Split;
import org.plant4j.corpus.demo.DemoCorpus;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.text.Dataset;
import org.plant4j.text.TokenizedText;
import org.plant4j.text.Vocabulary;
import org.plant4j.text.WordTokenizer;

/** The guard of the demo corpus. */
class DomainGuardTest {

    private static final WordTokenizer TOKENIZER = new WordTokenizer();

    private static Vocabulary vocabulary;
    private static Dataset test;
    private static DomainProfile profile;
    private static DomainGuard guard;

    @BeforeAll
    static void tune() {
        List<TokenizedText> train = texts(Split.TRAIN, 300);
        Vocabulary.Builder counts = new Vocabulary.Builder();
        train.forEach(counts::add);
        vocabulary = counts.build(2, 100_000);
        test = dataset(texts(Split.TEST, 100));
        profile = DomainTuner.tune(vocabulary, dataset(train), dataset(texts(Split.DEV, 100)), 1)
                .orElseThrow();
        guard = new DomainGuard(vocabulary, profile);
    }

    private static List<TokenizedText> texts(Split split, int count) {
        try (var documents = new DemoCorpus(split, 1).documents()) {
            return documents
                    .limit(count)
                    .map(document -> TOKENIZER.tokenize(document.text()))
                    .toList();
        }
    }

    private static Dataset dataset(List<TokenizedText> texts) {
        return new Dataset() {
            @Override
            public int size() {
                return texts.size();
            }

            @Override
            public int[] tokens(int document) {
                return vocabulary.ids(texts.get(document));
            }

            @Override
            public int[] labels(int document) {
                return new int[0];
            }
        };
    }

    private static DomainCheck check(String text) {
        return guard.check(vocabulary.ids(TOKENIZER.tokenize(text)));
    }

    private static String reason(String text) {
        return check(text).reason().orElse("");
    }

    @Test
    void documentsOfTheCorpusAreInDomain() {
        for (int i = 0; i < test.size(); i++) {
            assertThat(guard.check(test.tokens(i)).inDomain())
                    .as("document " + i)
                    .isTrue();
        }
    }

    @Test
    void shortNotesWithKnownWordsAreInDomain() {
        assertThat(List.of("gout", "Short note: pneumonia", "Pneumonia, sepsis. Acute kidney injury."))
                .allSatisfy(note -> assertThat(check(note)).isEqualTo(DomainCheck.IN_DOMAIN));
    }

    @Test
    void textsWithoutKnownWordsAreOutOfDomain() {
        assertThat(reason("")).isEqualTo("The text contains no words.");
        assertThat(reason("1234 -- ?!")).isEqualTo("The text contains no words.");
        assertThat(reason("qzx qzx qzx blarg")).isEqualTo("None of the words occurs in the training documents.");
        assertThat(reason("Lorem ipsum dolor sit amet")).isNotEmpty();
    }

    @Test
    void otherLanguagesAndSourceCodeAreOutOfDomain() {
        ForeignTexts.builtIn().forEach((kind, texts) -> {
            if (!kind.equals("English")) {
                assertThat(texts).as(kind).noneMatch(text -> check(text).inDomain());
            }
        });
        assertThat(reason("El paciente ingresó por dolor en el pecho y dificultad para respirar."))
                .startsWith("The text does not seem to be in the language of the training documents: ");
    }

    @Test
    void shuffledWordsAreOutOfDomain() {
        Random random = new Random(5);
        int detected = 0;
        for (int i = 0; i < test.size(); i++) {
            List<Integer> tokens =
                    new ArrayList<>(Arrays.stream(test.tokens(i)).boxed().toList());
            Collections.shuffle(tokens, random);
            DomainCheck check =
                    guard.check(tokens.stream().mapToInt(Integer::intValue).toArray());
            detected += check.equals(
                            DomainCheck.outOfDomain("The word order does not resemble that of the training documents."))
                    ? 1
                    : 0;
        }
        assertThat(detected).isGreaterThanOrEqualTo(97); // of 100; a few random orders look better than chance
    }

    @Test
    void aNoteByAnotherAuthorHasAWordOrder() {
        assertThat(check(
                        "Mrs. Smith is an 81-year-old woman with atrial fibrillation on warfarin, hypertension and type 2"
                                + " diabetes who presented after a fall at home. CT head showed no bleeding. She was found to have a"
                                + " urinary tract infection and was treated with ceftriaxone."))
                .isEqualTo(DomainCheck.IN_DOMAIN);
    }

    @Test
    void theScoreIsNegativeIfAndOnlyIfOutOfDomain() {
        ForeignTexts.builtIn().values().stream().flatMap(List::stream).forEach(text -> {
            int[] tokens = vocabulary.ids(TOKENIZER.tokenize(text));
            assertThat(guard.score(tokens) < 0).isEqualTo(!guard.check(tokens).inDomain());
        });
        assertThat(guard.score(new int[0])).isEqualTo(Double.NEGATIVE_INFINITY);
    }

    @Test
    void theProfileIsSmallAndKeepsItsValuesInJson() throws Exception {
        String json = RunDirectory.JSON.writeValueAsString(profile);
        assertThat(json.length()).isLessThan(400_000);
        DomainProfile read = RunDirectory.JSON.readValue(json, DomainProfile.class);
        assertThat(read.logLikelihood()).isEqualTo(profile.logLikelihood());
        assertThat(read.wordOrder()).isEqualTo(profile.wordOrder());
        assertThat(read.pairs().toBytes()).isEqualTo(profile.pairs().toBytes());
    }

    @Test
    void tuningIsDeterministicAndNeedsTokens() {
        DomainProfile again = DomainTuner.tune(vocabulary, test, test, 3).orElseThrow();
        assertThat(DomainTuner.tune(vocabulary, test, dataset(List.of()), 3)
                        .orElseThrow()
                        .logLikelihood())
                .isEqualTo(again.logLikelihood()); // without dev documents, the training documents take their place
        assertThat(DomainTuner.tune(vocabulary, dataset(List.of()), dataset(List.of()), 3))
                .isEmpty();
    }

    @Test
    void featuresAreMeansOverTokens() {
        Vocabulary.Builder counts = new Vocabulary.Builder();
        counts.add(TOKENIZER.tokenize("a b a b a c"));
        Vocabulary small = counts.build(1, 10); // a 3, b 2, c 1; with padding and unknown 5 tokens
        TextFeatures features = new TextFeatures.Extractor(small).of(small.ids(TOKENIZER.tokenize("a b x c b")));
        assertThat(features.tokens()).isEqualTo(5);
        assertThat(features.coverage()).isEqualTo(0.8);
        // Smoothed by 0.5 per token: 6 + 0.5 * 5 = 8.5 in all, (3.5, 2.5, 0.5, 1.5, 2.5) / 8.5
        assertThat(features.logLikelihood())
                .isCloseTo((Math.log(3.5 * 2.5 * 0.5 * 1.5 * 2.5) - 5 * Math.log(8.5)) / 5, within(1e-9));
        assertThat(features.pairs()).isEqualTo(2); // a b and c b
        assertThat(features.frequentTokens()).isEqualTo(0.8); // all, as there are fewer than 30 tokens
    }
}
