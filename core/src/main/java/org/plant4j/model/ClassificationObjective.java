package org.plant4j.model;

import java.util.List;
import java.util.Map;
import org.bytedeco.pytorch.Tensor;
import org.plant4j.tensor.Batches;
import org.plant4j.tensor.Compute;
import org.plant4j.train.Objective;
import org.plant4j.train.ParameterGroup;

/** Learning to give documents their labels. */
public final class ClassificationObjective implements Objective<int[]> {

    private final LabelNetwork<?> network;
    private final Batches batches;
    private final List<ParameterGroup> groups;
    private final Loss loss;
    private final Validator judge;
    private int epoch;

    /** Measures the network on dev documents, and keeps it where it was best. */
    public interface Validator {

        /** The epoch is counted over all sessions of a training, so that a resumed one goes on counting. */
        Validation validate(int epoch);

        void saveBest();
    }

    public ClassificationObjective(LabelNetwork<?> network, Batches batches, FineTuning tuning, Validator judge) {
        this(network, batches, tuning, Loss.PLAIN, judge);
    }

    public ClassificationObjective(
            LabelNetwork<?> network, Batches batches, FineTuning tuning, Loss loss, Validator judge) {
        this.network = network;
        this.batches = batches;
        this.groups = tuning.parameterGroups(network);
        this.loss = loss;
        this.judge = judge;
    }

    @Override
    public String name() {
        return "network";
    }

    @Override
    public Map<String, Tensor> parameters() {
        return network.parameters();
    }

    @Override
    public List<ParameterGroup> parameterGroups() {
        return groups;
    }

    @Override
    public List<int[]> batches(int number) {
        epoch = number;
        return batches.epoch(number);
    }

    @Override
    public Tensor trainingStep(int[] documents) {
        Compute compute = network.compute();
        return network.computeGradients(
                batches.load(documents, network::inReadingOrder, network.segmentLength(), compute),
                batches.targets(documents, network.trainedLabels(), compute),
                loss);
    }

    @Override
    public Validation validate() {
        return judge.validate(epoch);
    }

    @Override
    public void saveBest() {
        judge.saveBest();
    }
}
