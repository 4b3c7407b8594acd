package org.plant4j.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.Test;
import org.plant4j.encoder.AwdLstm;
import org.plant4j.encoder.EncoderConfig;
import org.plant4j.model.plant.Plant;
import org.plant4j.rank.RankModel;
import org.plant4j.rank.Relevance;
import org.plant4j.tensor.Batch;
import org.plant4j.tensor.Batches;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.Engine;
import org.plant4j.tensor.LabelSelection;
import org.plant4j.text.Dataset;

public class ReferencePlantBenchmarkTest {

    private static final int WORDS = 9;
    private static final Relevance RELEVANCE =
            new Relevance(new int[][] {{7, 2}, {}, {5, 3, 2}}, new float[][] {{0.5f, 0.25f}, {}, {0.4f, 0.2f, 0.1f}});
    private static final List<int[]> DOCUMENTS = List.of(new int[] {2, 5, 7, 3}, new int[] {4, 2});

    private static final Plant.Config CONFIG = Plant.Config.builder(
                    new EncoderConfig.Awd(new AwdLstm.Config(6, 8, 2, 0.1, 0.1, 0.1, 0.1, 1)))
            .ranker(new RankModel.Config(RankModel.Scorer.DOT, 4, 0))
            .lexical(false)
            .dropout(0.3)
            .initialDeviation(0.5)
            .initialBias(-1)
            .build();

    /** The documents above with one label each. */
    private enum Made implements Dataset {
        ALL;

        @Override
        public int size() {
            return DOCUMENTS.size();
        }

        @Override
        public int[] tokens(int document) {
            return DOCUMENTS.get(document);
        }

        @Override
        public int[] labels(int document) {
            return new int[] {document};
        }
    }

    @Test
    void theReferenceComputesTheSameLogits() {
        Engine.setSeed(5);
        try (PointerScope scope = new PointerScope();
                Plant ours = CONFIG.build(WORDS, RELEVANCE.labels(), Compute.CPU);
                RankModel ranker = new RankModel(CONFIG.ranker(), WORDS, RELEVANCE.labels(), Compute.CPU);
                ReferencePlantBenchmark literal = new ReferencePlantBenchmark(
                        CONFIG, WORDS, RELEVANCE, new Batches(Made.ALL, 2, 8, 1), Compute.CPU, 1e-3, 0.01)) {
            ours.plant(RELEVANCE, Optional.of(ranker));
            try (NoGradGuard noGrad = new NoGradGuard()) {
                literal.parameters()
                        .forEach(
                                (name, tensor) -> tensor.copy_(ours.parameters().get(name)));
            }
            Batch batch = Batch.of(DOCUMENTS, Compute.CPU);
            Tensor expected = ours.forward(batch, LabelSelection.ALL).logits();
            assertThat(literal.logits(batch).allclose(expected, 1e-5, 1e-5, false))
                    .isTrue();
            assertThat(literal.parameters().keySet())
                    .containsAll(ours.parameters().keySet().stream()
                            .filter(name -> !name.startsWith("scales"))
                            .toList());
        }
    }

    @Test
    void aStepGivesEveryParameterAGradient() {
        try (PointerScope scope = new PointerScope();
                ReferencePlantBenchmark literal = new ReferencePlantBenchmark(
                        CONFIG, WORDS, RELEVANCE, new Batches(Made.ALL, 2, 8, 1), Compute.CPU, 1e-3, 0.01)) {
            assertThat(literal.trainingStep(literal.batches(0).get(0)).item_double())
                    .isPositive();
            assertThat(literal.parameters())
                    .allSatisfy((name, tensor) ->
                            assertThat(tensor.grad().defined()).as(name).isTrue());
        }
    }
}
