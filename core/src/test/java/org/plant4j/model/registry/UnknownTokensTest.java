package org.plant4j.model.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.plant4j.encoder.EncoderConfig;
import org.plant4j.model.LabelNetwork;
import org.plant4j.model.NetworkConfig;
import org.plant4j.model.TinyCorpus;
import org.plant4j.model.baseline.Caml;
import org.plant4j.model.baseline.EffectiveCan;
import org.plant4j.model.baseline.HaGru;
import org.plant4j.model.baseline.HyperCore;
import org.plant4j.model.baseline.Laat;
import org.plant4j.model.baseline.MsattKg;
import org.plant4j.model.plant.Plant;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.Engine;
import org.plant4j.text.Vocabulary;

/** In networks with label attention, unknown tokens are evidence for no label. */
class UnknownTokensTest {

    private static final int UNKNOWN = Vocabulary.UNKNOWN;

    static Stream<NetworkConfig> networks() {
        return Stream.of(
                new Laat.Config(12, 8, 8, 0, 0, 0.5, -1),
                new Caml.Config(12, 16, 4, 0, 5, -1),
                HaGru.Config.example(),
                EffectiveCan.Config.example(),
                MsattKg.Config.example(),
                HyperCore.Config.example(),
                Plant.Config.builder(new EncoderConfig.BiLstm(12, 8, 0))
                        .initialDeviation(0.5)
                        .initialBias(-1)
                        .build());
    }

    @ParameterizedTest
    @MethodSource("networks")
    void aTextWithoutKnownTokensHasTheScoresOfTheBias(NetworkConfig config) {
        Engine.setSeed(1);
        try (LabelNetwork<?> network = config.build(TinyCorpus.VOCABULARY, TinyCorpus.LABELS, Compute.CPU)) {
            float[][] scores = network.score(
                    List.of(new int[0], new int[] {UNKNOWN}, new int[] {UNKNOWN, UNKNOWN, UNKNOWN}, new int[] {5, 6}));
            double prior = 1 / (1 + Math.exp(1)); // the bias is -1
            for (int label = 0; label < TinyCorpus.LABELS; label++) {
                for (int document = 0; document < 3; document++) {
                    assertThat((double) scores[document][label]).isCloseTo(prior, within(1e-6));
                }
                assertThat((double) scores[3][label]).isNotCloseTo(prior, within(1e-4));
            }
        }
    }
}
