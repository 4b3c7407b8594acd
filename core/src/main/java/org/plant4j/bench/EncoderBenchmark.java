package org.plant4j.bench;

import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.encoder.Encoder;
import org.plant4j.encoder.EncoderState;
import org.plant4j.layer.Dropout;
import org.plant4j.model.plant.Plant;
import org.plant4j.tensor.Batch;
import org.plant4j.tensor.Batches;
import org.plant4j.tensor.Compute;

/** The training step of the encoder alone: a lower bound for that of any model on it. */
public final class EncoderBenchmark extends BenchmarkObjective {

    private final Encoder encoder;
    private final Dropout dropout;

    public EncoderBenchmark(
            Plant.Config config,
            int vocabularySize,
            Batches batches,
            Compute compute,
            double learningRate,
            double weightDecay) {
        super(batches, compute, learningRate, weightDecay);
        encoder = submodule("encoder", config.encoder().build(vocabularySize, compute));
        dropout = new Dropout(config.dropout());
    }

    @Override
    public Tensor trainingStep(int[] documents) {
        Batch batch = load(documents);
        return compute.backward(() -> dropout.forward(
                        encoder.forward(batch, EncoderState.EMPTY).hiddenStates(), batch)
                .to(torch.ScalarType.Float)
                .sum());
    }
}
