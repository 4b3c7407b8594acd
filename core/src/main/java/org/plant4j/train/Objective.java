package org.plant4j.train;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.bytedeco.pytorch.Tensor;

/**
 * A training task for the {@link Trainer}: the batches of an epoch, the loss of a batch, and the validation.
 *
 * @param <B> a batch that is not loaded yet
 */
public interface Objective<B> {

    /** The name of the trained model in progress output, such as {@code ranker} or {@code network}. */
    String name();

    /** Formats the metric of {@link #validate} for progress lines, such as {@code dev MAP 75.34 %}. */
    default String formatMetric(double metric) {
        return String.format(Locale.ROOT, "dev %.4f", metric);
    }

    /** All parameters and buffers, by path; a checkpoint stores them. */
    Map<String, Tensor> parameters();

    /** The parameters by learning rate. */
    List<ParameterGroup> parameterGroups();

    /** The batches of an epoch. They depend on the epoch alone, so that a resumed training sees the same ones. */
    List<B> batches(int epoch);

    /**
     * Accumulates the gradients of a batch's loss in the parameters and returns the loss. Tensors created here are
     * freed when the step ends.
     */
    Tensor trainingStep(B batch);

    /**
     * The share of a batch that process {@code rank} of {@code size} trains on; empty if there is too little for all. Sparse
     * gradients must have the same rows in all processes, so none may be empty then.
     */
    default Optional<Share<B>> share(B batch, int rank, int size) {
        throw new UnsupportedOperationException(name() + " cannot be trained by several processes");
    }

    /** Evaluates the model on held-out data. */
    Validation validate();

    /** Whether the best epoch is kept; if not, the last one is. */
    default boolean keepsBestEpoch() {
        return true;
    }

    /** Stores the current parameters; called after the validation with the best metric so far. */
    void saveBest();

    /** The file with the weights that {@link #saveBest} stored, which a resumed training checks; empty if there is none. */
    default Optional<Path> bestWeights() {
        return Optional.empty();
    }

    /**
     * A share of a batch. The weighted sums over all shares are the gradients and the loss of the batch.
     *
     * @param gradientWeight of the share's gradients: its fraction of the batch if they are means, 1 if they are sums
     * @param lossWeight of the share's loss
     */
    record Share<B>(B batch, double gradientWeight, double lossWeight) {

        /** The share of a batch of equally weighted examples whose loss is their mean; empty if it has no example. */
        public static Optional<Share<int[]>> of(int[] examples, int rank, int size) {
            int[] own = slice(examples, rank, size);
            double fraction = (double) own.length / examples.length;
            return own.length == 0 ? Optional.empty() : Optional.of(new Share<>(own, fraction, fraction));
        }

        /** The examples of one process: consecutive ones, the numbers of examples differ by at most 1. */
        public static int[] slice(int[] examples, int rank, int size) {
            return Arrays.copyOfRange(
                    examples, start(examples.length, rank, size), start(examples.length, rank + 1, size));
        }

        /** The first of {@code count} examples that belongs to a process. */
        public static int start(int count, int rank, int size) {
            return (int) ((long) rank * count / size);
        }
    }

    /**
     * Result of a validation.
     *
     * @param metric selects the best epoch; higher is better
     * @param otherMetrics by name, for the training history
     */
    record Validation(double loss, double metric, Map<String, Double> otherMetrics) {

        public Validation(double loss, double metric) {
            this(loss, metric, Map.of());
        }

        /** By perplexity, negated because lower is better; {@code crossEntropy} is the mean per token. */
        public static Validation ofPerplexity(double crossEntropy) {
            return new Validation(crossEntropy, -Math.exp(crossEntropy));
        }

        /** Without held-out data: makes the last epoch the best. */
        public static Validation withoutHeldOut(int epoch) {
            return new Validation(Double.NaN, epoch);
        }
    }
}
