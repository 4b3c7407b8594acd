package org.plant4j.lm;

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
import org.plant4j.UserError;
import org.plant4j.nn.Batches;
import org.plant4j.nn.Compute;
import org.plant4j.text.Examples;
import org.plant4j.text.Vocabulary;
import org.plant4j.train.Objective;
import org.plant4j.train.ParameterGroup;

/**
 * Learning to guess hidden words of running text from those around them (Devlin et al.: BERT, 2019, section 3.1): each
 * epoch hides others. The loss is the cross-entropy a hidden piece; the metric is that of held-out texts, hidden always in
 * the same way, as a perplexity, negated since more is worse.
 */
public final class MaskedModelling implements Objective<int[]> {

    private final MaskedModel model;
    private final Masking masking;
    private final TextRows learned;
    private final TextRows heldOut;
    private final Batches batches;
    private final Batches heldOutBatches;
    private final Path best;
    private final List<ParameterGroup> groups;
    private int epoch;

    /** The weights are kept in the file {@code best} where they were best. */
    public MaskedModelling(
            MaskedModel model,
            MlmConfig config,
            Vocabulary vocabulary,
            List<? extends Examples> parts,
            long seed,
            Path best) {
        this.model = model;
        this.best = best;
        masking = new Masking(
                config.share(),
                model.encoder().config(),
                vocabulary.size(),
                config.wholeWords() ? WordStarts.continuing(vocabulary) : new BitSet(),
                seed);
        Texts texts = new Texts(parts, config.heldOut(), false, seed, "mlm");
        learned = new TextRows(texts.learned(0), config.window(), masking::mayHide);
        heldOut = new TextRows(texts.heldOut(), config.window(), masking::mayHide);
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
    private static List<ParameterGroup> groups(Map<String, Tensor> parameters, MlmConfig config) {
        Map<String, Tensor> matrices = new LinkedHashMap<>();
        Map<String, Tensor> rest = new LinkedHashMap<>();
        parameters.forEach((name, tensor) -> (tensor.dim() > 1 ? matrices : rest).put(name, tensor));
        return List.of(
                new ParameterGroup("matrices", matrices, config.learningRate(), config.weightDecay()),
                new ParameterGroup("biases and norms", rest, config.learningRate(), 0));
    }

    @Override
    public Map<String, Tensor> parameters() {
        return model.parameters();
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
    public Tensor learn(int[] rows) {
        return learn(hidden(learned, rows, epoch));
    }

    Tensor learn(List<Masking.Masked> rows) {
        Compute compute = model.compute();
        Tensor guesses;
        try (Compute.Autocast autocast = compute.autocast()) {
            guesses = model.guess(rows, true);
        }
        Tensor nothing = torch.zeros(new long[] {}, compute.floats());
        return model.words().learn(guesses, model.right(rows), count(rows), nothing);
    }

    private List<Masking.Masked> hidden(TextRows texts, int[] rows, int when) {
        return Arrays.stream(rows)
                .mapToObj(row -> masking.hide(texts.tokens(row), when, row))
                .toList();
    }

    private static int count(List<Masking.Masked> rows) {
        return rows.stream().mapToInt(row -> row.places().length).sum();
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
            Tensor sum = torch.zeros(new long[] {}, compute.floats()).to(torch.ScalarType.Double);
            for (int[] batch : heldOutBatches.epoch(0)) {
                try (PointerScope batchScope = new PointerScope()) {
                    List<Masking.Masked> rows = hidden(heldOut, batch, Masking.FIXED);
                    sum.add_(model.words().loss(model.guess(rows, false), model.right(rows)));
                    pieces += count(rows);
                }
            }
            double loss = sum.item_double() / pieces;
            return new Validation(loss, -Math.exp(loss));
        }
    }

    @Override
    public void keep() {
        model.save(best);
    }
}
