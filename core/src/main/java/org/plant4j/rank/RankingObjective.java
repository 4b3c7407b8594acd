package org.plant4j.rank;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.BoolOptional;
import org.bytedeco.pytorch.InferenceMode;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorArrayRefOptional;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.LabelSelection;
import org.plant4j.train.AbstractObjective;
import org.plant4j.train.ParameterGroup;
import org.plant4j.train.TrainerConfig;

/**
 * Trains a ranker with LambdaRank. A batch is a set of labels with one list each. The reported loss is 1 − nDCG@k, which is
 * not the differentiated function. The metric is the mean nDCG@k over held-out lists (see {@link RankingLists}), for information
 * only: the model of the last epoch is used, since few held-out tokens would select an epoch by chance.
 */
public final class RankingObjective extends AbstractObjective<int[]> {

    private static final long HELD_OUT_SEED = -1; // differs from every epoch
    private static final int VALIDATION_LABELS = 1024; // per batch: no gradients need memory
    private static final long MAX_STORED_TOKENS = 16 << 20; // 128 MiB of tokens and grades

    private final RankModel model;
    private final RankConfig config;
    private final RankingLists lists;
    private final LambdaRank lambdaRank;
    private final int[] labelsWithTokens;
    private final long seed;
    private final Map<Integer, RankingLists.GradedList> heldOutLists = new ConcurrentHashMap<>();

    /** {@code frequencies} of all tokens determine how often each is sampled into a list. */
    public RankingObjective(RankModel model, RankConfig config, Relevance relevance, long[] frequencies, long seed) {
        super(
                "ranker",
                model.parameters(),
                List.of(new ParameterGroup("ranker", model.parameters(), config.learningRate(), config.weightDecay())));
        this.model = model;
        this.config = config;
        this.lists = new RankingLists(config, relevance, frequencies);
        this.lambdaRank = config.lambdaRank();
        this.labelsWithTokens = IntStream.range(0, relevance.labels())
                .filter(label -> relevance.size(label) > 0)
                .toArray();
        this.seed = seed;
    }

    /** Trainer settings; gradients are not clipped, since those of a list are bounded. */
    public TrainerConfig trainer() {
        return new TrainerConfig(config.epochs(), config.warmupRatio(), Double.MAX_VALUE, 0.9, 0.99, config.epochs());
    }

    @Override
    protected List<int[]> batchesOf(int number) {
        int[] order = labelsWithTokens.clone();
        SplittableRandom random = new SplittableRandom(seed * 1_000_003 + number);
        for (int i = order.length - 1; i > 0; i--) {
            int j = random.nextInt(i + 1);
            int label = order[i];
            order[i] = order[j];
            order[j] = label;
        }
        return batches(order, config.batchLabels());
    }

    private static List<int[]> batches(int[] labels, int size) {
        List<int[]> batches = new ArrayList<>();
        for (int start = 0; start < labels.length; start += size) {
            batches.add(Arrays.copyOfRange(labels, start, Math.min(labels.length, start + size)));
        }
        return batches;
    }

    @Override
    public Tensor trainingStep(int[] labels) {
        Lists ranked = onDevice(lists(labels, label -> lists.training(label, seed + 31L * epoch())));
        Tensor scores = score(ranked);
        LambdaRank.Result result = lambdaRank.compute(scores.detach(), ranked.grades(), model.compute());
        scores.backward(result.gradient(), new BoolOptional(), false, new TensorArrayRefOptional());
        return result.ndcg().neg().add_(new Scalar(1)).mean();
    }

    /** Gradients are sums over labels; the loss is a mean. */
    @Override
    public Optional<Share<int[]>> share(int[] labels, int rank, int size) {
        return Share.of(labels, rank, size).map(share -> new Share<>(share.batch(), 1, share.lossWeight()));
    }

    @Override
    public String formatMetric(double metric) {
        return String.format(Locale.ROOT, "held-out nDCG %.2f %%", 100 * metric);
    }

    @Override
    public Validation validate() {
        double ndcg = 0;
        int measured = 0;
        for (int[] labels : batches(labelsWithTokens, Math.max(VALIDATION_LABELS, config.batchLabels()))) {
            List<LabelList> heldOut = lists(labels, this::heldOutList).stream()
                    .filter(list -> list.list.tokens().length > 0) // labels with few tokens hold none out
                    .toList();
            if (!heldOut.isEmpty()) {
                ndcg += sumOfNdcg(heldOut);
                measured += heldOut.size();
            }
        }
        double mean = measured == 0 ? Double.NaN : ndcg / measured;
        return new Validation(1 - mean, mean);
    }

    private double sumOfNdcg(List<LabelList> heldOut) {
        try (PointerScope scope = new PointerScope();
                InferenceMode inference = new InferenceMode()) {
            Lists ranked = onDevice(heldOut);
            return lambdaRank
                    .ndcg(score(ranked), ranked.grades(), model.compute())
                    .to(torch.ScalarType.Double)
                    .sum()
                    .item_double();
        }
    }

    /** The same list in every epoch. Few tokens are held out, so that sampling them takes long; lists are stored if they fit. */
    private RankingLists.GradedList heldOutList(int label) {
        long tokens = (long) labelsWithTokens.length * (config.topTokens() + config.sampledTokens());
        return tokens > MAX_STORED_TOKENS
                ? lists.heldOut(label, seed + HELD_OUT_SEED)
                : heldOutLists.computeIfAbsent(label, key -> lists.heldOut(key, seed + HELD_OUT_SEED));
    }

    private record LabelList(int label, RankingLists.GradedList list) {}

    /** The lists of some labels as rows of one width: labels (B), tokens and grades (B, W). */
    private record Lists(Tensor labels, Tensor tokens, Tensor grades) {}

    private static List<LabelList> lists(int[] labels, IntFunction<RankingLists.GradedList> list) {
        return Arrays.stream(labels)
                .parallel()
                .mapToObj(label -> new LabelList(label, list.apply(label)))
                .toList();
    }

    private Lists onDevice(List<LabelList> lists) {
        RankingLists.GradedList[] rows = lists.stream().map(LabelList::list).toArray(RankingLists.GradedList[]::new);
        int width =
                Arrays.stream(rows).mapToInt(row -> row.tokens().length).max().orElse(0);
        long[] tokens = new long[rows.length * width];
        int[] grades = new int[tokens.length];
        Arrays.fill(grades, LambdaRank.PADDING);
        for (int row = 0; row < rows.length; row++) {
            for (int i = 0; i < rows[row].tokens().length; i++) {
                tokens[row * width + i] = rows[row].tokens()[i];
                grades[row * width + i] = rows[row].grades()[i];
            }
        }
        Compute compute = model.compute();
        return new Lists(
                compute.toDevice(
                        Tensor.create(lists.stream().mapToLong(LabelList::label).toArray())),
                compute.toDevice(Tensor.create(tokens, rows.length, width)),
                compute.toDevice(Tensor.create(grades, rows.length, width)));
    }

    /** Scores (B, W) in float32; only they are computed with the precision of the run. */
    private Tensor score(Lists ranked) {
        try (Compute.Autocast autocast = model.compute().autocast()) {
            return model.scoreRows(model.encodeTokens(ranked.tokens), new LabelSelection.Ids(ranked.labels))
                    .to(torch.ScalarType.Float);
        }
    }

    @Override
    public boolean keepsBestEpoch() {
        return false;
    }

    @Override
    public void saveBest() {
        // the model of the last epoch is used
    }
}
