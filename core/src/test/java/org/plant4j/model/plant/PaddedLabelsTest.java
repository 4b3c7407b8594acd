package org.plant4j.model.plant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.plant4j.encoder.EncoderState;
import org.plant4j.model.DecodedLogits;
import org.plant4j.model.TinyCorpus;
import org.plant4j.tensor.Batch;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.Golden;
import org.plant4j.tensor.LabelSelection;

final class PaddedLabelsTest {

    private static final List<LabelSelection> SELECTIONS = List.of(LabelSelection.ALL, new LabelSelection.Range(1, 2));

    static Stream<Plant.Config> configs() {
        return PlantTest.configs();
    }

    @ParameterizedTest
    @MethodSource("configs")
    void paddingChangesNeitherLogitsNorGradients(Plant.Config config) {
        for (LabelSelection labels : SELECTIONS) {
            Map<String, double[]> padded = pass(config, labels, new LabelSelection.Padded(labels, 3));
            pass(config, labels, labels)
                    .forEach((name, expected) ->
                            assertThat(padded.get(name)).as(name).containsExactly(expected, within(1e-6)));
        }
    }

    private static Map<String, double[]> pass(Plant.Config config, LabelSelection labels, LabelSelection decoded) {
        Map<String, double[]> values = new LinkedHashMap<>();
        try (PointerScope scope = new PointerScope();
                Plant plant = PlantTest.planted(config, Compute.CPU)) {
            Batch batch = Batch.forTraining(TinyCorpus.of(40, 1).documents().subList(0, 5), Compute.CPU);
            Plant.Encoded encoding = plant.encode(batch, EncoderState.EMPTY);
            DecodedLogits result = plant.decodeWithBackward(batch, encoding, decoded);
            int count = labels.count(TinyCorpus.LABELS);
            int padding = decoded.count(TinyCorpus.LABELS) - count;
            values.put("logits", Golden.values(result.logits().narrow(1, 0, count)));
            Tensor gradient = Golden.wave(7, batch.tokens().size(0), count);
            result.backward(torch.constant_pad_nd(gradient, 0, padding));
            plant.parameters().forEach((name, parameter) -> {
                if (parameter.grad().defined()) {
                    values.put(name, Golden.values(parameter.grad()));
                }
            });
        }
        return values;
    }
}
