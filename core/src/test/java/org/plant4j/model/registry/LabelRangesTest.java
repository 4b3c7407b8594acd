package org.plant4j.model.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.plant4j.model.LabelNetwork;
import org.plant4j.model.ModelRegistry;
import org.plant4j.model.ModelType;
import org.plant4j.model.NetworkConfig;
import org.plant4j.model.TinyCorpus;
import org.plant4j.model.baseline.Kept;
import org.plant4j.tensor.Batches;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.Engine;
import org.plant4j.tensor.Golden;
import org.plant4j.train.Loss;

/** Training in ranges of one label gives the loss and the gradients of all labels at once. */
class LabelRangesTest {

    private static final TinyCorpus CORPUS = TinyCorpus.of(6, 1);

    private static final List<String> NAMES = List.of(
            "text-cnn",
            "bi-gru",
            "ha-gru",
            "caml",
            "dr-caml",
            "msatt-kg",
            "multires-cnn",
            "hypercore",
            "effective-can",
            "discnet",
            "laat",
            "joint-laat");

    static Stream<ModelType> networks() {
        return ModelRegistry.types().stream().filter(type -> NAMES.contains(type.name()));
    }

    @ParameterizedTest
    @MethodSource("networks")
    void rangesChangeNeitherLossNorGradients(ModelType type) {
        Engine.setThreads(1);
        NetworkConfig config = type.example().orElseThrow().get().network().orElseThrow();
        Map<String, double[]> whole = gradients(config, Compute.CPU);
        Map<String, double[]> ranged = gradients(config, Compute.CPU.withLabelMemory(1));
        assertThat(ranged.keySet()).isEqualTo(whole.keySet()).contains("loss", "embedding.weight");
        whole.forEach((name, values) -> assertThat(ranged.get(name)).as(name).containsExactly(values, within(1e-5)));
    }

    @Test
    void gradientCheckpointingChangesNeitherLossNorGradientsOfKept() {
        Engine.setThreads(1);
        Map<String, double[]> whole = gradients(Kept.Config.example(), Compute.CPU);
        Kept.Config small =
                new Kept.Config(Kept.Config.example().encoder(), 6, 4, "yes", "no", 40, -1); // about one document
        Map<String, double[]> checkpointed = gradients(small, Compute.CPU);
        assertThat(checkpointed.keySet()).isEqualTo(whole.keySet()).contains("loss", "answer.bias");
        whole.forEach(
                (name, values) -> assertThat(checkpointed.get(name)).as(name).containsExactly(values, within(1e-5)));
    }

    /** The loss, and the gradient of each parameter by path. */
    private static Map<String, double[]> gradients(NetworkConfig config, Compute compute) {
        Engine.setSeed(1); // the same weights and the same dropout
        Map<String, double[]> gradients = new TreeMap<>();
        try (PointerScope scope = new PointerScope();
                LabelNetwork<?> network = config.build(TinyCorpus.VOCABULARY, TinyCorpus.LABELS, compute)) {
            if (config.usesDescriptions()) {
                network.setDescriptions(TinyCorpus.DESCRIPTIONS);
            }
            Batches batches = new Batches(CORPUS, 6, 1000, 1);
            int[] documents = {0, 1, 2, 3, 4, 5};
            Tensor loss = network.computeGradients(
                    batches.load(documents, document -> document, network.segmentLength(), compute),
                    batches.targets(documents, TinyCorpus.LABELS, compute),
                    Loss.PLAIN);
            gradients.put("loss", new double[] {loss.item_double()});
            network.parameters().forEach((name, parameter) -> {
                if (parameter.grad().defined()) {
                    gradients.put(name, Golden.values(parameter.grad()));
                }
            });
        }
        return gradients;
    }
}
