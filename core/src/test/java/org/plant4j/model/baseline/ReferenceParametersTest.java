package org.plant4j.model.baseline;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.plant4j.model.LabelNetwork;
import org.plant4j.tensor.Compute;

/**
 * Numbers of parameters without word embeddings, with the sizes of the reference implementations for MIMIC-III and 50 labels.
 * Layers that these create but never use (the bias of CAML's attention, square layers of LAAT) are not counted.
 */
class ReferenceParametersTest {

    private static final int VOCABULARY = 7;
    private static final int EMBEDDING = 100;
    private static final int LABELS = 50;

    /** {@code ConvAttnPool} of caml-mimic has 55,150. */
    @Test
    void caml() {
        Caml.Config config = new Caml.Config(EMBEDDING, 50, 10, 0.2, 0, -3);
        assertParameters(config.build(VOCABULARY, LABELS, Compute.CPU), 1, 55_150 - LABELS);
    }

    /** With {@code lmbda}, 107,750; descriptions have embeddings of their own. */
    @Test
    void drCaml() {
        DrCaml.Config config = new DrCaml.Config(EMBEDDING, 50, 10, 0.2, 0.01, 30, -3);
        assertParameters(config.build(VOCABULARY, LABELS, Compute.CPU), 2, 107_750 - LABELS);
    }

    /** {@code VanillaConv} of caml-mimic, 500 filters of width 4, has 225,550. */
    @Test
    void textCnn() {
        TextCnn.Config config = new TextCnn.Config(EMBEDDING, 500, List.of(4), TextCnn.Activation.TANH, 0.2, 0, -3);
        assertParameters(config.build(VOCABULARY, LABELS, Compute.CPU), 1, 225_550);
    }

    /** {@code MultiResCNN} has 1,392,500. */
    @Test
    void multiResCnn() {
        MultiResCnn.Config config = new MultiResCnn.Config(EMBEDDING, 50, List.of(3, 5, 9, 15, 19, 25), 0.2, -3);
        assertParameters(config.build(VOCABULARY, LABELS, Compute.CPU), 1, 1_392_500 - LABELS);
    }

    /** {@code VanillaRNN} of caml-mimic, bidirectional, has 575,538. */
    @Test
    void biGru() {
        BiGruNetwork.Config config = new BiGruNetwork.Config(EMBEDDING, 256, 0, -3);
        assertParameters(config.build(VOCABULARY, LABELS, Compute.CPU), 1, 575_538);
    }

    /** LSTM; {@code first_linears}, {@code second_linears} and {@code third_linears} of {@code AttentionLayer} of LAAT. */
    @Test
    void laat() {
        Laat.Config config = new Laat.Config(EMBEDDING, 512, 512, 0.3, 0, 0.03, -3);
        assertParameters(
                config.build(VOCABULARY, LABELS, Compute.CPU),
                1,
                2_514_944 + 1024 * 512 + 512 * LABELS + 1025 * LABELS);
    }

    /** The same for two levels of labels, {@code projection_linears} of the first, and their outputs in the second. */
    @Test
    void jointLaat() {
        int categories = 3;
        int[] categoryOfLabel = new int[LABELS];
        categoryOfLabel[0] = 1;
        categoryOfLabel[1] = 2;
        JointLaat.Config config = new JointLaat.Config(EMBEDDING, 512, 512, 128, 0.3, 0.03, -3);
        assertParameters(
                new JointLaat(config, VOCABULARY, categoryOfLabel, Compute.CPU),
                1,
                2_514_944
                        + 2 * 1024 * 512
                        + 512 * (categories + LABELS)
                        + 1025 * categories
                        + 128 * categories
                        + (1025 + 128) * LABELS);
    }

    private static void assertParameters(LabelNetwork<?> network, int embeddings, long expected) {
        try (network) {
            assertThat(network.parameterCount() - (long) embeddings * VOCABULARY * EMBEDDING)
                    .isEqualTo(expected);
        }
    }
}
