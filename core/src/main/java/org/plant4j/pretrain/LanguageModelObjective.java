package org.plant4j.pretrain;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.InferenceMode;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.encoder.EncoderState;
import org.plant4j.tensor.Compute;
import org.plant4j.text.Dataset;
import org.plant4j.train.Objective;
import org.plant4j.train.ParameterGroup;

/**
 * Learning to predict the next word of running text, window by window: the state is carried from one to the next, the
 * gradients are not. Each epoch begins without memory, over texts in an order of its own.
 *
 * <p>The loss is the cross-entropy a word, plus α times the mean square of the dropped states and β times that of the
 * steps from state to state (AR and TAR: Merity, McCann, Socher 2017). The metric is the held-out perplexity, negated
 * since more is worse. The rate is not scaled with a window's length, as Merity et al. do for plain SGD: Adam makes steps
 * of one size from windows of any.
 */
public final class LanguageModelObjective implements Objective<BpttBatches.Window>, AutoCloseable {

    private final LanguageModel model;
    private final LanguageModelConfig config;
    private final PretrainingTexts texts;
    private final long seed;
    private final Path best;
    private final List<ParameterGroup> groups;
    private BpttBatches columns = new BpttBatches(new int[0], 0, 0);
    private EncoderState memory = EncoderState.EMPTY;
    private int epoch;

    /** The model is kept in the file {@code best} where it was best; {@code backward} reads texts from their end. */
    public LanguageModelObjective(
            LanguageModel model,
            LanguageModelConfig config,
            List<? extends Dataset> texts,
            boolean backward,
            long seed,
            Path best) {
        this.model = model;
        this.config = config;
        this.texts = new PretrainingTexts(texts, config.heldOut(), backward, seed, "lm");
        this.seed = seed;
        this.best = best;
        this.groups =
                List.of(new ParameterGroup("all", model.parameters(), config.learningRate(), config.weightDecay()));
    }

    @Override
    public String name() {
        return "language model";
    }

    @Override
    public Map<String, Tensor> parameters() {
        return model.parameters();
    }

    @Override
    public List<ParameterGroup> parameterGroups() {
        return groups;
    }

    @Override
    public List<BpttBatches.Window> batches(int number) {
        epoch = number;
        columns = BpttBatches.of(texts.trainingStream(number), config.batch(), config.bptt());
        return columns.windows(config.bptt(), new Random(seed * 1_000_033 + number));
    }

    @Override
    public Tensor trainingStep(BpttBatches.Window window) {
        if (window.start() == 0) {
            carry(EncoderState.EMPTY);
        }
        Compute compute = model.compute();
        LanguageModel.ModelOutput reading;
        Tensor extra;
        try (Compute.Autocast autocast = compute.autocast()) {
            reading = model.forward(columns.inputs(window, compute), memory, true);
            extra = regularization(reading);
        }
        carry(reading.state().detached());
        return model.decoder()
                .backward(
                        reading.droppedStates().flatten(0, 1),
                        columns.targets(window, compute),
                        columns.targetCount(window),
                        extra);
    }

    private void carry(EncoderState next) {
        memory.close();
        memory = next;
    }

    private Tensor regularization(LanguageModel.ModelOutput reading) {
        Tensor sum = torch.zeros(new long[] {}, model.compute().floatOptions());
        if (config.alpha() > 0) {
            sum = sum.add(meanSquare(reading.droppedStates()).mul(new Scalar(config.alpha())));
        }
        long steps = reading.hiddenStates().size(1) - 1;
        if (config.beta() > 0 && steps > 0) {
            Tensor states = reading.hiddenStates();
            Tensor change = states.narrow(1, 1, steps).sub(states.narrow(1, 0, steps));
            sum = sum.add(meanSquare(change).mul(new Scalar(config.beta())));
        }
        return sum;
    }

    private static Tensor meanSquare(Tensor tensor) {
        return tensor.to(torch.ScalarType.Float).square().mean();
    }

    @Override
    public Validation validate() {
        if (!texts.hasHeldOut()) {
            return new Validation(Double.NaN, epoch); // the last epoch is the best
        }
        double loss = entropy(texts.heldOutStream());
        return new Validation(loss, -Math.exp(loss));
    }

    /** Mean over the words of a stream, nothing dropped. */
    private double entropy(int[] stream) {
        BpttBatches held = BpttBatches.of(stream, config.batch(), config.bptt());
        Compute compute = model.compute();
        EncoderState before = EncoderState.EMPTY;
        long words = 0;
        try (PointerScope scope = new PointerScope();
                InferenceMode inference = new InferenceMode();
                Compute.Autocast autocast = compute.autocast()) {
            Tensor sum = torch.zeros(new long[] {}, compute.floatOptions()).to(torch.ScalarType.Double);
            for (BpttBatches.Window window : held.windows(config.bptt())) {
                try (PointerScope windowScope = new PointerScope()) {
                    LanguageModel.ModelOutput reading = model.forward(held.inputs(window, compute), before, false);
                    sum.add_(
                            model.decoder().loss(reading.droppedStates().flatten(0, 1), held.targets(window, compute)));
                    before.close();
                    before = reading.state().detached();
                    words += held.targetCount(window);
                }
            }
            before.close();
            return sum.item_double() / words;
        }
    }

    @Override
    public void saveBest() {
        model.save(best);
    }

    @Override
    public void close() {
        carry(EncoderState.EMPTY);
    }
}
