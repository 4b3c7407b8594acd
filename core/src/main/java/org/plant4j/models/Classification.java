package org.plant4j.models;

import java.util.List;
import java.util.Map;
import org.bytedeco.pytorch.Tensor;
import org.plant4j.nn.Batches;
import org.plant4j.nn.Compute;
import org.plant4j.train.Objective;
import org.plant4j.train.ParameterGroup;

/** Learning to give documents their labels. */
public final class Classification implements Objective<int[]> {

    private final LabelNetwork network;
    private final Batches batches;
    private final List<ParameterGroup> groups;
    private final Loss loss;
    private final Judge judge;
    private int epoch;

    /** Measures the network on dev documents, and keeps it where it was best. */
    public interface Judge {

        /** The epoch is counted over all sessions of a training, so that a resumed one goes on counting. */
        Validation validate(int epoch);

        void keep();
    }

    public Classification(LabelNetwork network, Batches batches, FineTuning tuning, Judge judge) {
        this(network, batches, tuning, Loss.PLAIN, judge);
    }

    public Classification(LabelNetwork network, Batches batches, FineTuning tuning, Loss loss, Judge judge) {
        this.network = network;
        this.batches = batches;
        this.groups = tuning.groups(network);
        this.loss = loss;
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
    public Tensor learn(int[] documents) {
        Compute compute = network.compute();
        return network.learn(
                batches.load(documents, network::read, network.segment(), compute),
                batches.targets(documents, network.learned(), compute),
                loss);
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
