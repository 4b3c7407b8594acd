package org.plant4j.pretrain;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.InferenceMode;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.UserError;
import org.plant4j.tensor.Batches;
import org.plant4j.tensor.Compute;
import org.plant4j.text.Dataset;
import org.plant4j.text.Vocabulary;
import org.plant4j.text.WordBoundaries;
import org.plant4j.train.AbstractObjective;
import org.plant4j.train.ParameterGroup;

/**
 * Masked language modelling (Devlin et al.: BERT, 2019, section 3.1) with a new mask in each epoch. The loss is the
 * mean cross-entropy per masked token. The metric is the negated perplexity of held-out documents under a fixed mask.
 */
public final class MaskedLanguageModelObjective extends AbstractObjective<int[]> {

    private final MaskedLanguageModel model;
    private final TokenMasking masking;
    private final PretrainingRows training;
    private final PretrainingRows heldOut;
    private final Batches batches;
    private final Batches heldOutBatches;
    private final Path best;

    /** Saves the best weights to the file {@code best}. */
    public MaskedLanguageModelObjective(
            MaskedLanguageModel model,
            MaskedLanguageModelConfig config,
            Vocabulary vocabulary,
            List<? extends Dataset> datasets,
            long seed,
            Path best) {
        super("masked language model", model.parameters(), groups(model.parameters(), config));
        this.model = model;
        this.best = best;
        masking = new TokenMasking(
                config.maskRate(),
                model.encoder().config(),
                vocabulary.size(),
                config.wholeWords() ? WordBoundaries.continuationTokens(vocabulary) : new BitSet(),
                seed);
        PretrainingTexts texts = new PretrainingTexts(datasets, config.heldOut(), false, seed, "masked_language_model");
        training = new PretrainingRows(texts.trainingStream(0), config.window(), masking::isMaskable);
        heldOut = new PretrainingRows(texts.heldOutStream(), config.window(), masking::isMaskable);
        if (training.size() == 0) {
            throw new UserError(
                    "No token of the documents is in the vocabulary of the encoder",
                    "pretrained_encoder",
                    "import it again with the tokens of this corpus");
        }
        int maxTokens = Math.multiplyExact(config.batchSize(), config.window());
        batches = new Batches(training, config.batchSize(), maxTokens, seed);
        heldOutBatches = new Batches(heldOut, config.batchSize(), maxTokens, seed);
    }

    /** Biases and norms have no weight decay, as in BERT's training. */
    private static List<ParameterGroup> groups(Map<String, Tensor> parameters, MaskedLanguageModelConfig config) {
        Map<String, Tensor> matrices = new LinkedHashMap<>();
        Map<String, Tensor> rest = new LinkedHashMap<>();
        parameters.forEach((name, tensor) -> (tensor.dim() > 1 ? matrices : rest).put(name, tensor));
        return List.of(
                new ParameterGroup("matrices", matrices, config.learningRate(), config.weightDecay()),
                new ParameterGroup("biases and norms", rest, config.learningRate(), 0));
    }

    @Override
    protected List<int[]> batchesOf(int number) {
        return batches.epoch(number);
    }

    @Override
    public Tensor trainingStep(int[] rows) {
        return trainingStep(mask(training, rows, epoch()));
    }

    /** The loss is a mean over masked tokens, of which rows have different numbers. */
    @Override
    public Optional<Share<int[]>> share(int[] rows, int rank, int size) {
        return Share.of(rows, rank, size).map(share -> {
            double fraction =
                    (double) count(mask(training, share.batch(), epoch())) / count(mask(training, rows, epoch()));
            return new Share<>(share.batch(), fraction, fraction);
        });
    }

    Tensor trainingStep(List<TokenMasking.MaskedRow> rows) {
        Compute compute = model.compute();
        Tensor states; // (N, H)
        try (Compute.Autocast autocast = compute.autocast()) {
            states = model.maskedStates(rows, true);
        }
        Tensor noPenalty = torch.zeros(new long[] {}, compute.floatOptions());
        return model.outputLayer().backward(states, model.targets(rows), count(rows), noPenalty);
    }

    private List<TokenMasking.MaskedRow> mask(PretrainingRows texts, int[] rows, int maskEpoch) {
        return Arrays.stream(rows)
                .mapToObj(row -> masking.mask(texts.tokens(row), maskEpoch, row))
                .toList();
    }

    private static int count(List<TokenMasking.MaskedRow> rows) {
        return rows.stream().mapToInt(row -> row.positions().length).sum();
    }

    @Override
    public String formatMetric(double metric) {
        return String.format(Locale.ROOT, "held-out perplexity %.1f", -metric);
    }

    @Override
    public Validation validate() {
        if (heldOut.size() == 0) {
            return Validation.withoutHeldOut(epoch());
        }
        Compute compute = model.compute();
        long masked = 0;
        try (PointerScope scope = new PointerScope();
                InferenceMode inference = new InferenceMode();
                Compute.Autocast autocast = compute.autocast()) {
            Tensor sum = torch.zeros(new long[] {}, compute.floatOptions()).to(torch.ScalarType.Double);
            for (int[] batch : heldOutBatches.epoch(0)) {
                try (PointerScope batchScope = new PointerScope()) {
                    List<TokenMasking.MaskedRow> rows = mask(heldOut, batch, TokenMasking.FIXED);
                    sum.add_(model.outputLayer().loss(model.maskedStates(rows, false), model.targets(rows)));
                    masked += count(rows);
                }
            }
            double loss = sum.item_double() / masked;
            return Validation.ofPerplexity(loss);
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
}
