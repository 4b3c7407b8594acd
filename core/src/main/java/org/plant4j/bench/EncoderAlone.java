package org.plant4j.bench;

import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.models.Plant;
import org.plant4j.nn.Batch;
import org.plant4j.nn.Batches;
import org.plant4j.nn.Compute;
import org.plant4j.nn.Dropout;
import org.plant4j.nn.Encoder;
import org.plant4j.nn.Memory;

/** The step without its labels: documents are read and learned from. What it takes, no way of decoding can save. */
public final class EncoderAlone extends MeasuredStep {

    private final Encoder encoder;
    private final Dropout dropout;

    public EncoderAlone(
            Plant.Config config,
            int vocabulary,
            Batches batches,
            Compute compute,
            double learningRate,
            double weightDecay) {
        super(batches, compute, learningRate, weightDecay);
        encoder = part("encoder", config.encoder().build(vocabulary, compute));
        dropout = new Dropout(config.dropout());
    }

    @Override
    public Tensor learn(int[] documents) {
        Batch batch = load(documents);
        return compute.backward(() -> dropout.forward(
                        encoder.forward(batch, Memory.NONE).states(), batch)
                .to(torch.ScalarType.Float)
                .sum());
    }
}
