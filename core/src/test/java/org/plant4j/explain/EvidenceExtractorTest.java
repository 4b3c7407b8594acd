package org.plant4j.explain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.plant4j.Evidence;
import org.plant4j.Span;
import org.plant4j.text.TokenizedText;
import org.plant4j.text.WordTokenizer;

class EvidenceExtractorTest {

    /** All phrases, widened by words with at least a tenth of the weight. */
    private static final EvidenceExtractor ALL = new EvidenceExtractor(1, 10, 0, 0.1, 12);

    /** The evidence in a text whose words have the given weights, and 0 otherwise. */
    private static List<String> phrases(EvidenceExtractor extractor, String text, Map<String, Double> weights) {
        return extract(extractor, text, weights).stream().map(Evidence::text).toList();
    }

    private static List<Evidence> extract(EvidenceExtractor extractor, String text, Map<String, Double> weights) {
        TokenizedText tokens = new WordTokenizer().tokenize(text);
        float[] values = new float[tokens.size()];
        for (int t = 0; t < values.length; t++) {
            values[t] = weights.getOrDefault(tokens.tokens().get(t), 0.0).floatValue();
        }
        return extractor.extract(values, tokens, text);
    }

    @Test
    void aPhraseGrowsAcrossFunctionWordsByWordsWithWeight() {
        String text = "The patient had acute pain of the left knee today.";
        assertThat(phrases(ALL, text, Map.of("pain", 0.6, "acute", 0.1, "knee", 0.1)))
                .containsExactly("acute pain", "knee");
        assertThat(phrases(ALL, text, Map.of("pain", 0.6, "left", 0.1, "knee", 0.1, "today", 0.05)))
                .containsExactly("pain of the left knee", "today");
    }

    @Test
    void aPhraseEndsAtPunctuationConjunctionsLineEndsAndTriggers() {
        String text = "Fever, cough and dyspnea without edema\nRash (arm) no pain";
        Map<String, Double> weights = Map.of(
                "fever", 0.2, "cough", 0.15, "dyspnea", 0.14, "edema", 0.13, "rash", 0.12, "arm", 0.11, "pain", 0.1);
        assertThat(phrases(ALL, text, weights))
                .containsExactly("Fever", "cough", "dyspnea", "edema", "Rash", "arm", "pain");
    }

    @Test
    void aWordAloneInItsClauseBelongsToTheClauseBeforeAVerbOrColon() {
        assertThat(phrases(ALL, "BP high and losartan was uptitrated.", Map.of("losartan", 0.2, "uptitrated", 0.8)))
                .containsExactly("losartan was uptitrated");
        assertThat(phrases(
                        ALL,
                        "Regarding acute tubular necrosis: supportive, fluids",
                        Map.of("necrosis", 0.2, "supportive", 0.8)))
                .containsExactly("necrosis: supportive");
        assertThat(phrases(
                        ALL,
                        "Discharge diagnosis: sepsis, fluids",
                        Map.of("discharge", 0.1, "diagnosis", 0.1, "sepsis", 0.8)))
                .as("a heading")
                .containsExactly("sepsis", "Discharge diagnosis");
    }

    @Test
    void genericWordsGetTheNearestOtherWordOfTheirClause() {
        assertThat(phrases(ALL, "Takes HCTZ for her pressure.", Map.of("pressure", 1.0)))
                .containsExactly("HCTZ for her pressure");
        assertThat(phrases(ALL, "Left facial droop, 3/5 strength in the left arm", Map.of("strength", 1.0)))
                .containsExactly("3/5 strength in the left arm");
        assertThat(phrases(ALL, "Stable chronic disease of the kidney", Map.of("chronic", 0.5, "disease", 0.5)))
                .containsExactly("chronic disease of the kidney");
        assertThat(phrases(ALL, "Enfermedad renal crónica", Map.of("crónica", 1.0)))
                .containsExactly("renal crónica");
        assertThat(phrases(ALL, "Improved, stable", Map.of("improved", 1.0)))
                .as("no other word")
                .containsExactly("Improved");
        assertThat(phrases(ALL, "Hypertension improved", Map.of("hypertension", 0.6, "improved", 0.05)))
                .as("a generic word about another phrase")
                .containsExactly("Hypertension");
    }

    @Test
    void genericWordsAloneBelongToTheClauseBeforeAComma() {
        assertThat(phrases(ALL, "27 pack-year history, quit in 2019.", Map.of("quit", 1.0)))
                .containsExactly("pack-year history, quit");
        assertThat(phrases(ALL, "No fever, improved.", Map.of("improved", 1.0))).containsExactly("fever, improved");
        assertThat(phrases(ALL, "Gout, asthma", Map.of("asthma", 1.0))).containsExactly("asthma");
        assertThat(phrases(ALL, "Gout. Improved.", Map.of("improved", 1.0))).containsExactly("Improved");
    }

