package org.plant4j.bench;

import java.util.List;
import org.plant4j.layer.Layer;
import org.plant4j.tensor.Batch;
import org.plant4j.tensor.Batches;
import org.plant4j.tensor.Compute;
import org.plant4j.train.Objective;
import org.plant4j.train.ParameterGroup;

/** A training step that is only timed: one learning rate, whole documents, no validation. */
abstract class BenchmarkObjective extends Layer implements Objective<int[]> {

    final Batches batches;
    final Compute compute;
    private final double learningRate;
    private final double weightDecay;

    BenchmarkObjective(Batches batches, Compute compute, double learningRate, double weightDecay) {
        this.batches = batches;
        this.compute = compute;
        this.learningRate = learningRate;
        this.weightDecay = weightDecay;
    }

    final Batch load(int[] documents) {
        return batches.load(documents, document -> document, Integer.MAX_VALUE, compute)
                .get(0);
    }

    @Override
    public String name() {
        return "benchmark";
    }

    @Override
    public List<ParameterGroup> parameterGroups() {
        return List.of(new ParameterGroup("all", parameters(), learningRate, weightDecay));
    }

    @Override
    public List<int[]> batches(int epoch) {
        return batches.epoch(epoch);
    }

    @Override
    public Validation validate() {
        return new Validation(0, 0);
    }

    @Override
    public void saveBest() {}
}
