package org.plant4j.pretrain;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.InferenceMode;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.support.UserError;
import org.plant4j.tensor.Batches;
import org.plant4j.tensor.Compute;
import org.plant4j.text.Dataset;
import org.plant4j.text.Vocabulary;
import org.plant4j.train.Objective;
import org.plant4j.train.ParameterGroup;

/**
 * Learning to guess hidden words of running text from those around them (Devlin et al.: BERT, 2019, section 3.1): each
 * epoch hides others. The loss is the cross-entropy a hidden piece; the metric is that of held-out texts, hidden always in
 * the same way, as a perplexity, negated since more is worse.
 */
public final class MaskedLanguageModelObjective implements Objective<int[]> {

    private final MaskedLanguageModel model;
    private final TokenMasking masking;
    private final PretrainingRows learned;
    private final PretrainingRows heldOut;
    private final Batches batches;
    private final Batches heldOutBatches;
    private final Path best;
    private final List<ParameterGroup> groups;
    private int epoch;

    /** The weights are kept in the file {@code best} where they were best. */
    public MaskedLanguageModelObjective(
            MaskedLanguageModel model,
            MaskedLanguageModelConfig config,
            Vocabulary vocabulary,
            List<? extends Dataset> parts,
            long seed,
            Path best) {
        this.model = model;
        this.best = best;
        masking = new TokenMasking(
                config.maskRate(),
                model.encoder().config(),
                vocabulary.size(),
                config.wholeWords() ? WordBoundaries.continuationTokens(vocabulary) : new BitSet(),
                seed);
        PretrainingTexts texts = new PretrainingTexts(parts, config.heldOut(), false, seed, "mlm");
        learned = new PretrainingRows(texts.trainingStream(0), config.window(), masking::isMaskable);
        heldOut = new PretrainingRows(texts.heldOutStream(), config.window(), masking::isMaskable);
        if (learned.size() == 0) {
            throw new UserError(
                    "No piece of the texts is known to the encoder",
                    "pretrained",
                    "import it with the pieces of these texts");
        }
        int tokens = Math.multiplyExact(config.batch(), config.window());
        batches = new Batches(learned, config.batch(), tokens, seed);
        heldOutBatches = new Batches(heldOut, config.batch(), tokens, seed);
        groups = groups(model.parameters(), config);
    }

    /** Biases and norms do not decay, as BERT was trained. */
    private static List<ParameterGroup> groups(Map<String, Tensor> parameters, MaskedLanguageModelConfig config) {
        Map<String, Tensor> matrices = new LinkedHashMap<>();
        Map<String, Tensor> rest = new LinkedHashMap<>();
        parameters.forEach((name, tensor) -> (tensor.dim() > 1 ? matrices : rest).put(name, tensor));
        return List.of(
                new ParameterGroup("matrices", matrices, config.learningRate(), config.weightDecay()),
                new ParameterGroup("biases and norms", rest, config.learningRate(), 0));
    }

    @Override
    public String name() {
        return "masked language model";
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
    public List<int[]> batches(int number) {
        epoch = number;
        return batches.epoch(number);
    }

    @Override
    public Tensor trainingStep(int[] rows) {
        return learn(hidden(learned, rows, epoch));
    }

    Tensor learn(List<TokenMasking.MaskedRow> rows) {
        Compute compute = model.compute();
        Tensor guesses;
        try (Compute.Autocast autocast = compute.autocast()) {
            guesses = model.maskedStates(rows, true);
        }
        Tensor nothing = torch.zeros(new long[] {}, compute.floatOptions());
        return model.outputLayer().backward(guesses, model.targets(rows), count(rows), nothing);
    }

    private List<TokenMasking.MaskedRow> hidden(PretrainingRows texts, int[] rows, int when) {
        return Arrays.stream(rows)
                .mapToObj(row -> masking.mask(texts.tokens(row), when, row))
                .toList();
    }

    private static int count(List<TokenMasking.MaskedRow> rows) {
        return rows.stream().mapToInt(row -> row.positions().length).sum();
    }

    @Override
    public Validation validate() {
        if (heldOut.size() == 0) {
            return new Validation(Double.NaN, epoch); // the last epoch is the best
        }
        Compute compute = model.compute();
        long pieces = 0;
        try (PointerScope scope = new PointerScope();
                InferenceMode inference = new InferenceMode();
                Compute.Autocast autocast = compute.autocast()) {
            Tensor sum = torch.zeros(new long[] {}, compute.floatOptions()).to(torch.ScalarType.Double);
            for (int[] batch : heldOutBatches.epoch(0)) {
                try (PointerScope batchScope = new PointerScope()) {
                    List<TokenMasking.MaskedRow> rows = hidden(heldOut, batch, TokenMasking.FIXED);
                    sum.add_(model.outputLayer().loss(model.maskedStates(rows, false), model.targets(rows)));
                    pieces += count(rows);
                }
            }
            double loss = sum.item_double() / pieces;
            return new Validation(loss, -Math.exp(loss));
        }
    }

    @Override
    public void saveBest() {
        model.save(best);
    }
}
