package org.plant4j.layer;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bytedeco.pytorch.BoolOptional;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;
import org.jspecify.annotations.Nullable;
import org.plant4j.tensor.Compute;
import org.plant4j.text.Vocabulary;

/**
 * Makes the embedding of each single token of some documents a leaf of the autograd graph, so that a network's output can
 * be differentiated with respect to it.
 *
 * <p>While this object is open, the current thread passes {@link #documents} through the network instead of the token ids.
 * They hold one id per occurrence, beyond every vocabulary; unknown tokens, which are evidence for no
 * label, keep their id and have no gradient. {@link Embedding} looks these ids up here, and lookups by token
 * translate them with {@link #tokens}. Ids stay with their tokens through windows, segments and reversal, so the
 * gradients need no realignment.
 */
public final class TokenOccurrences implements AutoCloseable {

    private static final int FIRST = 1 << 30;

    private static final ThreadLocal<@Nullable TokenOccurrences> CURRENT = new ThreadLocal<>();

    private final List<int[]> documents;
    private final long[] tokenIds; // (N)
    private final Tensor tokens; // (N)
    private final Tensor scales; // (N, 1)
    private final Map<Embedding, Vectors> vectors = new LinkedHashMap<>();

    /** The vectors (N, E) of all occurrences in one embedding, and the scaled ones that the network reads. */
    private record Vectors(Tensor input, Tensor leaf) {}

    /** The network reads the embeddings of each document multiplied by its scale; 0 is the embedding of padding. */
    public TokenOccurrences(List<int[]> documents, float[] scales, Compute compute) {
        int count = documents.stream().mapToInt(document -> document.length).sum();
        tokenIds = new long[count];
        float[] scaleOf = new float[count];
        int[][] ids = new int[documents.size()][];
        int next = 0;
        for (int d = 0; d < ids.length; d++) {
            ids[d] = new int[documents.get(d).length];
            for (int t = 0; t < ids[d].length; t++) {
                int token = documents.get(d)[t];
                ids[d][t] = token == Vocabulary.UNKNOWN ? token : FIRST + next;
                scaleOf[next] = scales[d];
                tokenIds[next++] = token;
            }
        }
        this.documents = List.of(ids);
        this.tokens = compute.toDevice(Tensor.create(tokenIds));
        this.scales = compute.toDevice(Tensor.create(scaleOf, count, 1));
        CURRENT.set(this);
    }

    /** Whether the current thread computes gradients with respect to tokens, not to parameters. */
    public static boolean isOpen() {
        return CURRENT.get() != null;
    }

    /** The documents as ids of occurrences. */
    public List<int[]> documents() {
        return documents;
    }

    /** Token ids as they are, and ids of occurrences as the ids of their tokens. */
    public static Tensor tokens(Tensor ids) {
        TokenOccurrences current = CURRENT.get();
        if (current == null) {
            return ids;
        }
        Tensor isOccurrence = ids.ge(new Scalar(FIRST));
        return torch.where(
                isOccurrence,
                torch.embedding(current.tokens.unsqueeze(1), current.positions(ids))
                        .squeeze(-1),
                ids);
    }

    /** As {@link #tokens(Tensor)}, in Java. */
    public static long[] tokens(long[] ids) {
        TokenOccurrences current = CURRENT.get();
        return current == null
                ? ids
                : Arrays.stream(ids)
                        .map(id -> id < FIRST ? id : current.tokenIds[(int) id - FIRST])
                        .toArray();
    }

    /** Positions of occurrences; 0 for ids of tokens. */
    private Tensor positions(Tensor ids) {
        return ids.sub(new Scalar(FIRST)).clamp_min(new Scalar(0));
    }

    /** Embeds ids of tokens and occurrences: (…) to (…, E). */
    static Tensor embed(Embedding embedding, Tensor weight, Tensor ids) {
        TokenOccurrences current = CURRENT.get();
        if (current == null) {
            return torch.embedding(weight, ids, Vocabulary.PADDING, false, false);
        }
        Tensor frozen = weight.detach();
        Vectors vectors = current.vectors.computeIfAbsent(embedding, it -> current.lookUp(frozen));
        Tensor isOccurrence = ids.ge(new Scalar(FIRST));
        Tensor plain = torch.embedding(frozen, ids.masked_fill(isOccurrence, new Scalar(Vocabulary.PADDING)));
        return torch.where(isOccurrence.unsqueeze(-1), torch.embedding(vectors.leaf, current.positions(ids)), plain);
    }

    private Vectors lookUp(Tensor weight) {
        Tensor input = torch.embedding(weight, tokens);
        Tensor leaf = input.mul(scales);
        leaf.set_requires_grad(true);
        input.retainReference(); // the first lookup may happen in an inner scope
        leaf.retainReference();
        return new Vectors(input, leaf);
    }

    /**
     * The gradient of a scalar with respect to each embedding, multiplied by the embedding before scaling and summed over
     * its dimensions and over the embeddings of the network: (N), in the order of the documents.
     */
    public Tensor gradientTimesInput(Tensor output) {
        Vectors[] all = vectors.values().toArray(Vectors[]::new);
        Tensor sum = torch.zeros_like(scales).squeeze(-1);
        if (all.length == 0 || !output.requires_grad()) {
            return sum;
        }
        TensorVector leaves =
                new TensorVector(Arrays.stream(all).map(Vectors::leaf).toArray(Tensor[]::new));
        // Only with respect to the leaves: the gradients of the parameters stay untouched, so threads can share a
        // model.
        TensorVector gradients =
                torch.grad(new TensorVector(output), leaves, new TensorVector(), new BoolOptional(), false, true);
        for (int i = 0; i < all.length; i++) {
            if (gradients.get(i).defined()) {
                sum = sum.add(gradients.get(i).mul(all[i].input).sum(-1L));
            }
        }
        return sum;
    }

    @Override
    public void close() {
        CURRENT.remove();
        vectors.values().forEach(each -> {
            each.input.close();
            each.leaf.close();
        });
    }
}
