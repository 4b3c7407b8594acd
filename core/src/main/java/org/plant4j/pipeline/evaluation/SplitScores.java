package org.plant4j.pipeline.evaluation;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.plant4j.Progress;
import org.plant4j.metric.LabelSet;
import org.plant4j.metric.ScoreFile;
import org.plant4j.metric.Scores;
import org.plant4j.model.Model;
import org.plant4j.text.Dataset;
import org.plant4j.text.TokenStore;
import org.plant4j.train.Loss;

/** The scores of every document of a split, with the gold labels. Many scores are kept in a file until it is closed. */
@SuppressWarnings("ArrayRecordComponent") // passed to metrics, never compared
public record SplitScores(List<String> ids, Scores scores, LabelSet[] gold) implements AutoCloseable {

    /** {@code directory} holds the temporary file, if one is needed. */
    static SplitScores of(Model model, TokenStore split, String name, Progress progress, Path directory) {
        boolean inMemory = (long) split.size() * model.labels() <= EvaluationProtocol.MAX_SCORES;
        return of(model, split, name, progress, inMemory ? Optional.empty() : Optional.of(directory));
    }

    static SplitScores of(Model model, TokenStore split, String name, Progress progress, Optional<Path> fileDirectory) {
        int size = split.size();
        List<String> ids = IntStream.range(0, size).mapToObj(split::id).toList();
        if (fileDirectory.isEmpty()) {
            float[][] rows = new float[size][];
            forEachRow(model, split, name, progress, (document, row) -> rows[document] = row);
            return new SplitScores(ids, Scores.of(rows), gold(split));
        }
        ScoreFile file = new ScoreFile(fileDirectory.get().resolve("scores-" + name + ".tmp"), size, model.labels());
        forEachRow(model, split, name, progress, (document, row) -> file.append(row));
        return new SplitScores(ids, file, gold(split));
    }

    /** Receives the scores of each document, in order. */
    @FunctionalInterface
    private interface RowConsumer {
        void accept(int document, float[] row);
    }

    private static void forEachRow(
            Model model, TokenStore split, String name, Progress progress, RowConsumer consumer) {
        int size = split.size();
        int chunk = EvaluationProtocol.chunkSize(size, model.labels());
        try (Progress.Task task = progress.start(name, size)) {
            for (int start = 0; start < size; start += chunk) {
                int end = Math.min(size, start + chunk);
                float[][] rows = model.score(
                        IntStream.range(start, end).mapToObj(split::tokens).toList());
                for (int i = 0; i < rows.length; i++) {
                    consumer.accept(start + i, rows[i]);
                }
                task.advance(rows.length);
            }
        }
    }

    @Override
    public void close() {
        if (scores instanceof ScoreFile file) {
            file.close();
        }
    }

    static LabelSet[] gold(Dataset split) {
        return IntStream.range(0, split.size())
                .mapToObj(i -> LabelSet.of(split.labels(i)))
                .toArray(LabelSet[]::new);
    }

    public boolean hasGold() {
        return Arrays.stream(gold).anyMatch(labels -> !labels.isEmpty());
    }

    /** Whether any document has a label; otherwise there is nothing to evaluate. */
    public static boolean hasGold(Dataset split) {
        return IntStream.range(0, split.size()).anyMatch(i -> split.labels(i).length > 0);
    }

    /** The training loss per document, computed on the trained labels, which come first. */
    double loss(Loss kind, int trainedLabels) {
        double sum = 0;
        for (int row = 0; row < gold.length; row++) {
            sum += loss(kind, trainedLabels, scores.row(row), gold[row]);
        }
        return sum / gold.length;
    }

    private static double loss(Loss kind, int trainedLabels, float[] scores, LabelSet gold) {
        int positives = gold.filter(label -> label < trainedLabels).size();
        double positiveWeight = kind.positiveWeight(positives, trainedLabels);
        double sum = 0;
        for (int label = 0; label < trainedLabels; label++) {
            sum += gold.contains(label)
                    ? positiveWeight * kind.compute(scores[label])
                    : kind.compute(1.0 - scores[label]);
        }
        return sum;
    }
}
