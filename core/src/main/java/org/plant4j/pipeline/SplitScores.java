package org.plant4j.pipeline;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.plant4j.metric.LabelSet;
import org.plant4j.model.Model;
import org.plant4j.support.Progress;
import org.plant4j.text.Dataset;
import org.plant4j.text.TokenStore;
import org.plant4j.train.Loss;

/** The scores of every document of a split, with the gold labels. */
@SuppressWarnings("ArrayRecordComponent") // passed to metrics, never compared
record SplitScores(List<String> ids, float[][] scores, LabelSet[] gold) {

    /** Documents per call: the model batches them by length, so more are faster; fewer move the progress bar. */
    private static final int MIN_DOCUMENTS = 64;

    private static final int MAX_DOCUMENTS = 512;

    static SplitScores of(Model model, TokenStore split, String name, Progress progress) {
        int size = split.size();
        float[][] scores = new float[size][];
        int chunk = Math.max(MIN_DOCUMENTS, Math.min(MAX_DOCUMENTS, size / 20));
        try (Progress.Task task = progress.start(name, size)) {
            for (int start = 0; start < size; start += chunk) {
                int end = Math.min(size, start + chunk);
                float[][] chunkScores = model.score(
                        IntStream.range(start, end).mapToObj(split::tokens).toList());
                System.arraycopy(chunkScores, 0, scores, start, chunkScores.length);
                task.advance(chunkScores.length);
            }
        }
        List<String> ids = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            ids.add(split.id(i));
        }
        return new SplitScores(ids, scores, gold(split));
    }

    static LabelSet[] gold(Dataset split) {
        return IntStream.range(0, split.size())
                .mapToObj(i -> LabelSet.of(split.labels(i)))
                .toArray(LabelSet[]::new);
    }

    boolean hasGold() {
        return Arrays.stream(gold).anyMatch(labels -> !labels.isEmpty());
    }

    /** Whether any document has a label; otherwise there is nothing to evaluate. */
    static boolean hasGold(Dataset split) {
        return IntStream.range(0, split.size()).anyMatch(i -> split.labels(i).length > 0);
    }

    /** The training loss per document, computed on the trained labels, which come first. */
    double loss(Loss kind, int trainedLabels) {
        double sum = 0;
        for (int row = 0; row < scores.length; row++) {
            sum += loss(kind, trainedLabels, scores[row], gold[row]);
        }
        return sum / scores.length;
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
