package org.plant4j.pipeline.evaluation;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.plant4j.Progress;
import org.plant4j.metric.TopK;
import org.plant4j.model.LabelNetwork;

/**
 * Where chosen labels of documents stand in the order in which a network takes labels into shortlists. Labels of a shortlist
 * have the scores of full scoring, so if it holds the best labels of full scoring, predictions are the same.
 *
 * @param positions of the chosen labels of each document, from 1 on
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record ShortlistPositions(int[][] positions) {

    /** Documents scored at a time, which bounds the memory of their scores. */
    private static final int DOCUMENTS = 32;

    /** Finds labels of documents in the order of the network. */
    public static ShortlistPositions of(
            LabelNetwork<?> network, List<int[]> documents, List<int[]> labels, Progress progress) {
        try (Progress.Task task = progress.start("approximate scoring", documents.size())) {
            return new ShortlistPositions(chunks(documents.size())
                    .flatMap(rows -> {
                        float[][] logits = network.approximateLogits(
                                Arrays.stream(rows).mapToObj(documents::get).toList());
                        task.advance(rows.length);
                        return IntStream.range(0, rows.length).mapToObj(i -> positions(logits[i], labels.get(rows[i])));
                    })
                    .toArray(int[][]::new));
        }
    }

    /** The {@code count} best labels of each document by the scores of the network, which must score all labels. */
    public static List<int[]> bestLabels(LabelNetwork<?> network, List<int[]> documents, int count, Progress progress) {
        try (Progress.Task task = progress.start("full scoring", documents.size())) {
            return chunks(documents.size())
                    .flatMap(rows -> {
                        float[][] scores = network.score(
                                Arrays.stream(rows).mapToObj(documents::get).toList());
                        task.advance(rows.length);
                        return Arrays.stream(scores).map(row -> TopK.indices(row, count));
                    })
                    .toList();
        }
    }

    private static Stream<int[]> chunks(int size) {
        return IntStream.iterate(0, start -> start < size, start -> start + DOCUMENTS)
                .mapToObj(start -> IntStream.range(start, Math.min(size, start + DOCUMENTS))
                        .toArray());
    }

    private static int[] positions(float[] logits, int[] labels) {
        return Arrays.stream(labels)
                .map(label -> (int) IntStream.range(0, logits.length)
                        .filter(other -> logits[other] >= logits[label]) // ties count against the label
                        .count())
                .toArray();
    }

    public int documents() {
        return positions.length;
    }

    /** The share of documents whose chosen labels are all in a shortlist of this size. */
    public double agreement(int size) {
        return (double) Arrays.stream(positions)
                        .filter(row -> Arrays.stream(row).allMatch(position -> position <= size))
                        .count()
                / positions.length;
    }

    /** The share of all chosen labels that are in shortlists of this size. */
    public double listed(int size) {
        return Arrays.stream(positions)
                .flatMapToInt(Arrays::stream)
                .mapToDouble(position -> position <= size ? 1 : 0)
                .average()
                .orElse(1);
    }

    /** The smallest size with at least this agreement. */
    public int size(double agreement) {
        int[] needed = Arrays.stream(positions)
                .mapToInt(row -> Arrays.stream(row).max().orElse(0))
                .sorted()
                .toArray();
        int documents = (int) Math.ceil(agreement * needed.length - 1e-9);
        return documents == 0 ? 1 : Math.max(1, needed[documents - 1]);
    }
}
