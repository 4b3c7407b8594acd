package org.plant4j.model.linear;

import java.util.Locale;
import java.util.stream.IntStream;
import org.plant4j.UserError;
import org.plant4j.support.Arguments;
import org.plant4j.text.Dataset;

/**
 * Ridge regression of all labels on TF-IDF features with a bias: the weights w of a label minimize Σ (w · x − y)² + penalty
 * · |w|², where y is 1 for the documents of the label and 0 for the others. In the dual, α = (K + penalty · I)⁻¹ y with the
 * kernel K = X Xᵀ + 1, one matrix for all labels, and w = Xᵀ α. Documents may have further features, such as embeddings.
 *
 * <p>The scores that training documents would have without themselves have a closed form, y − α / diag((K + penalty · I)⁻¹)
 * (Rifkin, Lippert: Notes on Regularized Least Squares, MIT 2007). A second model can learn from them how far scores of new
 * documents are to be trusted.
 */
public final class RidgeRegression {

    /** The inverse takes 1.6 GB and 8 · 10¹² operations then. */
    private static final int MAX_DOCUMENTS = 20_000;

    /** With a smaller penalty, rounding errors make the matrix of documents that are alike singular. */
    public static final double MIN_PENALTY = 1e-6;

    private final Dataset documents;
    private final int labels;
    private final TfIdf features;
    private final FeatureMatrix vectors;
    private final float[][] embeddings; // further features of each document
    private final double[][] inverse; // of K + penalty · I, lower triangle

    private RidgeRegression(
            Dataset documents,
            int labels,
            TfIdf features,
            FeatureMatrix vectors,
            float[][] embeddings,
            double[][] inverse) {
        this.documents = documents;
        this.labels = labels;
        this.features = features;
        this.vectors = vectors;
        this.embeddings = embeddings;
        this.inverse = inverse;
    }

    /** Fits all documents. Label ids from {@code labels} on are ignored. */
    public static RidgeRegression fit(Dataset documents, int vocabularySize, int labels, double penalty) {
        return fit(documents, vocabularySize, labels, penalty, new float[documents.size()][0]);
    }

    /** Fits all documents with further features beside TF-IDF, an embedding of each document. */
    public static RidgeRegression fit(
            Dataset documents, int vocabularySize, int labels, double penalty, float[][] embeddings) {
        Arguments.check(
                penalty >= MIN_PENALTY && penalty < Double.POSITIVE_INFINITY, "penalty", penalty, ">= " + MIN_PENALTY);
        if (documents.size() > MAX_DOCUMENTS) {
            throw new UserError(
                    String.format(
                            Locale.ROOT,
                            "Ridge regression is limited to %,d training documents, but there are %,d",
                            MAX_DOCUMENTS,
                            documents.size()),
                    "model.ridge_penalty",
                    "set it to 0 to do without ridge regression, or set preprocessing.max_training_documents");
        }
        TfIdf features = TfIdf.fit(documents, vocabularySize, true);
        FeatureMatrix vectors = FeatureMatrix.of(IntStream.range(0, documents.size())
                .parallel()
                .mapToObj(document -> SparseVector.of(features.vector(documents.tokens(document))))
                .toArray(SparseVector[]::new));
        double[][] kernel = new double[documents.size()][];
        IntStream.range(0, kernel.length).parallel().forEach(row -> {
            double[] dense = new double[vocabularySize];
            vectors.addTo(dense, row, 1);
            kernel[row] = new double[row + 1];
            for (int other = 0; other <= row; other++) {
                kernel[row][other] = vectors.dot(other, dense) + dot(embeddings[row], embeddings[other]) + 1;
            }
            kernel[row][row] += penalty;
        });
        SymmetricInverse.invert(kernel);
        return new RidgeRegression(documents, labels, features, vectors, embeddings, kernel);
    }

    private static double dot(float[] a, float[] b) {
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += a[i] * b[i];
        }
        return sum;
    }

    private double inverse(int row, int column) {
        return row >= column ? inverse[row][column] : inverse[column][row];
    }

    /** The scores of all labels for a training document by the regression that is fitted to all other documents. */
    public double[] leaveOneOut(int document) {
        double[] scores = new double[labels];
        double own = inverse[document][document];
        for (int other = 0; other < inverse.length; other++) {
            double change = other == document ? 0 : -inverse(document, other) / own;
            for (int label : documents.labels(other)) {
                if (label < labels) {
                    scores[label] += change;
                }
            }
        }
        return scores;
    }

    /** The linear model, whose margins are the scores; weights with an absolute value up to {@code prune} are dropped. */
    public LinearSvm model(double prune) {
        int[][] documentsOf = LinearProblem.documentsByLabel(documents, labels);
        return new LinearSvm(
                features,
                SparseWeights.of(
                        IntStream.range(0, labels)
                                .parallel()
                                .mapToObj(label -> weights(documentsOf[label], prune))
                                .toList(),
                        features.idf().length));
    }

    private SparseWeights.Row weights(int[] positives, double prune) {
        double[] weights = new double[features.idf().length];
        double bias = 0;
        for (int document = 0; document < inverse.length; document++) {
            double alpha = alpha(document, positives);
            vectors.addTo(weights, document, alpha);
            bias += alpha;
        }
        return SparseWeights.Row.of(weights, bias, prune);
    }

    private double alpha(int document, int[] positives) {
        double alpha = 0;
        for (int positive : positives) {
            alpha += inverse(document, positive);
        }
        return alpha;
    }

    /** The weights of the embeddings, a row per label. Their product with an embedding is added to the margins of the model. */
    public float[][] embeddingWeights() {
        int[][] documentsOf = LinearProblem.documentsByLabel(documents, labels);
        return IntStream.range(0, labels)
                .parallel()
                .mapToObj(label -> embeddingWeights(documentsOf[label]))
                .toArray(float[][]::new);
    }

    private float[] embeddingWeights(int[] positives) {
        double[] weights = new double[embeddings[0].length];
        for (int document = 0; document < embeddings.length; document++) {
            double alpha = alpha(document, positives);
            for (int i = 0; i < weights.length; i++) {
                weights[i] += alpha * embeddings[document][i];
            }
        }
        float[] rounded = new float[weights.length];
        for (int i = 0; i < rounded.length; i++) {
            rounded[i] = (float) weights[i];
        }
        return rounded;
    }
}