    @Test
    void aNumberBeforeAUnitBelongsToIt() {
        assertThat(phrases(ALL, "LR at 150 cc/hr until CK <5000", Map.of("hr", 0.5, "ck", 0.5)))
                .containsExactly("150 cc/hr until CK");
        assertThat(phrases(ALL, "PPI drip, 3 units pRBC", Map.of("units", 0.5, "prbc", 0.5)))
                .containsExactly("3 units pRBC");
        assertThat(phrases(ALL, "A1c 12 units insulin", Map.of("a1c", 0.6, "units", 0.01, "insulin", 0.05)))
                .as("a number belongs to one phrase")
                .containsExactly("A1c 12", "units insulin");
        assertThat(phrases(ALL, "On day 6 gout resolved", Map.of("gout", 0.5, "resolved", 0.5)))
                .containsExactly("gout resolved");
    }

    @Test
    void aNumberAfterAPhraseBelongsToIt() {
        assertThat(phrases(ALL, "Known DM type 2, poor control", Map.of("dm", 0.6, "type", 0.4)))
                .containsExactly("DM type 2");
        assertThat(phrases(ALL, "A1c 12.9 on arrival", Map.of("a1c", 1.0))).containsExactly("A1c 12.9");
        assertThat(phrases(ALL, "Hgb A1c 12.9. BP 120/80", Map.of("a1c", 0.6, "bp", 0.4)))
                .containsExactly("A1c 12.9", "BP 120/80");
        assertThat(phrases(ALL, "FEV1 38%, stable", Map.of("fev1", 1.0))).containsExactly("FEV1 38");
    }

    @Test
    void hyphensSlashesAndAbbreviationsDoNotEndAPhrase() {
        assertThat(phrases(ALL, "chest X-ray vs. H. pylori/gastritis", Map.of("x", 0.3, "ray", 0.2, "chest", 0.1)))
                .containsExactly("chest X-ray");
        assertThat(phrases(ALL, "chronic H. pylori infection", Map.of("pylori", 0.5, "h", 0.1, "infection", 0.1)))
                .containsExactly("H. pylori infection");
    }

    @Test
    void functionWordsTriggersAndNumbersAreNoEvidenceOnTheirOwn() {
        String text = "No sign of the flu in 2 weeks";
        assertThat(phrases(ALL, text, Map.of("of", 0.5, "no", 0.2, "flu", 0.1))).containsExactly("flu");
        assertThat(phrases(ALL, text, Map.of("of", 0.5, "no", 0.5))).isEmpty();
        TokenizedText subwords = new TokenizedText(
                List.of("in", "2", "weeks"), List.of(new Span(0, 2), new Span(3, 4), new Span(5, 10)));
        assertThat(ALL.extract(new float[] {0.2f, 0.7f, 0.1f}, subwords, "in 2 weeks"))
                .extracting(Evidence::text)
                .containsExactly("2 weeks");
    }

    @Test
    void wordsNextToAHeavyTriggerAreEvidenceButNotWordsWithHardlyAnyWeight() {
        EvidenceExtractor third = new EvidenceExtractor(0.8, 10, 0.3, 0.1, 12);
        String text = "PTSD, former tobacco use. Wheezing.";
        assertThat(phrases(third, text, Map.of("former", 0.7, "tobacco", 0.1, "use", 0.08, "wheezing", 0.02)))
                .containsExactly("tobacco use");
        assertThat(phrases(third, text, Map.of("former", 0.9, "wheezing", 0.05)))
                .isEmpty();
    }

    @Test
    void phrasesAreAddedUntilTheyHoldTheMass() {
        String text = "asthma. Gout. Stroke. Sepsis.";
        Map<String, Double> weights = Map.of("asthma", 0.4, "gout", 0.3, "stroke", 0.2, "sepsis", 0.1);
        assertThat(phrases(new EvidenceExtractor(0.6, 10, 0, 0.1, 12), text, weights))
                .containsExactly("asthma", "Gout");
        assertThat(phrases(new EvidenceExtractor(0.7, 10, 0, 0.1, 12), text, weights))
                .as("rounding errors are tolerated")
                .containsExactly("asthma", "Gout");
        assertThat(phrases(new EvidenceExtractor(1, 3, 0, 0.1, 12), text, weights))
                .containsExactly("asthma", "Gout", "Stroke");
        assertThat(phrases(new EvidenceExtractor(1, 10, 0.5, 0.1, 12), text, weights))
                .containsExactly("asthma", "Gout", "Stroke");
    }

