package org.plant4j.bench;

import java.util.List;
import org.plant4j.nn.Batch;
import org.plant4j.nn.Batches;
import org.plant4j.nn.Compute;
import org.plant4j.nn.Layer;
import org.plant4j.train.Objective;
import org.plant4j.train.ParameterGroup;

/** A step that is learned for its time, not for its quality: all parameters at one rate, whole documents, no judge. */
abstract class MeasuredStep extends Layer implements Objective<int[]> {

    final Batches batches;
    final Compute compute;
    private final double learningRate;
    private final double weightDecay;

    MeasuredStep(Batches batches, Compute compute, double learningRate, double weightDecay) {
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
    public List<ParameterGroup> groups() {
        return List.of(new ParameterGroup("all", parameters(), learningRate, weightDecay));
    }

    @Override
    public List<int[]> epoch(int epoch) {
        return batches.epoch(epoch);
    }

    @Override
    public Validation validate() {
        return new Validation(0, 0);
    }

    @Override
    public void keep() {}
}
