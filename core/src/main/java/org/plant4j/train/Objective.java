package org.plant4j.train;

import java.util.List;
import java.util.Map;
import org.bytedeco.pytorch.Tensor;

/** What is learned: the batches of an epoch, the loss of one, and how well it goes. {@code B} is a batch still to be loaded. */
public interface Objective<B> {

    /** Everything a checkpoint must hold. */
    Map<String, Tensor> parameters();

    /** Who learns at which rate. */
    List<ParameterGroup> groups();

    /** The batches of an epoch: a function of the epoch alone, so that a resumed training meets the same. */
    List<B> epoch(int epoch);

    /** Leaves the gradients of the batch's loss with the parameters and returns the loss; called inside the step's scope. */
    Tensor learn(B batch);

    /** Measures the model on documents it does not learn from. */
    Validation validate();

    /** The last validation was the best so far: keep the model as it is now. */
    void keep();

    /** Loss and the metric that chooses the best epoch; higher is better. */
    record Validation(double loss, double metric) {}
}
