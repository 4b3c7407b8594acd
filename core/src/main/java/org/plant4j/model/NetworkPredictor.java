package org.plant4j.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.bytedeco.javacpp.LongPointer;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.InferenceMode;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.encoder.EncoderState;
import org.plant4j.model.output.BatchPredictor;
import org.plant4j.model.output.EvidenceMethod;
import org.plant4j.model.output.SharedViews;
import org.plant4j.tensor.Batch;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.LabelSelection;
import org.plant4j.tensor.Segments;

/**
 * Predictions of a network for one batch. The first output that is computed encodes the documents, segment by segment.
 * If they are retained, for further outputs or for the labels of a shortlist, they are held until the predictor is closed;
 * otherwise each is freed before the next segment, and memory does not grow with the length of the documents.
 */
final class NetworkPredictor<E extends Encoding<E>> implements BatchPredictor {

    private final LabelNetwork<E> network;
    private final List<int[]> documents;
    private final Segments segments;
    private final EvidenceMethod method;
    private final boolean retain;
    private final List<E> retained = new ArrayList<>();

    NetworkPredictor(LabelNetwork<E> network, List<int[]> documents, EvidenceMethod method, boolean retain) {
        this.network = network;
        this.documents = documents;
        this.method = method;
        this.retain = retain;
        this.segments = new Segments(
                documents.stream().map(network::inReadingOrder).toList(),
                network.segmentLength(),
                false,
                network.compute());
    }

    @FunctionalInterface
    private interface SegmentConsumer<E> {
        void accept(int index, Batch segment, E encoding);
    }

    @Override
    public float[][] scores() {
        if (network.shortlistSize() == 0) {
            return infer(() -> scores(LabelSelection.ALL));
        }
        return infer(this::shortlistedScores);
    }

    private float[][] scores(LabelSelection selection) {
        Tensor logits = network.initialLogits(documents.size(), selection);
        forEachGroup((index, group) -> network.addLogits(group.batch, group.encoding, selection, group.rows(logits)));
        return LabelNetwork.toArrays(torch.sigmoid(logits));
    }

    /** Approximate logits of all labels, (documents, labels). */
    float[][] approximateLogits() {
        return infer(() -> LabelNetwork.toArrays(sumOfApproximateLogits()));
    }

    private Tensor sumOfApproximateLogits() {
        Tensor logits = network.initialLogits(documents.size(), LabelSelection.ALL);
        forEachSegment((index, segment, encoding) -> network.addApproximateLogits(segment, encoding, logits));
        return logits;
    }

    /** The labels of each document with the highest approximate logits. */
    private List<LabelSelection.Shortlisted> shortlists() {
        int size = Math.min(network.shortlistSize(), network.labels());
        Tensor best =
                sumOfApproximateLogits().topk(size, 1, true, false).get1().cpu().contiguous(); // (B, S)
        LongPointer ids = best.data_ptr_long();
        return IntStream.range(0, documents.size())
                .mapToObj(row -> IntStream.range(0, size)
                        .map(i -> (int) ids.get((long) row * size + i))
                        .sorted()
                        .toArray())
                .map(labels -> LabelSelection.Shortlisted.of(labels, network.compute()))
                .toList();
    }

    /** Documents are encoded together, and each is decoded for the labels of its own shortlist; other labels score 0. */
    private float[][] shortlistedScores() {
        List<LabelSelection.Shortlisted> selections = shortlists();
        List<Tensor> logits = selections.stream()
                .map(selection -> network.initialLogits(1, selection))
                .toList();
        forEachSegment((index, segment, encoding) -> {
            for (int i = 0; i < documents.size(); i++) {
                int row = i;
                network.addLogits(
                        segment.row(row),
                        encoding.map(tensor -> tensor.narrow(0, row, 1)),
                        selections.get(row),
                        logits.get(row));
            }
        });
        return IntStream.range(0, documents.size())
                .mapToObj(row -> scatter(
                        LabelNetwork.toArrays(torch.sigmoid(logits.get(row)))[0],
                        selections.get(row).labels()))
                .toArray(float[][]::new);
    }

    private float[] scatter(float[] listed, int[] labels) {
        float[] scores = new float[network.labels()];
        for (int i = 0; i < labels.length; i++) {
            scores[labels[i]] = listed[i];
        }
        return scores;
    }

