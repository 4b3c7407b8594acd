package org.plant4j.model.linear;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.plant4j.Progress;
import org.plant4j.text.Dataset;

/**
 * Trains the trees of a {@link LabelTree} from the root down. A label is represented by the mean of its documents, and
 * similar labels are grouped. Each node learns to tell its children apart on the documents that have a label below it;
 * leaf nodes also see a sample of all documents. Nodes and children are trained in parallel; each has its own random generator, so the result does not depend on the
 * number of threads.
 */
final class LabelTreeTrainer {

    private final LabelTree.Config config;
    private final TfIdf features;
    private final FeatureMatrix documents;
    private final int[][] documentsOf; // by label, ascending
    private final int[] trained; // labels with training documents
    private final FeatureMatrix labelVectors;

    LabelTreeTrainer(LabelTree.Config config, int vocabularySize, int labels, Dataset data) {
        this.config = config;
        this.features = TfIdf.fit(data, vocabularySize, true);
        this.documents = FeatureMatrix.of(IntStream.range(0, data.size())
                .parallel()
                .mapToObj(document -> SparseVector.of(features.vector(data.tokens(document))))
                .toArray(SparseVector[]::new));
        this.documentsOf = LinearProblem.documentsByLabel(data, labels);
        this.trained = IntStream.range(0, labels)
                .filter(label -> documentsOf[label].length > 0)
                .toArray();
        this.labelVectors = FeatureMatrix.of(IntStream.range(0, labels)
                .parallel()
                .mapToObj(label -> mean(documentsOf[label]))
                .toArray(SparseVector[]::new));
    }

    /** The mean of some documents, scaled to unit length. */
    private SparseVector mean(int[] members) {
        FeatureSubset subset = FeatureSubset.of(documents, members);
        double[] sum = new double[subset.size()];
        IntStream.range(0, members.length).forEach(row -> subset.matrix().addTo(sum, row, 1));
        double norm = Math.sqrt(Arrays.stream(sum).map(value -> value * value).sum());
        float[] values = new float[sum.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = (float) (sum[i] / norm);
        }
        return new SparseVector(subset.features(), values);
    }

    LabelTree train(long seed, Progress progress) {
        int[] all = IntStream.range(0, documents.rows()).toArray();
        try (Progress.Task task = progress.start("label tree", (long) config.trees() * trained.length)) {
            List<TreeNode> trees = IntStream.range(0, config.trees())
                    .mapToObj(tree -> node(trained, all, seed * 31 + tree, task))
                    .toList();
            return new LabelTree(config, features, documentsOf.length, trees);
        }
    }

    /** The tree of some labels, trained on the documents that have one of them. */
    private TreeNode node(int[] labels, int[] members, long seed, Progress.Task task) {
        boolean leaf = labels.length <= config.leafLabels();
        List<int[]> groups = leaf
                ? Arrays.stream(labels).mapToObj(label -> new int[] {label}).toList()
                : clusters(labels, seed);
        List<int[]> positives = groups.stream().map(this::documentsOf).toList();
        NodeWeights weights = weights(leaf ? withSample(members, seed) : members, positives, seed);
        if (leaf) {
            synchronized (task) {
                task.advance(labels.length);
            }
            return new TreeNode(List.of(), labels, weights);
        }
        List<TreeNode> nodes = IntStream.range(0, groups.size())
                .parallel()
                .mapToObj(i -> node(groups.get(i), positives.get(i), 31 * seed + i + 1, task))
                .toList();
        return new TreeNode(nodes, new int[0], weights);
    }

    /** The documents of a leaf node and a random sample of all documents, in ascending order. */
    private int[] withSample(int[] members, long seed) {
        BitSet chosen = new BitSet(documents.rows());
        if (config.negatives() >= documents.rows()) {
            chosen.set(0, documents.rows());
        } else {
            Arrays.stream(members).forEach(chosen::set);
            new Random(seed).ints(config.negatives(), 0, documents.rows()).forEach(chosen::set);
        }
        return chosen.stream().toArray();
    }

    private List<int[]> clusters(int[] labels, long seed) {
        int parts = Math.min(config.branching(), (labels.length - 1) / config.leafLabels() + 1);
        FeatureSubset subset = FeatureSubset.of(labelVectors, labels);
        int[] positions = IntStream.range(0, labels.length).toArray();
        return new BalancedClustering(subset.matrix(), subset.size())
                .split(positions, parts, new Random(seed)).stream()
                        .map(group -> Arrays.stream(group).map(i -> labels[i]).toArray())
                        .toList();
    }

    /** The documents that have one of the labels, in ascending order. */
    private int[] documentsOf(int[] labels) {
        if (labels.length == 1) {
            return documentsOf[labels[0]];
        }
        BitSet union = new BitSet(documents.rows());
        for (int label : labels) {
            Arrays.stream(documentsOf[label]).forEach(union::set);
        }
        return union.stream().toArray();
    }

    private NodeWeights weights(int[] members, List<int[]> positives, long seed) {
        FeatureSubset subset = FeatureSubset.of(documents, members);
        LabelTree.Solver settings = config.solver();
        DualCoordinateDescent solver = new DualCoordinateDescent(
                subset.matrix(), subset.size(), settings.c(), settings.tolerance(), settings.maxIterations());
        SparseWeights.Row[] rows = IntStream.range(0, positives.size())
                .parallel()
                .mapToObj(child -> {
                    int[] chosen = positions(positives.get(child), members);
                    double[] solution = solver.solve(chosen, new Random(seed * 31 + child));
                    double bias = solution[subset.size()];
                    return SparseWeights.Row.of(Arrays.copyOf(solution, subset.size()), bias, settings.prune());
                })
                .toArray(SparseWeights.Row[]::new);
        return NodeWeights.of(rows, subset.features());
    }

    /** The position of each document among the members, which contain it. */
    private static int[] positions(int[] chosen, int[] members) {
        return Arrays.stream(chosen)
                .map(document -> Arrays.binarySearch(members, document))
                .toArray();
    }
}
