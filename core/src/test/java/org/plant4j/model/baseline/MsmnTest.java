package org.plant4j.model.baseline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.plant4j.Precision;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.Engine;
import org.plant4j.tensor.Golden;
import org.plant4j.tensor.Segments;
import org.plant4j.train.Loss;

class MsmnTest {

    private static final List<int[]> DESCRIPTIONS = List.of(new int[] {2, 3}, new int[] {4}, new int[0]);
    private static final List<List<int[]>> SYNONYMS =
            List.of(List.of(new int[] {5}), List.of(), List.of(new int[] {6, 2}));

    /** Without dropout both passes are equal, so that R-Drop adds nothing. */
    @ParameterizedTest
    @CsvSource({"4096, 2000000000", "4096, 400", "2, 2000000000", "2, 400"})
    void rDropWithoutDropoutHasTheGradientsOfOnePass(int checkpointTokens, long labelMemory) {
        Compute compute = new Compute(false, Precision.FLOAT32, labelMemory);
        Map<String, double[]> one = gradients(new Msmn.Config(3, 2, 2, 6, 2, 3, 0, 0, 4096, -1), Compute.CPU);
        Map<String, double[]> two = gradients(new Msmn.Config(3, 2, 2, 6, 2, 3, 0, 5, checkpointTokens, -1), compute);
        assertThat(two.keySet()).isEqualTo(one.keySet());
        one.forEach((name, gradient) -> assertThat(two.get(name)).as(name).containsExactly(gradient, within(1e-5)));
    }

    private static Map<String, double[]> gradients(Msmn.Config config, Compute compute) {
        Engine.setSeed(1);
        try (PointerScope scope = new PointerScope();
                Msmn network = config.build(7, 3, compute)) {
            network.setDescriptions(DESCRIPTIONS);
            network.setSynonyms(SYNONYMS);
            Segments segments = new Segments(Golden.DOCUMENTS, Integer.MAX_VALUE, true, compute);
            Tensor targets = Tensor.create(new float[] {1, 0, 1, 0, 1, 0, 0, 0, 0}, 3, 3);
            Map<String, double[]> gradients = new HashMap<>();
            gradients.put("loss", Golden.values(network.computeGradients(segments, targets, Loss.PLAIN)));
            network.parameters().forEach((name, parameter) -> gradients.put(name, Golden.values(parameter.grad())));
            return gradients;
        }
    }
}
