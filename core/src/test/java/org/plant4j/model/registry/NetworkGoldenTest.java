package org.plant4j.model.registry;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.plant4j.encoder.BertEncoder;
import org.plant4j.encoder.EncoderConfig;
import org.plant4j.encoder.EncoderState;
import org.plant4j.model.Encoding;
import org.plant4j.model.LabelNetwork;
import org.plant4j.model.LogitsWithAttention;
import org.plant4j.model.NetworkConfig;
import org.plant4j.model.TinyCorpus;
import org.plant4j.model.baseline.Caml;
import org.plant4j.model.baseline.Laat;
import org.plant4j.model.baseline.PooledBert;
import org.plant4j.model.description.DescriptionAttention;
import org.plant4j.model.plant.Plant;
import org.plant4j.rank.MutualInformation;
import org.plant4j.rank.RankModel;
import org.plant4j.rank.Relevance;
import org.plant4j.tensor.Batch;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.Engine;
import org.plant4j.tensor.Golden;
import org.plant4j.tensor.LabelSelection;
import org.plant4j.train.FineTuning;
import org.plant4j.train.ParameterGroup;

/** Compares whole networks, forward and backward, with PyTorch; the PyTorch code is in golden.py. */
class NetworkGoldenTest {

    private static final int VOCABULARY = 7;
    private static final int LABELS = 5;

    private static final EncoderConfig BILSTM = new EncoderConfig.BiLstm(3, 2, 0);

    static Stream<Arguments> networks() {
        return Stream.of(
                Arguments.of("laat", new Laat.Config(3, 2, 3, 0, 0, 0.03, 0)),
                Arguments.of("caml", new Caml.Config(3, 4, 4, 0, 0, 0)));
    }

    @BeforeAll
    static void oneThread() {
        Engine.setThreads(1);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("networks")
    void logitsAttentionAndGradientsEqualPyTorch(String name, NetworkConfig config) {
        try (PointerScope scope = new PointerScope();
                LabelNetwork<?> network = config.build(VOCABULARY, LABELS, Compute.CPU)) {
            Golden golden = Golden.of(name);
            Golden.fill(network.parameters());
            golden.check("attention", attention(network));
            checkLogitsAndGradients(golden, network);
        }
    }

    /** (B, L, T). */
    private static <E extends Encoding<E>> Tensor attention(LabelNetwork<E> network) {
        Batch batch = Batch.forTraining(Golden.DOCUMENTS, Compute.CPU);
        return network.attentionWeights(batch, network.encode(batch, EncoderState.EMPTY), LabelSelection.ALL)
                .transpose(1, 2);
    }

    private static void check(Golden golden, LabelNetwork<?> network) {
        Golden.fill(network.parameters());
        golden.check("attention", checkLogitsAndGradients(golden, network).attention());
    }

    private static LogitsWithAttention checkLogitsAndGradients(Golden golden, LabelNetwork<?> network) {
        Map<String, Tensor> parameters = network.parameters();
        LogitsWithAttention scores =
                network.forward(Batch.forTraining(Golden.DOCUMENTS, Compute.CPU), LabelSelection.ALL);
        golden.check("output", scores.logits());
        Golden.backward(scores.logits());
        golden.checkGradients(parameters);
        return scores;
    }

    /** golden.py also computes the mutual information from the documents. */
    @Test
    void plantedLogitsEvidenceAndGradientsEqualPyTorch() {
        TinyCorpus corpus =
                new TinyCorpus(Golden.DOCUMENTS, List.of(new int[] {0, 1}, new int[] {1, 4}, new int[] {2}));
        Relevance relevance =
                new MutualInformation(MutualInformation.Kind.GAIN, VOCABULARY).compute(corpus, VOCABULARY, LABELS);
        Plant.Config config = Plant.Config.builder(BILSTM)
                .ranker(new RankModel.Config(RankModel.Scorer.DOT, 2, 1))
                .build();
        try (PointerScope scope = new PointerScope();
                RankModel ranker = new RankModel(config.ranker(), VOCABULARY, LABELS, Compute.CPU);
                Plant plant = config.build(VOCABULARY, LABELS, Compute.CPU)) {
            plant.plant(relevance, Optional.of(ranker));
            check(Golden.of("plant"), plant);
        }
    }

    /** golden.py encodes each window and each description separately, without padding. */
    @Test
    void descriptionLogitsEvidenceAndGradientsEqualPyTorch() {
        DescriptionAttention.Config config = DescriptionAttention.Config.builder(BILSTM)
                .projection(2)
                .initialBias(0)
                .windows(3, 1)
                .labelTokens(2)
                .build();
        try (PointerScope scope = new PointerScope();
                DescriptionAttention network = config.build(VOCABULARY, LABELS, Compute.CPU)) {
            network.setDescriptions(
                    List.of(new int[] {2, 3}, new int[] {4}, new int[] {5, 6, 2}, new int[0], new int[] {6, 2}));
            check(Golden.of("descriptionAttention"), network);
        }
    }

    @Test
    void pooledLogitsEvidenceAndGradientsEqualPyTorch() {
        PooledBert.Config config = new PooledBert.Config(BILSTM, 0, 0.03, 0, 3, 1, true, 4096);
        try (PointerScope scope = new PointerScope();
                PooledBert network = config.build(VOCABULARY, LABELS, Compute.CPU)) {
            check(Golden.of("pooled"), network);
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("networks")
    void parametersAreNamedAndInitialisedAsInPyTorch(String name, NetworkConfig config) {
        Engine.setSeed(1);
        try (LabelNetwork<?> network = config.build(VOCABULARY, LABELS, Compute.CPU)) {
            double[] embedding = Golden.values(network.parameters(), "embedding.weight");
            assertThat(embedding).startsWith(0, 0, 0); // padding
            assertThat(embedding[3]).isNotZero();
            assertThat(network.parameters()).containsKeys("attention.weight", "head.weight", "head.bias");
        }
    }

    @Test
    void theLearningRateOfAPretrainedPoolerIsThatOfTheEncoder() {
        EncoderConfig bert = new EncoderConfig.Bert(BertEncoder.Config.builder()
                .layers(1)
                .hidden(8)
                .heads(2)
                .intermediate(8)
                .positions(12)
                .types(1)
                .epsilon(1e-6)
                .begin(2)
                .end(3)
                .mask(4)
                .window(8)
                .overlap(2)
                .build());
        PooledBert.Config config = new PooledBert.Config(bert, 0, 0.1, -1, 8, 2, true, 4096);
        try (PooledBert network = config.build(20, 3, Compute.CPU)) {
            ParameterGroup last = FineTuning.uniform(0.1, 0)
                    .parameterGroups(network.parameters(), network.encoderLayers(), Optional.empty())
                    .get(0);
            assertThat(last.name()).isEqualTo("encoder layer 3"); // after the embedding and the transformer layer
            assertThat(last.parameters()).containsOnlyKeys("pooler.dense.weight", "pooler.dense.bias");
        }
    }
}
