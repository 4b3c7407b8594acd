package org.plant4j.model.baseline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.plant4j.UserError;
import org.plant4j.corpus.codeset.CodeSystem;
import org.plant4j.encoder.BertEncoder;
import org.plant4j.encoder.EncoderConfig;
import org.plant4j.encoder.EncoderState;
import org.plant4j.encoder.LongformerEncoder;
import org.plant4j.model.Encoding;
import org.plant4j.model.LabelNetwork;
import org.plant4j.model.output.EvidenceMethod;
import org.plant4j.tensor.Batch;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.Engine;
import org.plant4j.tensor.Golden;
import org.plant4j.tensor.LabelSelection;
import org.plant4j.text.Vocabulary;
import org.plant4j.train.Loss;

/** Logits, evidence, auxiliary losses and gradients of the baselines against PyTorch: golden.py beside this class. */
class BaselineGoldenTest {

    private static final int VOCABULARY = 7;
    private static final int LABELS = 5;

    @BeforeAll
    static void oneThread() {
        Engine.setThreads(1);
    }

    @Test
    void biGru() {
        check("biGru", new BiGruNetwork.Config(3, 2, 0, 0).build(VOCABULARY, LABELS, Compute.CPU));
    }

    @Test
    void haGru() {
        check("haGru", new HaGru.Config(3, 2, 3, 2, 0, 0).build(VOCABULARY, LABELS, Compute.CPU));
    }

    /** The reference implementation has 33,410 per label; here one output vector replaces those of two classes. */
    @Test
    void haGruHasThePapersParametersPerLabel() {
        HaGru.Config config = new HaGru.Config(128, 128, 128, 25, 0.1, -3);
        try (HaGru six = config.build(VOCABULARY, 6, Compute.CPU);
                HaGru five = config.build(VOCABULARY, 5, Compute.CPU)) {
            assertThat(six.parameterCount() - five.parameterCount()).isEqualTo(33_410 - 256 - 1);
        }
    }

    @Test
    void multiResCnn() {
        check("multiResCnn", new MultiResCnn.Config(3, 2, List.of(1, 3), 0, 0).build(VOCABULARY, LABELS, Compute.CPU));
    }

    /** The paper's sizes; 1,362,400 parameters in the encoder of the reference implementation. */
    @Test
    void multiResCnnHasThePapersParameters() {
        MultiResCnn.Config config = new MultiResCnn.Config(100, 50, List.of(3, 5, 9, 15, 19, 25), 0.2, -3);
        try (MultiResCnn network = config.build(VOCABULARY, LABELS, Compute.CPU)) {
            long decoder = LABELS * (2 * 300 + 1);
            assertThat(network.parameterCount() - VOCABULARY * 100 - decoder).isEqualTo(1_362_400);
        }
    }

    @Test
    void msattKg() {
        CodeTree tree = new CodeTree(new int[] {5, 5, 4, 4, -1, -1}, LABELS);
        check("msattKg", new MsattKg(new MsattKg.Config(3, 4, 2, 3, 0, 0), VOCABULARY, tree, Compute.CPU));
    }

    /** Buffers are those of golden.py. */
    @Test
    void hyperCore() {
        CodeTree tree = new CodeTree(new int[] {1, -1, 3, -1, -1}, LABELS);
        HyperCore network = new HyperCore(new HyperCore.Config(3, 4, 3, 2, 2, 0, 0), VOCABULARY, tree, Compute.CPU);
        network.setNeighbours(new LabelNeighbours(
                new float[] {0, 1, 3, 1, 0, 2, 2, 1, 2, 3, 0, 4, 4, 3, 4},
                new float[] {.5f, .3f, .2f, .6f, .2f, .2f, .7f, .3f, 0, .4f, .4f, .2f, .5f, .5f, 0}));
        Golden.fill(Golden.tensor(network.state(), "points"), 60);
        check("hyperCore", network);
    }

    @Test
    void discNet() {
        DiscNet.Config config = new DiscNet.Config(3, 2, 3, 0.5, 0, 0);
        DiscNet network = new DiscNet(config, VOCABULARY, new int[] {4, 2, 1, 1, 3}, Compute.CPU);
        network.setDescriptions(
                List.of(new int[] {2, 3}, new int[0], new int[] {4}, new int[] {5, 6, 2, 3}, new int[] {6}));
        check("discNet", network);
    }

