package org.plant4j.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.plant4j.corpus.GoldEvidence;
import org.plant4j.corpus.Span;

class PassageSplitterTest {

    /** Tokens 0 to 9, each of one letter at twice its position. */
    private static final TokenizedText TEN = new WordTokenizer().tokenize("a b c d e f g h i j");

    @Test
    void passagesFollowEachOtherWithTheCodesOfTheirEvidence() {
        assertThat(cut(4, Set.of("A", "B"), seen("A", 1), seen("B", 4), seen("A", 7), seen("B", 8)))
                .containsExactly("0-4 [A]", "4-8 [A, B]", "8-10 [B]");
    }

    @Test
    void aPassageWithoutCodesIsSkipped() {
        assertThat(cut(4, Set.of("A"), seen("A", 9))).containsExactly("8-10 [A]");
    }

    @Test
    void aPassageEndsBeforeEvidenceThatDoesNotFit() {
        assertThat(cut(4, Set.of("A", "B"), seen("A", 0), seen("B", 3, 5)))
                .containsExactly("0-3 [A]", "3-7 [B]"); // and 7-10 without a code
        assertThat(cut(4, Set.of("A"), seen("A", 2, 3))).containsExactly("0-4 [A]"); // ends with it: nothing to move
        assertThat(cut(4, Set.of("A"), seen("A", 4, 5))).containsExactly("4-8 [A]"); // so does what begins after it
    }

    @Test
    void aPassageEndsBeforeOverlappingEvidenceThatDoesNotFit() {
        assertThat(cut(5, Set.of("A", "B"), seen("A", 4, 6), seen("B", 2, 4)))
                .containsExactly("2-7 [A, B]"); // from 5 before A to 4, which is within B
    }

    @Test
    void aPassageExtendsToTheEndOfLongEvidence() {
        assertThat(cut(3, Set.of("A", "B"), seen("A", 3, 7), seen("B", 9)))
                .containsExactly("3-8 [A]", "8-10 [B]"); // 0-3 has none
        assertThat(cut(3, Set.of("A", "B"), seen("A", 0, 3), seen("B", 3, 5)))
                .containsExactly("0-6 [A, B]"); // the end of A is within B
    }

    @Test
    void evidenceOfSeveralSpansIsNotSplit() {
        GoldEvidence apart = new GoldEvidence("A", List.of(span(5), span(2)));
        assertThat(cut(4, Set.of("A"), apart)).containsExactly("2-6 [A]");
    }

    @Test
    void aDocumentThatFitsIntoOnePassageHasNone() {
        assertThat(cut(10, Set.of("A"), seen("A", 1))).isEmpty();
        assertThat(cut(9, Set.of("A"), seen("A", 1))).containsExactly("0-9 [A]");
        assertThat(cut(2, Set.of("A"), seen("A", 0, 9))).isEmpty(); // grown to all of it
    }

    @Test
    void aDocumentWithACodeWithoutEvidenceHasNoPassages() {
        assertThat(cut(4, Set.of("A", "B"), seen("A", 1))).isEmpty();
        GoldEvidence between = new GoldEvidence("B", List.of(new Span(1, 2))); // a blank, and no token
        assertThat(cut(4, Set.of("A", "B"), seen("A", 1), between)).isEmpty();
        assertThat(cut(4, Set.of("A", "B"), seen("A", 1), new GoldEvidence("B", List.of())))
                .isEmpty();
        assertThat(cut(4, Set.of())).isEmpty();
    }

    @Test
    void evidenceOfOtherCodesIsIgnored() {
        assertThat(cut(4, Set.of("A"), seen("A", 0), seen("X", 3, 5))).containsExactly("0-4 [A]");
    }

    @Test
    void aPassageHasAtLeastOneToken() {
        assertThatThrownBy(() -> new PassageSplitter(0)).isInstanceOf(IllegalArgumentException.class);
        assertThat(cut(1, Set.of("A"), seen("A", 2))).containsExactly("2-3 [A]");
    }

    private static List<String> cut(int longest, Set<String> codes, GoldEvidence... evidence) {
        return new PassageSplitter(longest)
                .split(TEN, codes, Arrays.asList(evidence)).stream()
                        .map(passage -> passage.start() + "-" + passage.end() + " " + passage.codes())
                        .toList();
    }

    private static GoldEvidence seen(String code, int token) {
        return new GoldEvidence(code, List.of(span(token)));
    }

    /** From one token to another, that one included. */
    private static GoldEvidence seen(String code, int first, int last) {
        return new GoldEvidence(code, List.of(new Span(2 * first, 2 * last + 1)));
    }

    private static Span span(int token) {
        return new Span(2 * token, 2 * token + 1);
    }
}
