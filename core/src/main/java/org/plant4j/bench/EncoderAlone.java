package org.plant4j.bench;

import java.util.List;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.models.Plant;
import org.plant4j.nn.Batch;
import org.plant4j.nn.Batches;
import org.plant4j.nn.Compute;
import org.plant4j.nn.Dropout;
import org.plant4j.nn.Encoder;
import org.plant4j.nn.Layer;
import org.plant4j.nn.Memory;
import org.plant4j.train.Objective;
import org.plant4j.train.ParameterGroup;

/** The step without its labels: documents are read and learned from. What it takes, no way of decoding can save. */
public final class EncoderAlone extends Layer implements Objective<int[]> {

    private final Batches batches;
    private final Compute compute;
    private final double learningRate;
    private final double weightDecay;
    private final Encoder encoder;
    private final Dropout dropout;

    public EncoderAlone(
            Plant.Config config,
            int vocabulary,
            Batches batches,
            Compute compute,
            double learningRate,
            double weightDecay) {
        this.batches = batches;
        this.compute = compute;
        this.learningRate = learningRate;
        this.weightDecay = weightDecay;
        encoder = part("encoder", config.encoder().build(vocabulary, compute));
        dropout = new Dropout(config.dropout());
    }

    @Override
    public List<ParameterGroup> groups() {
        return List.of(new ParameterGroup("all", parameters(), learningRate, weightDecay));
    }

    @Override
    public List<int[]> epoch(int epoch) {
        return batches.epoch(epoch);
    }

    @Override
    public Tensor learn(int[] documents) {
        Batch batch = batches.load(documents, document -> document, Integer.MAX_VALUE, compute)
                .get(0);
        return compute.backward(() -> dropout.forward(
                        encoder.forward(batch, Memory.NONE).states(), batch)
                .to(torch.ScalarType.Float)
                .sum());
    }

    /** It is measured for its time, not for its quality. */
    @Override
    public Validation validate() {
        return new Validation(0, 0);
    }

    @Override
    public void keep() {}
}