    @Test
    void effectiveCan() {
        check("effectiveCan", effectiveCan(EffectiveCan.Attention.SUM_POOLING));
        check("effectiveCanMultiLayer", effectiveCan(EffectiveCan.Attention.MULTI_LAYER));
    }

    private static EffectiveCan effectiveCan(EffectiveCan.Attention attention) {
        return new EffectiveCan.Config(3, List.of(4, 2), 3, 2, attention, 0, 0).build(VOCABULARY, LABELS, Compute.CPU);
    }

    /** The mean word vector of the known tokens, scaled to length 1; label 1 has no description, label 2 an unknown token. */
    @Test
    void queriesOfEffectiveCanStartFromDescriptions() {
        try (PointerScope scope = new PointerScope();
                EffectiveCan network = effectiveCan(EffectiveCan.Attention.SUM_POOLING)) {
            Map<String, Tensor> parameters = network.parameters();
            Tensor queries = Golden.tensor(parameters, "attentions.0.weight");
            double[] before = Golden.values(queries);
            float[][] vectors = new float[VOCABULARY][3];
            vectors[2] = new float[] {1, 2, 0};
            vectors[3] = new float[] {2, 2, 0};
            network.embedding().setVectors(vectors);
            network.setDescriptions(
                    List.of(new int[] {2, 3}, new int[0], new int[] {Vocabulary.UNKNOWN, 3}, new int[0], new int[0]));
            double[] expected = before.clone();
            System.arraycopy(new double[] {0.6, 0.8, 0}, 0, expected, 0, 3);
            System.arraycopy(new double[] {Math.sqrt(0.5), Math.sqrt(0.5), 0}, 0, expected, 6, 3);
            assertThat(Golden.values(queries)).containsExactly(expected, within(1e-6));
        }
    }

    @Test
    void jointLaat() {
        JointLaat.Config config = new JointLaat.Config(3, 2, 3, 2, 0, 0.03, 0);
        check("jointLaat", new JointLaat(config, VOCABULARY, new int[] {0, 0, 1, 1, 2}, Compute.CPU));
    }

    @Test
    void drCaml() {
        DrCaml network = new DrCaml.Config(3, 4, 4, 0, 0.5, 3, 0).build(VOCABULARY, LABELS, Compute.CPU);
        network.setDescriptions(
                List.of(new int[] {2, 3}, new int[0], new int[] {4}, new int[] {5, 6, 2, 3}, new int[] {6}));
        check("drCaml", network);
    }

    @Test
    void msmn() {
        Msmn network = new Msmn.Config(3, 2, 2, 6, 2, 3, 0, 0, 4096, 0).build(VOCABULARY, LABELS, Compute.CPU);
        network.setDescriptions(
                List.of(new int[] {2, 3}, new int[0], new int[] {4}, new int[] {5, 6, 2, 3}, new int[] {6}));
        network.setSynonyms(List.of(
                List.of(new int[] {4}, new int[] {5}),
                List.of(),
                List.of(),
                List.of(new int[] {3, 5}),
                List.of(new int[] {2, 2})));
        check("msmn", network);
    }

    /** The LSTM layers of the reference implementation have 630,784 parameters for all codes and 733,184 for 50 codes. */
    @Test
    void msmnHasThePapersParameters() {
        Msmn.Config all = new Msmn.Config(100, 128, 2, 512, 4, 30, 0.2, 5, 4096, -3);
        Msmn.Config top50 = new Msmn.Config(100, 256, 1, 512, 8, 30, 0.2, 5, 4096, -3);
        assertThat(lstmParameters(all)).isEqualTo(630_784);
        assertThat(lstmParameters(top50)).isEqualTo(733_184);
    }

    private static long lstmParameters(Msmn.Config config) {
        try (Msmn network = config.build(VOCABULARY, LABELS, Compute.CPU)) {
            return network.parameters().entrySet().stream()
                    .filter(parameter -> parameter.getKey().startsWith("lstm."))
                    .mapToLong(parameter -> parameter.getValue().numel())
                    .sum();
        }
    }

    @Test
    void rDropDivergence() {
        try (PointerScope scope = new PointerScope()) {
            Golden.of(BaselineGoldenTest.class, "rDrop")
                    .check("divergence", RDrop.divergence(Golden.wave(1, 3, LABELS), Golden.wave(2, 3, LABELS)));
        }
    }

