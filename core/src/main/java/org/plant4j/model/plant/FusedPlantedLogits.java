package org.plant4j.model.plant;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.bytedeco.pytorch.MemoryFormatOptional;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.ScalarTypeOptional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.jspecify.annotations.Nullable;
import org.plant4j.layer.AttentionScales;
import org.plant4j.layer.TokenOccurrences;
import org.plant4j.model.DecodedLogits;
import org.plant4j.rank.StaticAttention;
import org.plant4j.tensor.Batch;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.CudaKernels;
import org.plant4j.tensor.LabelSelection;
import org.plant4j.train.Gradients;

/**
 * {@link PlantedLogits} with the kernels of {@code planted.cu}: each pass reads token logits and scores once, softmax weights
 * are never stored, and static attention is read from the table of pairs. Softmax weights stay in float32, so gradients in
 * bfloat16 are more accurate. The gradients replace token logits and scores, which matrix products do not need in their
 * backward pass, so they take no memory.
 */
final class FusedPlantedLogits implements DecodedLogits {

    private static final int LEARNED = 0; // indices of the scales
    private static final int STATIC = 1;
    private static final int RANKER = 2;

    private static final int LABELS_PER_THREAD = 4; // as in planted.cu
    private static final int THREADS = 128;
    private static final int WARP = 32;

    private final CudaKernels kernels;
    private final Sources sources;
    private final Tensor tokenLogits; // (B, T, S)
    private final List<Tensor> softmaxScores; // (B, T, S) each
    private final int[] softmaxScales;
    private final Tensor scales; // (3)
    private final Tensor tokens; // (B, T)
    private final Tensor lengths; // (B)
    private final Tensor softmaxLogits; // (sources, B, S)
    private final Tensor logSums; // (sources, B, S)
    private final Tensor staticSums; // (B, S)
    private final Tensor logits; // (B, S); autograd records the scales

    /**
     * The sources of a batch, null if not used. Scores are overwritten.
     *
     * @param firstLabel of the table's labels that are decoded
     * @param endLabel the one after the last of them
     */
    record Sources(
            @Nullable Tensor learnedScores,
            StaticAttention.@Nullable PairTable staticPairs,
            @Nullable Tensor rankerScores,
            int firstLabel,
            int endLabel) {

        static Sources of(
                LabelSelection labels,
                int allLabels,
                @Nullable Tensor learnedScores,
                StaticAttention.@Nullable PairTable staticPairs,
                @Nullable Tensor rankerScores) {
            LabelSelection unpadded = labels instanceof LabelSelection.Padded padded ? padded.labels() : labels;
            int first = unpadded instanceof LabelSelection.Range range ? range.first() : 0;
            return new Sources(learnedScores, staticPairs, rankerScores, first, first + unpadded.count(allLabels));
        }

        List<Tensor> softmaxScores() {
            return Stream.of(Optional.ofNullable(learnedScores), Optional.ofNullable(rankerScores))
                    .flatMap(Optional::stream)
                    .toList();
        }

        private int[] softmaxScales() {
            int first = learnedScores == null ? RANKER : LEARNED;
            return new int[] {first, RANKER};
        }
    }

    /** Empty if the kernels are missing or the tensors are of several types. */
    static Optional<DecodedLogits> of(
            Compute compute, Batch batch, Tensor tokenLogits, Sources sources, AttentionScales scales, int nullTokens) {
        torch.ScalarType type = tokenLogits.scalar_type().intern();
        boolean bfloat16 = type == torch.ScalarType.BFloat16;
        List<Tensor> scores = sources.softmaxScores();
        boolean supported = (!scores.isEmpty() || sources.staticPairs != null)
                && (bfloat16 || type == torch.ScalarType.Float)
                && tokenLogits.size(2) % LABELS_PER_THREAD == 0
                && Stream.concat(Stream.of(tokenLogits), scores.stream())
                        .allMatch(tensor -> tensor.scalar_type().intern() == type && tensor.is_contiguous());
        return supported
                ? PlantedKernels.of(bfloat16, scores.size())
                        .map(kernels -> new FusedPlantedLogits(
                                kernels, compute, batch, tokenLogits, sources, scales, nullTokens))
                : Optional.empty();
    }

