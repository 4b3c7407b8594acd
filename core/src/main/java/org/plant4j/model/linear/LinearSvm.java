package org.plant4j.model.linear;

import de.bwaldvogel.liblinear.SolverType;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.plant4j.Progress;
import org.plant4j.model.LabelTasks;
import org.plant4j.model.Model;
import org.plant4j.model.ModelConfig;
import org.plant4j.model.TrainingContext;
import org.plant4j.model.output.BatchPredictor;
import org.plant4j.model.output.EvidenceMethod;
import org.plant4j.model.output.PredictionRequest;
import org.plant4j.support.Arguments;
import org.plant4j.tensor.Compute;
import org.plant4j.text.Dataset;
import org.plant4j.text.LabelIndex;

/**
 * One linear support vector machine per label on TF-IDF features: L2 regularisation, squared hinge loss, solved in the
 * dual (Hsieh et al., A Dual Coordinate Descent Method for Large-scale Linear SVM, ICML 2008; LIBLINEAR, Fan et al.,
 * JMLR 9, 2008). With the same settings the weights equal those of scikit-learn's LinearSVC. A score is the sigmoid of
 * the margin, which ranks labels but is not a probability.
 */
public final class LinearSvm implements Model, BatchPredictor.OfDocument {

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
            implements ModelConfig, Serializable {

        private static final long serialVersionUID = 1;

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
            return train(context, SolverType.L2R_L2LOSS_SVC_DUAL);
        }

        boolean train(TrainingContext context, SolverType solver) {
            return context.fitInOneStep(() -> LinearSvm.train(
                    this,
                    solver,
                    context.vocabularySize(),
                    context.labels().size(),
                    context.trainingData(),
                    context.seed(),
                    context.labelTasks(),
                    context.progress()));
        }

        @Override
        public LinearSvm load(Path directory, int vocabularySize, LabelIndex labels, Compute compute) {
            return LinearSvm.load(directory);
        }
    }

    private final TfIdf features;
    private final SparseWeights weights;

    LinearSvm(TfIdf features, SparseWeights weights) {
        this.features = features;
        this.weights = weights;
    }

    /**
     * Trains the labels independently. Each label has its own random generator, so the result depends on the seed but
     * neither on the number of threads nor on where labels are trained. Label ids from {@code labels} on are ignored.
     */
    public static LinearSvm train(
            Config config,
            int vocabularySize,
            int labels,
            Dataset documents,
            long seed,
            LabelTasks tasks,
            Progress progress) {
        return train(config, SolverType.L2R_L2LOSS_SVC_DUAL, vocabularySize, labels, documents, seed, tasks, progress);
    }

    static LinearSvm train(
            Config config,
            SolverType solver,
            int vocabularySize,
            int labels,
            Dataset documents,
            long seed,
            LabelTasks tasks,
            Progress progress) {
        TfIdf tfIdf = TfIdf.fit(documents, vocabularySize, config.sublinearTf());
        LinearProblem problem = LinearProblem.of(config, solver, tfIdf, documents, labels, seed);
        try (Progress.Task task = progress.start("linear model", labels)) {
            List<SparseWeights.Row> rows = tasks.solve(problem, labels, task);
            return new LinearSvm(tfIdf, SparseWeights.of(rows, vocabularySize));
        }
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
        return BatchPredictor.of(documents, this);
    }

    /** The signed distance of a document to the hyperplane of each label, whose sigmoid is the score. */
    public double[] margins(int[] document) {
        return weights.margins(features.vector(document));
    }

    @Override
    public float[] scores(int[] document) {
        double[] margins = margins(document);
        float[] scores = new float[margins.length];
        for (int label = 0; label < scores.length; label++) {
            scores[label] = (float) (1 / (1 + Math.exp(-margins[label])));
        }
        return scores;
    }

    @Override
    public float[][] tokenWeights(int[] document, int[] labels) {
        TfIdf.Vector vector = features.vector(document);
        return Arrays.stream(labels)
                .mapToObj(label -> vector.contributions(document, token -> weights.weight(token, label)))
                .toArray(float[][]::new);
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