    @Override
    public List<float[][]> evidence(List<int[]> labels) {
        List<float[][]> weights = switch (method) {
            case ATTENTION -> tokenWeights(labels, network::attentionWeights);
            case ATTENTION_VALUE -> tokenWeights(labels, network::evidenceWeights);
            case ATTENTION_PHRASE ->
                tokenWeights(labels, network::evidenceWeights).stream()
                        .map(EvidenceWeights::spreadToNeighbours)
                        .toList();
            case GRADIENT_INPUT, INTEGRATED_GRADIENTS -> gradients(labels);
            case ATTENTION_GRADIENT -> {
                List<float[][]> attention = tokenWeights(labels, network::attentionWeights);
                yield multiply(attention, gradients(labels));
            }
        };
        weights.forEach(rows -> Arrays.stream(rows).forEach(EvidenceWeights::normalize));
        return weights;
    }

    /** (B, T, L) of a segment. */
    @FunctionalInterface
    private interface TokenWeights<E> {
        Tensor compute(Batch segment, E encoding, LabelSelection labels);
    }

    private List<float[][]> tokenWeights(List<int[]> labels, TokenWeights<E> function) {
        List<float[][]> weights = IntStream.range(0, documents.size())
                .mapToObj(row -> new float[labels.get(row).length][documents.get(row).length])
                .toList();
        if (union(labels).length > 0) {
            infer(() -> {
                forEachGroup((index, group) -> {
                    int[] union = union(group.rows(labels));
                    for (int[] chunk : network.labelChunks(union, network.paddedTokens(group.batch))) {
                        try (PointerScope scope = new PointerScope()) {
                            Tensor values = function.compute(group.batch, group.encoding, network.selection(chunk))
                                    .transpose(1, 2) // (B, L, T)
                                    .to(torch.ScalarType.Float);
                            copyWeights(index, group, values, chunk, labels, weights);
                        }
                    }
                });
                return weights;
            });
        }
        weights.forEach(rows -> Arrays.stream(rows).forEach(this::toTextOrder));
        return weights;
    }

    /** Gradients with respect to the tokens; they are computed without the retained encodings, which have none. */
    private List<float[][]> gradients(List<int[]> labels) {
        InputGradients<E> gradients = new InputGradients<>(network);
        return IntStream.range(0, documents.size())
                .mapToObj(row -> method == EvidenceMethod.INTEGRATED_GRADIENTS
                        ? gradients.integrated(documents.get(row), labels.get(row))
                        : gradients.atInput(documents.get(row), labels.get(row)))
                .map(EvidenceWeights::positivePart)
                .toList();
    }

    private static List<float[][]> multiply(List<float[][]> left, List<float[][]> right) {
        return IntStream.range(0, left.size())
                .mapToObj(row -> EvidenceWeights.multiply(left.get(row), right.get(row)))
                .toList();
    }

    /**
     * Copies the weights (B, L, T) of a group of documents of a segment for a chunk of labels, given in ascending order, to the documents
     * that chose them.
     */
    private void copyWeights(
            int index,
            DocumentGroup<E> group,
            Tensor values,
            int[] chunk,
            List<int[]> labels,
            List<float[][]> weights) {
        for (int i = 0; i < group.size(); i++) {
            int row = group.first + i;
            int start = segments.start(row, index);
            int count = Math.min(group.batch.lengths()[i], documents.get(row).length - start);
            if (start < 0 || count <= 0) {
                continue; // no token of this document in this segment
            }
            float[][] ofDocument = LabelNetwork.toArrays(values.select(0, i));
            for (int label = 0; label < labels.get(row).length; label++) {
                int at = Arrays.binarySearch(chunk, labels.get(row)[label]);
                if (at >= 0) {
                    System.arraycopy(ofDocument[at], 0, weights.get(row)[label], start, count);
                }
            }
        }
    }

    private void toTextOrder(float[] weights) {
        for (int i = 0, j = weights.length - 1; i < j && network.readsBackward(); i++, j--) {
            float last = weights[j];
            weights[j] = weights[i];
            weights[i] = last;
        }
    }

    @Override
    public List<List<float[]>> descriptionEvidence(List<int[]> labels) {
        int[] union = union(labels);
        if (union.length == 0) {
            return BatchPredictor.super.descriptionEvidence(labels);
        }
        List<List<float[]>> perLabel = fromLastSegment((batch, encoding) -> {
            List<List<float[]>> weights = documents.stream()
                    .<List<float[]>>map(it -> new ArrayList<>())
                    .toList();
            for (int[] chunk : network.labelChunks(union, network.paddedTokens(batch))) {
                try (PointerScope scope = new PointerScope()) {
                    List<List<float[]>> chunkWeights = network.descriptionEvidence(batch, encoding, chunk);
                    IntStream.range(0, weights.size())
                            .forEach(row -> weights.get(row).addAll(chunkWeights.get(row)));
                }
            }
            return weights;
        });
        return IntStream.range(0, documents.size())
                .mapToObj(row -> Arrays.stream(labels.get(row))
                        .mapToObj(label -> perLabel.get(row).get(Arrays.binarySearch(union, label)))
                        .map(float[]::clone)
                        .toList())
                .toList();
    }

