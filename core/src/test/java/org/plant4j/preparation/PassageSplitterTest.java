package org.plant4j.preparation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.plant4j.GoldEvidence;
import org.plant4j.Span;
import org.plant4j.text.TokenizedText;
import org.plant4j.text.WordTokenizer;

class PassageSplitterTest {

    /** Tokens 0 to 9, each of one letter at twice its position. */
    private static final TokenizedText TEN = new WordTokenizer().tokenize("a b c d e f g h i j");

    @Test
    void passagesFollowEachOtherWithTheCodesOfTheirEvidence() {
        assertThat(split(4, Set.of("A", "B"), evidence("A", 1), evidence("B", 4), evidence("A", 7), evidence("B", 8)))
                .containsExactly("0-4 [A]", "4-8 [A, B]", "8-10 [B]");
    }

    @Test
    void aPassageWithoutCodesIsSkipped() {
        assertThat(split(4, Set.of("A"), evidence("A", 9))).containsExactly("8-10 [A]");
    }

    @Test
    void aPassageEndsBeforeEvidenceThatDoesNotFit() {
        assertThat(split(4, Set.of("A", "B"), evidence("A", 0), evidence("B", 3, 5)))
                .containsExactly("0-3 [A]", "3-7 [B]"); // 7-10 has no code
        assertThat(split(4, Set.of("A"), evidence("A", 2, 3)))
                .containsExactly("0-4 [A]"); // the evidence ends with the passage
        assertThat(split(4, Set.of("A"), evidence("A", 4, 5)))
                .containsExactly("4-8 [A]"); // the evidence starts with the passage
    }

    @Test
    void aPassageEndsBeforeOverlappingEvidenceThatDoesNotFit() {
        assertThat(split(5, Set.of("A", "B"), evidence("A", 4, 6), evidence("B", 2, 4)))
                .containsExactly("2-7 [A, B]"); // ends before A at 4, which is within B
    }

    @Test
    void aPassageExtendsToTheEndOfLongEvidence() {
        assertThat(split(3, Set.of("A", "B"), evidence("A", 3, 7), evidence("B", 9)))
                .containsExactly("3-8 [A]", "8-10 [B]"); // 0-3 has none
        assertThat(split(3, Set.of("A", "B"), evidence("A", 0, 3), evidence("B", 3, 5)))
                .containsExactly("0-6 [A, B]"); // the end of A is within B
    }

    @Test
    void evidenceOfSeveralSpansIsNotSplit() {
        GoldEvidence apart = new GoldEvidence("A", List.of(span(5), span(2)));
        assertThat(split(4, Set.of("A"), apart)).containsExactly("2-6 [A]");
    }

    @Test
    void aDocumentThatFitsIntoOnePassageHasNone() {
        assertThat(split(10, Set.of("A"), evidence("A", 1))).isEmpty();
        assertThat(split(9, Set.of("A"), evidence("A", 1))).containsExactly("0-9 [A]");
        assertThat(split(2, Set.of("A"), evidence("A", 0, 9))).isEmpty(); // extended to the whole document
    }

    @Test
    void aDocumentWithACodeWithoutEvidenceHasNoPassages() {
        assertThat(split(4, Set.of("A", "B"), evidence("A", 1))).isEmpty();
        GoldEvidence between = new GoldEvidence("B", List.of(new Span(1, 2))); // a space, not a token
        assertThat(split(4, Set.of("A", "B"), evidence("A", 1), between)).isEmpty();
        assertThat(split(4, Set.of("A", "B"), evidence("A", 1), new GoldEvidence("B", List.of())))
                .isEmpty();
        assertThat(split(4, Set.of())).isEmpty();
    }

    @Test
    void evidenceOfOtherCodesIsIgnored() {
        assertThat(split(4, Set.of("A"), evidence("A", 0), evidence("X", 3, 5))).containsExactly("0-4 [A]");
    }

    @Test
    void aPassageHasAtLeastOneToken() {
        assertThatThrownBy(() -> new PassageSplitter(0)).isInstanceOf(IllegalArgumentException.class);
        assertThat(split(1, Set.of("A"), evidence("A", 2))).containsExactly("2-3 [A]");
    }

    private static List<String> split(int maxTokens, Set<String> codes, GoldEvidence... evidence) {
        return new PassageSplitter(maxTokens)
                .split(TEN, codes, Arrays.asList(evidence)).stream()
                        .map(passage -> passage.start() + "-" + passage.end() + " " + passage.codes())
                        .toList();
    }

    private static GoldEvidence evidence(String code, int token) {
        return new GoldEvidence(code, List.of(span(token)));
    }

    /** Evidence from one token to another, inclusive. */
    private static GoldEvidence evidence(String code, int first, int last) {
        return new GoldEvidence(code, List.of(new Span(2 * first, 2 * last + 1)));
    }

    private static Span span(int token) {
        return new Span(2 * token, 2 * token + 1);
    }
}
