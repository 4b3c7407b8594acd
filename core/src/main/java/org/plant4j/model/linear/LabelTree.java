package org.plant4j.model.linear;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.plant4j.Progress;
import org.plant4j.model.Model;
import org.plant4j.model.ModelConfig;
import org.plant4j.model.Shortlist;
import org.plant4j.model.TrainingContext;
import org.plant4j.model.output.BatchPredictor;
import org.plant4j.model.output.EvidenceMethod;
import org.plant4j.model.output.PredictionRequest;
import org.plant4j.support.Arguments;
import org.plant4j.tensor.Compute;
import org.plant4j.text.Dataset;
import org.plant4j.text.LabelIndex;

/**
 * A linear model for very many labels: a tree of label clusters, in the manner of Parabel (Prabhu et al., WWW 2018), Bonsai
 * (Khandagale et al., Machine Learning 2020) and XR-Linear (Yu et al., PECOS, JMLR 2022). A document is scored only
 * against the labels of the clusters that the tree finds most probable for it; the score of all others is 0.
 *
 * <p>A label's classifier is trained on the documents of its cluster and on a sample of the others. Its margin is therefore
 * comparable with that of a one-vs-rest model, and the score is the sigmoid of the margin times the probability of the path
 * to a small power: the path selects labels more than it ranks them.
 */
public final class LabelTree implements Model, BatchPredictor.OfDocument, Shortlist {

    /**
     * Settings of the model.
     *
     * @param trees number of trees, whose scores are averaged; they differ by the random start of the clustering
     * @param branching largest number of children of an inner node
     * @param leafLabels largest number of labels of a leaf node
     * @param negatives random documents that the classifiers of a leaf node are trained on besides those of its labels
     * @param beam number of leaf nodes whose labels are scored
     * @param pathWeight exponent of the path's probability in a score; 1 makes the score a product of probabilities
     */
    public record Config(
            int trees, int branching, int leafLabels, int negatives, int beam, double pathWeight, Solver solver)
            implements ModelConfig {

        public Config {
            Arguments.atLeast(1, "trees", trees);
            Arguments.atLeast(2, "branching", branching);
            Arguments.atLeast(1, "leaf_labels", leafLabels);
            Arguments.atLeast(0, "negatives", negatives);
            Arguments.atLeast(1, "beam", beam);
            Arguments.atLeast(0.0, "path_weight", pathWeight);
        }

        /** A small configuration for the contract test: two trees with several levels even for few labels. */
        public static Config example() {
            return new Config(2, 2, 2, 20, 3, 0.1, new Solver(10, 1e-3, 1000, 0.01));
        }

        @Override
        public boolean train(TrainingContext context) {
            return context.fitInOneStep(() -> LabelTree.train(
                    this,
                    context.vocabularySize(),
                    context.labels().size(),
                    context.trainingData(),
                    context.seed(),
                    context.progress()));
        }

        @Override
        public LabelTree load(Path directory, int vocabularySize, LabelIndex labels, Compute compute) {
            return LabelTreeFile.read(directory, this);
        }
    }

    /**
     * Settings of the support vector machines, as in {@link LinearSvm.Config}.
     *
     * @param c cost of a violated margin relative to the norm of the weights
     * @param tolerance at which the solver stops
     * @param maxIterations after which the solver stops in any case
     * @param prune weights with an absolute value up to this one are dropped; 0 keeps all but zeros
     */
    public record Solver(double c, double tolerance, int maxIterations, double prune) {

        public Solver {
            Arguments.positive("c", c);
            Arguments.positive("tolerance", tolerance);
            Arguments.atLeast(1, "max_iterations", maxIterations);
            Arguments.atLeast(0.0, "prune", prune);
        }
    }

    private final Config config;
    private final TfIdf features;
    private final int labels;
    private final List<TreeNode> trees;
    private final TreeNode[][] leafOf; // (trees, labels); null for labels without training documents

    LabelTree(Config config, TfIdf features, int labels, List<TreeNode> trees) {
        this.config = config;
        this.features = features;
        this.labels = labels;
        this.trees = List.copyOf(trees);
        this.leafOf =
                trees.stream().map(tree -> leaves(tree, new TreeNode[labels])).toArray(TreeNode[][]::new);
    }

    private static TreeNode[] leaves(TreeNode node, TreeNode[] leafOf) {
        Arrays.stream(node.labels()).forEach(label -> leafOf[label] = node);
        node.nodes().forEach(child -> leaves(child, leafOf));
        return leafOf;
    }

    /** Trains the trees in the common pool or the pool of the caller. Label ids from {@code labels} on are ignored. */
    public static LabelTree train(
            Config config, int vocabularySize, int labels, Dataset documents, long seed, Progress progress) {
        return new LabelTreeTrainer(config, vocabularySize, labels, documents).train(seed, progress);
    }

    @Override
    public int labels() {
        return labels;
    }

    /** The labels with the highest scores, for a model that cannot score all labels. */
    @Override
    public int[] labels(int[] document, int count) {
        float[] scores = scores(document);
        return IntStream.range(0, labels)
                .filter(label -> scores[label] > 0)
                .boxed()
                .sorted((a, b) -> Float.compare(scores[b], scores[a]))
                .limit(count)
                .mapToInt(Integer::intValue)
                .sorted()
                .toArray();
    }

    /** For a linear model, gradient times input is weight times feature, the exact contribution. */
    @Override
    public List<EvidenceMethod> evidenceMethods() {
        return List.of(EvidenceMethod.GRADIENT_INPUT);
    }

    @Override
    public BatchPredictor predictor(List<int[]> documents, PredictionRequest request) {
        evidenceMethod(request); // checks it
        return BatchPredictor.of(documents, this);
    }

    @Override
    public float[] scores(int[] document) {
        SparseVector vector = SparseVector.of(features.vector(document));
        double[] sums = new double[labels];
        for (TreeNode tree : trees) {
            for (BeamSearch.Reached leaf : BeamSearch.leaves(tree, vector, config.beam())) {
                double[] margins = leaf.node().weights().margins(vector);
                for (int child = 0; child < margins.length; child++) {
                    sums[leaf.node().labels()[child]] += Math.exp(
                            BeamSearch.logSigmoid(margins[child]) + config.pathWeight() * leaf.logProbability());
                }
            }
        }
        float[] scores = new float[labels];
        for (int label = 0; label < labels; label++) {
            scores[label] = (float) (sums[label] / trees.size());
        }
        return scores;
    }

    /** The contributions of tokens to the margins of a label's own classifiers, without those of the path. */
    @Override
    public float[][] tokenWeights(int[] document, int[] chosen) {
        TfIdf.Vector vector = features.vector(document);
        return Arrays.stream(chosen)
                .mapToObj(label -> vector.contributions(document, token -> weight(token, label)))
                .toArray(float[][]::new);
    }

    /** The sum over the trees of a token's weight for a label. */
    double weight(int token, int label) {
        double sum = 0;
        for (TreeNode[] leaves : leafOf) {
            TreeNode leaf = leaves[label];
            sum += leaf == null ? 0 : leaf.weights().weight(token, Arrays.binarySearch(leaf.labels(), label));
        }
        return sum;
    }

    @Override
    public void save(Path directory) {
        LabelTreeFile.write(directory, features, labels, trees);
    }

    @Override
    public void close() {}
}
