package org.plant4j.model.linear;

import de.bwaldvogel.liblinear.Feature;
import de.bwaldvogel.liblinear.FeatureNode;
import de.bwaldvogel.liblinear.Parameter;
import de.bwaldvogel.liblinear.Problem;
import de.bwaldvogel.liblinear.SolverType;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.plant4j.model.Model;
import org.plant4j.model.ModelConfig;
import org.plant4j.model.TrainingContext;
import org.plant4j.model.output.BatchPredictor;
import org.plant4j.model.output.EvidenceMethod;
import org.plant4j.model.output.PredictionRequest;
import org.plant4j.support.Arguments;
import org.plant4j.support.Progress;
import org.plant4j.tensor.Compute;
import org.plant4j.text.Dataset;
import org.plant4j.text.LabelIndex;

/**
 * One linear support vector machine per label on TF-IDF features: L2 regularisation, squared hinge loss, solved in the
 * dual (Hsieh et al., A Dual Coordinate Descent Method for Large-scale Linear SVM, ICML 2008; LIBLINEAR, Fan et al.,
 * JMLR 9, 2008). With the same settings the weights equal those of scikit-learn's LinearSVC. A score is the sigmoid of
 * the margin, which ranks labels but is not a probability.
 */
public final class LinearSvm implements Model {

    /**
     * Settings of the training.
     *
     * @param c cost of a violated margin relative to the norm of the weights
     * @param sublinearTf whether n occurrences of a token count as 1 + ln n
     * @param tolerance at which the solver stops
     * @param maxIterations after which the solver stops in any case
     * @param prune weights with an absolute value up to this one are dropped; 0 keeps all but zeros
     */
    public record Config(double c, boolean sublinearTf, double tolerance, int maxIterations, double prune)
            implements ModelConfig {

        /** Chosen on the dev splits of CANTEMIST and CodiEsp, where dropping small weights improves rare labels. */
        public static final Config DEFAULTS = new Config(10, true, 1e-4, 1000, 0.1);

        public Config {
            Arguments.positive("c", c);
            Arguments.positive("tolerance", tolerance);
            Arguments.atLeast(1, "max_iterations", maxIterations);
            Arguments.atLeast(0.0, "prune", prune);
        }

        @Override
        public boolean train(TrainingContext context) {
            return context.fitInOneStep(() -> LinearSvm.train(
                    this,
                    context.vocabularySize(),
                    context.labels().size(),
                    context.trainingData(),
                    context.seed(),
                    context.progress()));
        }

        @Override
        public LinearSvm load(Path directory, int vocabularySize, LabelIndex labels, Compute compute) {
            return LinearSvm.load(directory);
        }
    }

    static {
        de.bwaldvogel.liblinear.Linear.disableDebugOutput(); // LIBLINEAR writes it to stdout
    }

    private final TfIdf features;
    private final SparseWeights weights;

    LinearSvm(TfIdf features, SparseWeights weights) {
        this.features = features;
        this.weights = weights;
    }

    /**
     * Trains the labels in parallel, in the common pool or the pool of the caller. Each label has its own random
     * generator, so the result depends on the seed but not on the number of threads. Label ids from {@code labels} on
     * are ignored.
     */
    public static LinearSvm train(
            Config config, int vocabularySize, int labels, Dataset documents, long seed, Progress progress) {
        TfIdf tfIdf = TfIdf.fit(documents, vocabularySize, config.sublinearTf());
        Feature[][] vectors = IntStream.range(0, documents.size())
                .parallel()
                .mapToObj(document -> featureNodes(tfIdf.vector(documents.tokens(document)), vocabularySize))
                .toArray(Feature[][]::new);
        List<List<Integer>> positives = documentsByLabel(documents, labels);
        SparseWeights.Row[] rows = new SparseWeights.Row[labels];
        try (Progress.Task task = progress.start("linear model", labels)) {
            IntStream.range(0, labels).parallel().forEach(label -> {
                Random random = new Random(seed * 31 + label);
                rows[label] = solve(config, vectors, vocabularySize, positives.get(label), random);
                synchronized (task) {
                    task.advance(1);
                }
            });
        }
        return new LinearSvm(tfIdf, SparseWeights.of(rows, vocabularySize));
    }

