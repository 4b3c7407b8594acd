package org.plant4j.pretrain;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.InferenceMode;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.encoder.EncoderState;
import org.plant4j.tensor.Compute;
import org.plant4j.text.Dataset;
import org.plant4j.train.AbstractObjective;
import org.plant4j.train.ParameterGroup;

/**
 * Next-token prediction with truncated backpropagation through time: the state carries over from window to window,
 * gradients do not. Each epoch starts from an empty state and shuffles the documents.
 *
 * <p>The loss is the mean cross-entropy per token, plus α times the mean square of the states after dropout and β times
 * that of the difference of consecutive states (AR and TAR: Merity, McCann, Socher 2017). The metric is the negated
 * held-out perplexity. The learning rate is not scaled with the length of a window, as Merity et al. do for plain SGD:
 * Adam's step size does not depend on it.
 */
public final class LanguageModelObjective extends AbstractObjective<BpttBatches.Window> implements AutoCloseable {

    private final LanguageModel model;
    private final LanguageModelConfig config;
    private final PretrainingTexts texts;
    private final long seed;
    private final Path best;
    private BpttBatches batches = new BpttBatches(new int[0], 0, 0);
    private EncoderState state = EncoderState.EMPTY;

    /** Saves the best model to the file {@code best}; {@code backward} reverses the documents. */
    public LanguageModelObjective(
            LanguageModel model,
            LanguageModelConfig config,
            List<? extends Dataset> texts,
            boolean backward,
            long seed,
            Path best) {
        super(
                "language model",
                model.parameters(),
                List.of(new ParameterGroup("all", model.parameters(), config.learningRate(), config.weightDecay())));
        this.model = model;
        this.config = config;
        this.texts = new PretrainingTexts(texts, config.heldOut(), backward, seed, "language_model");
        this.seed = seed;
        this.best = best;
    }

    @Override
    protected List<BpttBatches.Window> batchesOf(int number) {
        batches = BpttBatches.of(texts.trainingStream(number), config.batchSize(), config.bptt());
        return batches.windows(config.bptt(), new Random(seed * 1_000_033 + number));
    }

    @Override
    public Tensor trainingStep(BpttBatches.Window window) {
        if (window.start() == 0) {
            carry(EncoderState.EMPTY);
        }
        Compute compute = model.compute();
        LanguageModel.ModelOutput output;
        Tensor penalty;
        try (Compute.Autocast autocast = compute.autocast()) {
            output = model.forward(batches.inputs(window, compute), state, true);
            penalty = regularization(output);
        }
        carry(output.state().detached());
        return model.decoder()
                .backward(
                        output.droppedStates().flatten(0, 1),
                        batches.targets(window, compute),
                        meanTargetCount(window),
                        penalty);
    }

    /** Targets of all columns, times the fraction of columns in the window: the weight of a share is this fraction. */
    private double meanTargetCount(BpttBatches.Window window) {
        int all = batches.targetCount(batches.window(window.start(), window.length()));
        return (double) all * window.columns() / batches.batchSize();
    }

    @Override
    public Optional<Share<BpttBatches.Window>> share(BpttBatches.Window window, int rank, int size) {
        return window.share(rank, size).map(share -> {
            double fraction = (double) share.columns() / window.columns();
            return new Share<>(share, fraction, fraction);
        });
    }

    private void carry(EncoderState next) {
        state.close();
        state = next;
    }

    /** AR and TAR penalty: a scalar. */
    private Tensor regularization(LanguageModel.ModelOutput output) {
        Tensor sum = torch.zeros(new long[] {}, model.compute().floatOptions());
        if (config.alpha() > 0) {
            sum = sum.add(meanSquare(output.droppedStates()).mul(new Scalar(config.alpha())));
        }
        Tensor states = output.hiddenStates(); // (B, T, E)
        long steps = states.size(1) - 1;
        if (config.beta() > 0 && steps > 0) {
            Tensor change = states.narrow(1, 1, steps).sub(states.narrow(1, 0, steps));
            sum = sum.add(meanSquare(change).mul(new Scalar(config.beta())));
        }
        return sum;
    }

    private static Tensor meanSquare(Tensor tensor) {
        return tensor.to(torch.ScalarType.Float).square().mean();
    }

    @Override
    public String formatMetric(double metric) {
        return String.format(Locale.ROOT, "held-out perplexity %.1f", -metric);
    }

    @Override
    public Validation validate() {
        if (!texts.hasHeldOut()) {
            return Validation.withoutHeldOut(epoch());
        }
        double loss = crossEntropy(texts.heldOutStream());
        return Validation.ofPerplexity(loss);
    }

    /** Mean cross-entropy per token of a stream, without dropout. */
    private double crossEntropy(int[] stream) {
        BpttBatches heldOut = BpttBatches.of(stream, config.batchSize(), config.bptt());
        Compute compute = model.compute();
        EncoderState before = EncoderState.EMPTY;
        long targets = 0;
        try (PointerScope scope = new PointerScope();
                InferenceMode inference = new InferenceMode();
                Compute.Autocast autocast = compute.autocast()) {
            Tensor sum = torch.zeros(new long[] {}, compute.floatOptions()).to(torch.ScalarType.Double);
            for (BpttBatches.Window window : heldOut.windows(config.bptt())) {
                try (PointerScope windowScope = new PointerScope()) {
                    LanguageModel.ModelOutput output = model.forward(heldOut.inputs(window, compute), before, false);
                    sum.add_(model.decoder()
                            .loss(output.droppedStates().flatten(0, 1), heldOut.targets(window, compute)));
                    before.close();
                    before = output.state().detached();
                    targets += heldOut.targetCount(window);
                }
            }
            before.close();
            return sum.item_double() / targets;
        }
    }

    @Override
    public void saveBest() {
        model.save(best);
    }

    @Override
    public Optional<Path> bestWeights() {
        return Optional.of(best);
    }

    @Override
    public void close() {
        carry(EncoderState.EMPTY);
    }
}
