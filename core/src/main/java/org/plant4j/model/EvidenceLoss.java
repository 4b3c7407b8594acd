package org.plant4j.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.tensor.Batch;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.Segments;
import org.plant4j.text.TokenEvidence;
import org.plant4j.text.Vocabulary;

/**
 * Pulls the attention of labels onto their gold evidence: −log of the share of a label's attention that its gold tokens
 * have, times a weight. As the cross-entropy, it is summed over labels and averaged over documents. Unknown tokens do not
 * count as gold, since they are evidence for no label.
 */
final class EvidenceLoss {

    static final EvidenceLoss NONE = new EvidenceLoss(0, List.of());

    private static final double SMALLEST_SHARE = 1e-6;

    private final double weight;
    private final List<List<TokenEvidence>> evidence;

    /** {@code evidence} of each document, with positions in reading order. */
    EvidenceLoss(double weight, List<List<TokenEvidence>> evidence) {
        this.weight = weight;
        this.evidence = evidence;
    }

    /** Gold tokens of a pair of document and label within a segment. */
    private record Pair(int row, int label) {}

    /** Adds the gradients of one segment to the parameters and to the leaves of its encoding, and returns the loss. */
    <E extends Encoding<E>> Tensor computeGradients(
            LabelNetwork<E> network, Segments segments, int index, Batch segment, E leaves) {
        Tensor sum = torch.zeros(new long[] {}, network.compute().floatOptions());
        Map<Pair, List<Integer>> gold = goldTokens(segments, index, segment);
        int[] labels =
                gold.keySet().stream().mapToInt(Pair::label).distinct().sorted().toArray();
        for (int[] chunk : network.labelChunks(labels, network.paddedTokens(segment))) {
            try (PointerScope scope = new PointerScope();
                    Compute.Autocast autocast = network.compute().autocast()) {
                Tensor attention = network.attentionWeights(segment, leaves, network.selection(chunk))
                        .to(torch.ScalarType.Float); // (B, T, L)
                Tensor loss = loss(attention, gold, chunk, network.compute());
                loss.backward();
                try (NoGradGuard noGrad = new NoGradGuard()) {
                    sum.add_(loss);
                }
            }
        }
        return sum;
    }

    private Map<Pair, List<Integer>> goldTokens(Segments segments, int index, Batch segment) {
        Map<Pair, List<Integer>> tokens = new LinkedHashMap<>();
        for (int row = 0; row < evidence.size(); row++) {
            int start = segments.start(row, index);
            for (TokenEvidence entry : start < 0 ? List.<TokenEvidence>of() : evidence.get(row)) {
                TokenEvidence inside = entry.within(start, start + segment.lengths()[row]);
                for (int t = inside.start(); t < inside.end(); t++) {
                    if (segment.ids()[row * segment.width() + t] != Vocabulary.UNKNOWN) {
                        tokens.computeIfAbsent(new Pair(row, entry.label()), pair -> new ArrayList<>())
                                .add(t);
                    }
                }
            }
        }
        tokens.replaceAll((pair, positions) -> positions.stream().distinct().toList());
        return tokens;
    }

    /** The loss of the labels of a chunk, given their attention (B, T, L). */
    private Tensor loss(Tensor attention, Map<Pair, List<Integer>> gold, int[] chunk, Compute compute) {
        List<Long> rows = new ArrayList<>(); // of each pair, in (B · L)
        List<Long> slots = new ArrayList<>(); // of each gold token, in (B · T · L)
        List<Long> owners = new ArrayList<>(); // the pair of each gold token
        gold.forEach((pair, positions) -> {
            int at = Arrays.binarySearch(chunk, pair.label);
            if (at >= 0) {
                positions.forEach(t -> {
                    slots.add((pair.row * attention.size(1) + t) * chunk.length + at);
                    owners.add((long) rows.size());
                });
                rows.add((long) pair.row * chunk.length + at);
            }
        });
        Tensor onGold = torch.zeros(new long[] {rows.size()}, compute.floatOptions())
                .index_add(0, indices(owners, compute), attention.reshape(-1).index_select(0, indices(slots, compute)));
        Tensor total = attention.sum(1L).reshape(-1).index_select(0, indices(rows, compute));
        return onGold.div(total)
                .clamp_min(new Scalar(SMALLEST_SHARE))
                .log()
                .sum()
                .mul(new Scalar(-weight / attention.size(0)));
    }

    private static Tensor indices(List<Long> values, Compute compute) {
        return compute.toDevice(
                Tensor.create(values.stream().mapToLong(value -> value).toArray()));
    }
}
