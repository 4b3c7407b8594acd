package org.plant4j.models;

import java.util.List;
import java.util.Map;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptional;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.nn.Batch;
import org.plant4j.nn.Batches;
import org.plant4j.train.Objective;
import org.plant4j.train.ParameterGroup;

/**
 * Learning to give documents their labels: binary cross-entropy, summed over labels so that its gradient does not shrink
 * as labels grow many, and averaged over documents.
 */
public final class Classification implements Objective<int[]> {

    private static final long SUM = 2; // at::Reduction::Sum

    private final LabelNetwork network;
    private final Batches batches;
    private final List<ParameterGroup> groups;
    private final Judge judge;
    private int epoch;

    /** Measures the network on dev documents, and keeps it where it was best. */
    public interface Judge {

        /** The epoch is counted over all sessions of a training, so that a resumed one goes on counting. */
        Validation validate(int epoch);

        void keep();
    }

    public Classification(LabelNetwork network, Batches batches, double learningRate, double weightDecay, Judge judge) {
        this.network = network;
        this.batches = batches;
        this.groups = List.of(new ParameterGroup("all", network.parameters(), learningRate, weightDecay));
        this.judge = judge;
    }

    @Override
    public Map<String, Tensor> parameters() {
        return network.parameters();
    }

    @Override
    public List<ParameterGroup> groups() {
        return groups;
    }

    @Override
    public List<int[]> epoch(int number) {
        epoch = number;
        return batches.epoch(number);
    }

    @Override
    public Tensor loss(int[] documents) {
        Batch batch = batches.load(documents, network.labels(), network.compute());
        Tensor logits = network.forward(batch).logits().to(torch.ScalarType.Float); // (B, L)
        Tensor targets = batch.targets().orElseThrow();
        TensorOptional none = new TensorOptional();
        return torch.binary_cross_entropy_with_logits(logits, targets, none, none, SUM)
                .div(new Scalar((double) documents.length));
    }

    @Override
    public Validation validate() {
        return judge.validate(epoch);
    }

    @Override
    public void keep() {
        judge.keep();
    }
}