    /** LIBLINEAR numbers features from 1; the last one is constant, and its weight is the bias. */
    private static Feature[] featureNodes(TfIdf.Vector vector, int vocabularySize) {
        int size = vector.tokens().length;
        Feature[] nodes = new Feature[size + 1];
        for (int i = 0; i < size; i++) {
            nodes[i] = new FeatureNode(vector.tokens()[i] + 1, vector.values()[i]);
        }
        nodes[size] = new FeatureNode(vocabularySize + 1, 1);
        return nodes;
    }

    private static List<List<Integer>> documentsByLabel(Dataset documents, int labels) {
        List<List<Integer>> byLabel = new ArrayList<>();
        for (int label = 0; label < labels; label++) {
            byLabel.add(new ArrayList<>());
        }
        for (int document = 0; document < documents.size(); document++) {
            for (int label : documents.labels(document)) {
                if (label < labels) {
                    byLabel.get(label).add(document);
                }
            }
        }
        return byLabel;
    }

    private static SparseWeights.Row solve(
            Config config, Feature[][] vectors, int vocabularySize, List<Integer> positives, Random random) {
        if (positives.isEmpty() || positives.size() == vectors.length) { // only one class
            return SparseWeights.Row.of(new double[0], positives.isEmpty() ? -1 : 1, 0);
        }
        Problem problem = new Problem();
        problem.l = vectors.length;
        problem.n = vocabularySize + 1;
        problem.bias = 1;
        problem.x = vectors;
        problem.y = new double[vectors.length];
        Arrays.fill(problem.y, -1);
        positives.forEach(document -> problem.y[document] = 1);
        Parameter parameter =
                new Parameter(SolverType.L2R_L2LOSS_SVC_DUAL, config.c(), config.maxIterations(), config.tolerance());
        parameter.setRandom(random);
        double[] solution =
                de.bwaldvogel.liblinear.Linear.train(problem, parameter).getFeatureWeights();
        return SparseWeights.Row.of(Arrays.copyOf(solution, vocabularySize), solution[vocabularySize], config.prune());
    }

    @Override
    public int labels() {
        return weights.bias().length;
    }

    /** For a linear model, gradient times input is weight times feature, the exact contribution. */
    @Override
    public List<EvidenceMethod> evidenceMethods() {
        return List.of(EvidenceMethod.GRADIENT_INPUT);
    }

    @Override
    public BatchPredictor predictor(List<int[]> documents, PredictionRequest request) {
        evidenceMethod(request); // checks it
        return new BatchPredictor() {
            @Override
            public float[][] scores() {
                return documents.stream().parallel().map(LinearSvm.this::scores).toArray(float[][]::new);
            }

            @Override
            public List<float[][]> evidence(List<int[]> labels) {
                return IntStream.range(0, documents.size())
                        .mapToObj(i -> LinearSvm.this.tokenWeights(documents.get(i), labels.get(i)))
                        .toList();
            }
        };
    }

    private float[] scores(int[] document) {
        double[] margins = weights.margins(features.vector(document));
        float[] scores = new float[margins.length];
        for (int label = 0; label < scores.length; label++) {
            scores[label] = (float) (1 / (1 + Math.exp(-margins[label])));
        }
        return scores;
    }

    /** A token's positive contribution to the margin, divided equally between its occurrences. */
    private float[][] tokenWeights(int[] document, int[] labels) {
        TfIdf.Vector vector = features.vector(document);
        float[][] evidence = new float[labels.length][document.length];
        for (int i = 0; i < labels.length; i++) {
            double[] perOccurrence = new double[vector.tokens().length];
            double total = 0;
            for (int j = 0; j < perOccurrence.length; j++) {
                double contribution = Math.max(0, weights.weight(vector.tokens()[j], labels[i]) * vector.values()[j]);
                perOccurrence[j] = contribution / vector.counts()[j];
                total += contribution;
            }
            for (int token = 0; token < document.length && total > 0; token++) {
                int at = Arrays.binarySearch(vector.tokens(), document[token]);
                evidence[i][token] = at < 0 ? 0 : (float) (perOccurrence[at] / total);
            }
        }
        return evidence;
    }

    float weight(int token, int label) {
        return weights.weight(token, label);
    }

    float bias(int label) {
        return weights.bias()[label];
    }

    @Override
    public void save(Path directory) {
        LinearSvmFile.write(directory, features, weights);
    }

    public static LinearSvm load(Path directory) {
        return LinearSvmFile.read(directory);
    }

    @Override
    public void close() {}
}
