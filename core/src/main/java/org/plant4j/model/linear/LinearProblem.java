package org.plant4j.model.linear;

import de.bwaldvogel.liblinear.Feature;
import de.bwaldvogel.liblinear.FeatureNode;
import de.bwaldvogel.liblinear.Linear;
import de.bwaldvogel.liblinear.Parameter;
import de.bwaldvogel.liblinear.Problem;
import de.bwaldvogel.liblinear.SolverType;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.plant4j.model.LabelTasks;
import org.plant4j.text.Dataset;

/** The features of all documents and the documents of each label: everything that training a label needs. */
final class LinearProblem implements LabelTasks.Problem<SparseWeights.Row> {

    private static final long serialVersionUID = 1;

    static {
        Linear.disableDebugOutput(); // LIBLINEAR writes it to stdout
    }

    private final LinearSvm.Config config;
    private final SolverType solver;
    private final int vocabularySize;
    private final int[][] positives; // documents by label
    private final long seed;
    private transient Feature[][] vectors; // by document; LIBLINEAR's objects are large, so they travel as arrays

    private LinearProblem(
            LinearSvm.Config config,
            SolverType solver,
            int vocabularySize,
            int[][] positives,
            long seed,
            Feature[][] vectors) {
        this.config = config;
        this.solver = solver;
        this.vocabularySize = vocabularySize;
        this.positives = positives;
        this.seed = seed;
        this.vectors = vectors;
    }

    static LinearProblem of(
            LinearSvm.Config config, SolverType solver, TfIdf features, Dataset documents, int labels, long seed) {
        int vocabularySize = features.idf().length;
        Feature[][] vectors = IntStream.range(0, documents.size())
                .parallel()
                .mapToObj(document -> {
                    TfIdf.Vector vector = features.vector(documents.tokens(document));
                    return nodes(vector.tokens(), vector.values(), vocabularySize);
                })
                .toArray(Feature[][]::new);
        return new LinearProblem(config, solver, vocabularySize, documentsByLabel(documents, labels), seed, vectors);
    }

    /** LIBLINEAR numbers features from 1; the last one is constant, and its weight is the bias. */
    private static Feature[] nodes(int[] tokens, double[] values, int vocabularySize) {
        Feature[] nodes = new Feature[tokens.length + 1];
        for (int i = 0; i < tokens.length; i++) {
            nodes[i] = new FeatureNode(tokens[i] + 1, values[i]);
        }
        nodes[tokens.length] = new FeatureNode(vocabularySize + 1, 1);
        return nodes;
    }

    static int[][] documentsByLabel(Dataset documents, int labels) {
        IntStream.Builder[] byLabel = new IntStream.Builder[labels];
        Arrays.setAll(byLabel, label -> IntStream.builder());
        for (int document = 0; document < documents.size(); document++) {
            for (int label : documents.labels(document)) {
                if (label < labels) {
                    byLabel[label].add(document);
                }
            }
        }
        return Arrays.stream(byLabel).map(builder -> builder.build().toArray()).toArray(int[][]::new);
    }

    @Override
    public SparseWeights.Row solve(int label) {
        int positiveCount = positives[label].length;
        if (positiveCount == 0 || positiveCount == vectors.length) { // only one class
            return SparseWeights.Row.of(new double[0], positiveCount == 0 ? -1 : 1, 0);
        }
        Problem problem = new Problem();
        problem.l = vectors.length;
        problem.n = vocabularySize + 1;
        problem.bias = 1;
        problem.x = vectors;
        problem.y = new double[vectors.length];
        Arrays.fill(problem.y, -1);
        for (int document : positives[label]) {
            problem.y[document] = 1;
        }
        Parameter parameter = new Parameter(solver, config.c(), config.maxIterations(), config.tolerance());
        parameter.setRandom(new Random(seed * 31 + label));
        double[] solution = Linear.train(problem, parameter).getFeatureWeights();
        return SparseWeights.Row.of(Arrays.copyOf(solution, vocabularySize), solution[vocabularySize], config.prune());
    }

    private void writeObject(ObjectOutputStream out) throws IOException {
        out.defaultWriteObject();
        out.writeInt(vectors.length);
        for (Feature[] vector : vectors) {
            int size = vector.length - 1; // without the constant feature
            out.writeInt(size);
            for (int i = 0; i < size; i++) {
                out.writeInt(vector[i].getIndex() - 1);
                out.writeDouble(vector[i].getValue());
            }
        }
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
        in.defaultReadObject();
        vectors = new Feature[in.readInt()][];
        for (int document = 0; document < vectors.length; document++) {
            int[] tokens = new int[in.readInt()];
            double[] values = new double[tokens.length];
            for (int i = 0; i < tokens.length; i++) {
                tokens[i] = in.readInt();
                values[i] = in.readDouble();
            }
            vectors[document] = nodes(tokens, values, vocabularySize);
        }
    }
}