    @Test
    void theWeightOfAPhraseIncludesAllItsTokensAndPhrasesAreOrderedByIt() {
        Map<String, Double> weights = Map.of("asthma", 0.3, "acute", 0.25, "renal", 0.2, "of", 0.05, "failure", 0.2);
        List<Evidence> evidence = extract(ALL, "Asthma. Acute failure of renal.", weights);
        assertThat(evidence).extracting(Evidence::text).containsExactly("Acute failure of renal", "Asthma");
        assertThat(evidence.get(0).weight()).isCloseTo(0.7, within(1e-6));
        assertThat(evidence.get(0).span()).isEqualTo(new Span(8, 30));
    }

    @Test
    void aPhraseIsBounded() {
        String text = "one two three four five six seven eight nine ten".replace(" ", "x ");
        float[] weights = new float[10];
        Arrays.fill(weights, 0.1f);
        weights[4] = 0.2f;
        List<Evidence> evidence =
                new EvidenceExtractor(1, 10, 0, 0.1, 4).extract(weights, new WordTokenizer().tokenize(text), text);
        assertThat(evidence)
                .isNotEmpty()
                .allSatisfy(item -> assertThat(item.text().split(" ")).hasSizeLessThanOrEqualTo(4));
        assertThat(evidence.get(0).text()).contains("fivex");
    }

    @Test
    void subwordsAreExtendedToWholeWords() {
        TokenizedText tokens = new TokenizedText(
                List.of("acute", "nephr", "##itis", "today"),
                List.of(new Span(0, 5), new Span(6, 11), new Span(11, 15), new Span(16, 21)));
        List<Evidence> evidence = new EvidenceExtractor(0.5, 10, 0, 1, 12)
                .extract(new float[] {0.1f, 0.1f, 0.7f, 0.1f}, tokens, "acute nephritis today");
        assertThat(evidence).extracting(Evidence::text).containsExactly("nephritis");
        assertThat(evidence.get(0).weight()).isCloseTo(0.8, within(1e-6));
    }

    @Test
    void phrasesNeverOverlapAndAreNeverFunctionWords() {
        String[] words = {"no", "pain", "of", "the", "knee", ",", "and", "fever", "38", ".", "\n", "acute", "de", "-"};
        SplittableRandom random = new SplittableRandom(7);
        for (int round = 0; round < 300; round++) {
            StringBuilder text = new StringBuilder();
            for (int w = random.nextInt(30); w >= 0; w--) {
                text.append(words[random.nextInt(words.length)]).append(random.nextInt(5) == 0 ? "" : " ");
            }
            TokenizedText tokens = new WordTokenizer().tokenize(text.toString());
            float[] weights = new float[tokens.size()];
            for (int t = 0; t < weights.length; t++) {
                weights[t] = random.nextInt(4) == 0 ? 0 : (float) random.nextDouble();
            }
            List<Evidence> evidence = EvidenceExtractor.standard().extract(weights, tokens, text.toString());
            for (Evidence item : evidence) {
                assertThat(List.of("no", "of", "the", "and", "de", "38", "-")).doesNotContain(item.text());
                assertThat(evidence.stream().filter(other -> other.span().overlaps(item.span())))
                        .hasSize(1);
            }
        }
    }

    @Test
    void noWeightGivesNoEvidence() {
        assertThat(phrases(EvidenceExtractor.standard(), "acute pain", Map.of()))
                .isEmpty();
        assertThat(phrases(EvidenceExtractor.standard(), "", Map.of())).isEmpty();
    }

    @Test
    void rejectsInvalidArguments() {
        TokenizedText tokens = new WordTokenizer().tokenize("acute pain");
        EvidenceExtractor extractor = EvidenceExtractor.standard();
        assertThatThrownBy(() -> extractor.extract(new float[] {0.5f, Float.NaN}, tokens, "acute pain"))
                .hasMessageStartingWith("weight: NaN");
        assertThatThrownBy(() -> extractor.extract(new float[3], tokens, "acute pain"))
                .hasMessageStartingWith("weights: 3");
        assertThatThrownBy(() -> new EvidenceExtractor(0, 1, 0, 0, 1)).hasMessageStartingWith("mass: 0.0");
        assertThatThrownBy(() -> new EvidenceExtractor(1, 0, 0, 0, 1)).hasMessageStartingWith("maxPhrases: 0");
        assertThatThrownBy(() -> new EvidenceExtractor(1, 1, 2, 0, 1)).hasMessageStartingWith("minRelativeWeight: 2");
        assertThatThrownBy(() -> new EvidenceExtractor(1, 1, 0, 2, 1)).hasMessageStartingWith("neighbourWeight: 2");
        assertThatThrownBy(() -> new EvidenceExtractor(1, 1, 0, 0, 0)).hasMessageStartingWith("maxWords: 0");
    }
}