    @Override
    public List<Optional<SharedViews>> sharedViews(List<int[]> labels) {
        List<Optional<SharedViews>> padded =
                fromLastSegment((batch, encoding) -> network.sharedViews(batch, encoding, labels));
        return IntStream.range(0, documents.size())
                .mapToObj(row -> padded.get(row).map(views -> withoutPadding(views, documents.get(row).length)))
                .toList();
    }

    private static SharedViews withoutPadding(SharedViews views, int tokens) {
        return new SharedViews(
                Arrays.stream(views.attention())
                        .map(weights -> Arrays.copyOf(weights, tokens))
                        .toArray(float[][]::new),
                views.chosen());
    }

    @FunctionalInterface
    private interface SegmentFunction<E, T> {
        T apply(Batch segment, E encoding);
    }

    /** For outputs of networks that encode whole documents, which have one segment. */
    private <T> T fromLastSegment(SegmentFunction<E, T> function) {
        List<T> results = new ArrayList<>();
        return infer(() -> {
            forEachSegment((index, segment, encoding) -> {
                if (index == segments.count() - 1) {
                    results.add(function.apply(segment, encoding));
                }
            });
            return results.get(0);
        });
    }

    private <T> T infer(Supplier<T> computation) {
        try (PointerScope scope = new PointerScope();
                InferenceMode inference = new InferenceMode();
                Compute.Autocast autocast = network.compute().autocast()) {
            return computation.get();
        }
    }

    private void forEachSegment(SegmentConsumer<E> consumer) {
        if (retained.isEmpty()) {
            encodeSegments(consumer);
        } else {
            for (int i = 0; i < retained.size(); i++) {
                try (PointerScope scope = new PointerScope()) {
                    consumer.accept(i, segments.get(i), retained.get(i));
                }
            }
        }
    }

    /** Documents of a segment that are decoded together: all of them, or a single one without its padding. */
    private record DocumentGroup<E>(int first, Batch batch, E encoding) {

        int size() {
            return batch.lengths().length;
        }

        Tensor rows(Tensor ofDocuments) {
            return ofDocuments.narrow(0, first, size());
        }

        <T> List<T> rows(List<T> ofDocuments) {
            return ofDocuments.subList(first, first + size());
        }
    }

    @FunctionalInterface
    private interface GroupConsumer<E> {
        void accept(int index, DocumentGroup<E> group);
    }

    private void forEachGroup(GroupConsumer<E> consumer) {
        forEachSegment((index, segment, encoding) -> {
            if (!network.decodesSingleDocuments(segment)) {
                consumer.accept(index, new DocumentGroup<>(0, segment, encoding));
                return;
            }
            for (int i = 0; i < documents.size(); i++) {
                int row = i;
                int length = segment.lengths()[row];
                if (length > 0) { // without tokens it has neither logits nor evidence in this segment
                    try (PointerScope scope = new PointerScope()) {
                        E document =
                                encoding.map(tensor -> tensor.narrow(0, row, 1).narrow(1, 0, length));
                        consumer.accept(index, new DocumentGroup<>(row, segment.document(row), document));
                    }
                }
            }
        });
    }

    private void encodeSegments(SegmentConsumer<E> consumer) {
        EncoderState state = EncoderState.EMPTY;
        for (int i = 0; i < segments.count(); i++) {
            try (PointerScope scope = new PointerScope();
                    EncoderState before = state) {
                Batch segment = segments.get(i);
                E encoding = network.encode(segment, before);
                if (retain) {
                    retained.add(encoding.retained());
                }
                consumer.accept(i, segment, encoding);
                state = encoding.nextState().detached();
            }
        }
        state.close();
    }

    private static int[] union(List<int[]> labels) {
        return labels.stream().flatMapToInt(Arrays::stream).distinct().sorted().toArray();
    }

    @Override
    public void close() {
        retained.forEach(encoding -> encoding.tensors().forEach(Tensor::close));
        retained.clear();
    }
}