    @Test
    void kept() {
        LongformerEncoder.Config encoder = new LongformerEncoder.Config(2, 4, 2, 6, 8, 2, 2, 1e-5, 2, 3, 4, 2, 0);
        Kept.Config config = new Kept.Config(new EncoderConfig.Longformer(encoder), LABELS, 2, "yes", "no", 4096, 0);
        Kept network = config.build(VOCABULARY, LABELS, Compute.CPU);
        network.setDescriptions(
                List.of(new int[] {2, 3}, new int[0], new int[] {4}, new int[] {5, 6, 2, 3}, new int[] {6}));
        check("kept", network);
    }

    @Test
    void keptRefusesMoreLabelsThanItsPromptHolds() {
        Kept.Config config = Kept.Config.example();
        assertThatThrownBy(() -> config.build(VOCABULARY, 7, Compute.CPU))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("7 labels are too many")
                .hasMessageContaining("at most 6 labels");
    }

    @Test
    void plmIcd() {
        BertEncoder.Config encoder = BertEncoder.Config.builder()
                .layers(1)
                .hidden(4)
                .heads(2)
                .intermediate(6)
                .positions(5)
                .epsilon(1e-5)
                .window(3)
                .build();
        PlmIcd.Config config = new PlmIcd.Config(new EncoderConfig.Bert(encoder), 3, 0, 0.03, 0);
        check("plmIcd", config.build(VOCABULARY, LABELS, Compute.CPU));
    }

    /** The head of the reference implementation has 589,824 + 1,537 L parameters. */
    @Test
    void plmIcdHasThePapersParameters() {
        PlmIcd.Config config = new PlmIcd.Config(new EncoderConfig.BiLstm(1, 384, 0), 768, 0, 0.03, 0);
        try (PlmIcd network = config.build(VOCABULARY, LABELS, Compute.CPU)) {
            assertThat(network.parameterCount() - network.encoder().parameterCount())
                    .isEqualTo(589_824 + 1_537 * LABELS);
        }
    }

    /** Categories are the topmost ancestors: three characters of ICD-10-CM, the table of ICD-10-PCS, the cell type of ICD-O-3. */
    @Test
    void codesOfOneCategoryShareItsNumber() {
        assertThat(CodeSystem.categories(List.of("I10", "E11.9", "E11.65", "BW03ZZZ", "BW04ZZZ", "8140/3", "8140/6")))
                .containsExactly(0, 1, 1, 2, 2, 3, 3);
    }

    private static <E extends Encoding<E>> void check(String name, LabelNetwork<E> network) {
        Golden golden = Golden.of(BaselineGoldenTest.class, name);
        try (PointerScope scope = new PointerScope();
                network) {
            Map<String, Tensor> parameters = network.parameters();
            Golden.fill(parameters);
            clearPadding(parameters);
            Batch batch = Batch.forTraining(Golden.DOCUMENTS, Compute.CPU);
            E encoding = network.encode(batch, EncoderState.EMPTY);
            Tensor logits = network.decode(batch, encoding, LabelSelection.ALL)
                    .add(network.bias().bias(LabelSelection.ALL));
            golden.check("output", logits);
            boolean attention = network.evidenceMethods().contains(EvidenceMethod.ATTENTION);
            Tensor weights = attention
                    ? network.attentionWeights(batch, encoding, LabelSelection.ALL)
                    : network.evidenceWeights(batch, encoding, LabelSelection.ALL);
            golden.check(attention ? "attention" : "evidence", weights.transpose(1, 2));
            if (network instanceof Msmn) {
                golden.check(
                        "evidence",
                        network.evidenceWeights(batch, encoding, LabelSelection.ALL)
                                .transpose(1, 2));
            }
            Golden.backward(logits);
            network.auxiliaryLoss(encoding, targets(), Loss.PLAIN).ifPresent(loss -> {
                golden.check("auxiliary", loss);
                if (network instanceof DrCaml) { // its golden gradients include the regularizer
                    loss.backward();
                }
            });
            golden.checkGradients(parameters);
            network.state().forEach((path, tensor) -> {
                if (!parameters.containsKey(path)) {
                    golden.check(path, tensor);
                }
            });
        }
    }

    private static void clearPadding(Map<String, Tensor> parameters) {
        try (NoGradGuard noGrad = new NoGradGuard()) {
            parameters.forEach((path, tensor) -> {
                if (path.endsWith("embedding.weight")) {
                    tensor.select(0, Vocabulary.PADDING).zero_();
                }
            });
        }
    }

    /** Gold labels of the documents: 0 and 3, 1, 3 and 4. */
    private static Tensor targets() {
        return Tensor.create(new float[] {1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 1}, 3, LABELS);
    }
}
