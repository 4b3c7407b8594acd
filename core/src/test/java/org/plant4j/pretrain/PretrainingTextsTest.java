package org.plant4j.pretrain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.plant4j.UserError;

class PretrainingTextsTest {

    /** Document i is (i, i + 100); one document is empty. */
    private static final List<ListExamples> DATASETS = List.of(
            new ListExamples(
                    IntStream.range(2, 12).mapToObj(i -> new int[] {i, i + 100}).toList()),
            new ListExamples(List.of(new int[] {12, 112}, new int[0])));

    @Test
    void everyDocumentStartsWithPaddingAndEmptyOnesAreLeftOut() {
        int[] stream = new PretrainingTexts(DATASETS, 0, false, 1, "language_model").trainingStream(0);
        assertThat(stream).hasSize(33);
        for (int i = 0; i < 33; i += 3) {
            assertThat(stream[i]).isZero();
            assertThat(stream[i + 2]).isEqualTo(stream[i + 1] + 100);
        }
    }

    @Test
    void theSameDocumentsAreHeldOutInEveryEpochAndDirection() {
        PretrainingTexts texts = new PretrainingTexts(DATASETS, 0.2, false, 1, "language_model");
        int[] held = texts.heldOutStream();
        assertThat(held).hasSize(6); // two of eleven documents
        assertThat(texts.trainingStream(0)).hasSize(27).doesNotContain(held[1], held[4]);
        assertThat(texts.trainingStream(7)).hasSize(27).doesNotContain(held[1], held[4]);
        int[] reversed = new PretrainingTexts(DATASETS, 0.2, true, 1, "language_model").heldOutStream();
        assertThat(reversed).containsExactly(0, held[2], held[1], 0, held[5], held[4]);
        assertThat(new PretrainingTexts(DATASETS, 0, false, 1, "language_model").hasHeldOut())
                .isFalse();
    }

    @Test
    void eachEpochHasItsOwnReproducibleOrder() {
        PretrainingTexts texts = new PretrainingTexts(DATASETS, 0, false, 1, "language_model");
        assertThat(texts.trainingStream(0)).isNotEqualTo(texts.trainingStream(1));
        assertThat(texts.trainingStream(1))
                .containsExactly(new PretrainingTexts(DATASETS, 0, false, 1, "language_model").trainingStream(1));
        assertThat(texts.trainingStream(0))
                .isNotEqualTo(new PretrainingTexts(DATASETS, 0, false, 2, "language_model").trainingStream(0));
    }

    @Test
    void atLeastOneDocumentMustRemainForTraining() {
        List<ListExamples> one = List.of(new ListExamples(List.of(new int[] {2})));
        assertThatThrownBy(() -> new PretrainingTexts(one, 0.05, false, 1, "language_model"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("1 of 1 documents");
        assertThat(new PretrainingTexts(one, 0, false, 1, "language_model").trainingStream(0))
                .containsExactly(0, 2);
    }
}