    private FusedPlantedLogits(
            CudaKernels kernels,
            Compute compute,
            Batch batch,
            Tensor tokenLogits,
            Sources sources,
            AttentionScales scales,
            int nullTokens) {
        this.kernels = kernels;
        this.sources = sources;
        this.tokenLogits = tokenLogits;
        this.softmaxScores = sources.softmaxScores();
        this.softmaxScales = sources.softmaxScales();
        this.scales = scales.values();
        try (Compute.Autocast uncast = compute.withoutAutocast()) {
            Tensor[] logitsBySource = new Tensor[3];
            try (NoGradGuard noGrad = new NoGradGuard()) {
                tokens = TokenOccurrences.tokens(batch.tokens());
                lengths = batch.mask().sum(new long[] {1}, false, new ScalarTypeOptional(torch.ScalarType.Int));
                long[] shape = {softmaxScores.size(), tokenLogits.size(0), tokenLogits.size(2)};
                softmaxLogits = torch.empty(shape, compute.floatOptions(), new MemoryFormatOptional());
                logSums = torch.empty_like(softmaxLogits);
                staticSums = torch.zeros(new long[] {shape[1], shape[2]}, compute.floatOptions());
                if (!softmaxScores.isEmpty()) {
                    launchSoftmaxLogits(nullTokens);
                }
                for (int i = 0; i < softmaxScores.size(); i++) {
                    logitsBySource[softmaxScales[i]] = softmaxLogits.select(0, i);
                }
                if (sources.staticPairs != null) {
                    logitsBySource[STATIC] = staticLogits(sources.staticPairs);
                }
            }
            logits = scales.weightedSum(logitsBySource);
        }
    }

    private void launchSoftmaxLogits(int nullTokens) {
        kernels.launch(
                "softmaxLogits",
                labelGrid(),
                tokenLogits,
                scores(0),
                scores(1),
                lengths,
                softmaxLogits,
                logSums,
                (float) nullTokens,
                documents(),
                tokenCount(),
                stride());
    }

    private Tensor staticLogits(StaticAttention.PairTable pairs) {
        Tensor weighted = torch.zeros_like(staticSums);
        kernels.launch(
                "staticLogits",
                tokenGrid(),
                tokenLogits,
                tokens,
                pairs.starts(),
                pairs.labels(),
                pairs.gains(),
                staticSums,
                weighted,
                sources.firstLabel,
                sources.endLabel,
                documents(),
                tokenCount(),
                stride());
        return weighted.div_(staticSums.add(new Scalar(1f)));
    }

    /** The scores of a softmax source; any tensor for a source that does not exist, which the kernel does not read. */
    private Tensor scores(int source) {
        return source < softmaxScores.size() ? softmaxScores.get(source) : tokenLogits;
    }

    @Override
    public Tensor logits() {
        return logits;
    }

    @Override
    public void backward(Tensor gradient) {
        Tensor g = gradient.contiguous();
        kernels.launch(
                "softmaxGradients",
                labelGrid(),
                tokenLogits,
                scores(0),
                scores(1),
                lengths,
                g,
                scales,
                softmaxScales[0],
                softmaxScales[1],
                softmaxLogits,
                logSums,
                documents(),
                tokenCount(),
                stride());
        if (sources.staticPairs != null) {
            launchStaticGradients(sources.staticPairs, g);
        }
        List<Tensor> tensors = new ArrayList<>(softmaxScores);
        tensors.add(tokenLogits);
        List<Tensor> gradients =
                new ArrayList<>(tensors.stream().map(Tensor::detach).toList());
        tensors.add(logits);
        gradients.add(g);
        Gradients.backward(tensors, gradients);
    }

    private void launchStaticGradients(StaticAttention.PairTable pairs, Tensor g) {
        kernels.launch(
                "staticGradients",
                tokenGrid(),
                tokenLogits,
                tokens,
                pairs.starts(),
                pairs.labels(),
                pairs.gains(),
                staticSums,
                g,
                scales,
                STATIC,
                sources.firstLabel,
                sources.endLabel,
                documents(),
                tokenCount(),
                stride());
    }

    /** One thread for some labels of a document. */
    private CudaKernels.Grid labelGrid() {
        return new CudaKernels.Grid(ceilDiv(stride() / LABELS_PER_THREAD, THREADS), documents(), THREADS);
    }

    /** One warp per token. */
    private CudaKernels.Grid tokenGrid() {
        return new CudaKernels.Grid(ceilDiv((long) documents() * tokenCount(), THREADS / WARP), 1, THREADS);
    }

    private static long ceilDiv(long count, long size) {
        return (count + size - 1) / size;
    }

    private int documents() {
        return (int) tokenLogits.size(0);
    }

    private int tokenCount() {
        return (int) tokenLogits.size(1);
    }

    /** Labels with padding. */
    private int stride() {
        return (int) tokenLogits.size(2);
    }
}
