package org.plant4j.train;

import java.util.List;
import java.util.Map;
import org.bytedeco.pytorch.Tensor;

/** What is learned: the batches of an epoch, the loss of one, and how well it goes. {@code B} is a batch still to be loaded. */
public interface Objective<B> {

    /** What is trained, such as {@code ranker} or {@code network}; the name of its progress bar. */
    String name();

    /** Everything a checkpoint must hold. */
    Map<String, Tensor> parameters();

    /** Who learns at which rate. */
    List<ParameterGroup> parameterGroups();

    /** The batches of an epoch: a function of the epoch alone, so that a resumed training meets the same. */
    List<B> batches(int epoch);

    /** Leaves the gradients of the batch's loss with the parameters and returns the loss; called inside the step's scope. */
    Tensor trainingStep(B batch);

    /** Measures the model on documents it does not learn from. */
    Validation validate();

    /** The last validation was the best so far: keep the model as it is now. */
    void saveBest();

    /** Loss, the metric that chooses the best epoch (higher is better), and others by name, kept to be looked at. */
    record Validation(double loss, double metric, Map<String, Double> otherMetrics) {

        public Validation(double loss, double metric) {
            this(loss, metric, Map.of());
        }
    }
}
