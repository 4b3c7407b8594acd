package org.plant4j.model.baseline;

import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.ScalarTypeOptional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.layer.BiGru;
import org.plant4j.layer.LabelAttention;
import org.plant4j.support.Arguments;
import org.plant4j.tensor.Batch;
import org.plant4j.tensor.Compute;
import org.plant4j.text.Vocabulary;

/**
 * The documents of a batch in sentences of a fixed number of tokens M, since tokens have no punctuation. Every document has S
 * sentences; a shorter one ends with empty sentences.
 *
 * @param words the sentences as rows of tokens, (B · S, M)
 * @param sentences one entry per sentence, (B, S); a sentence without known tokens is an unknown token, an empty one is
 *     padding
 */
record Sentences(Batch words, Batch sentences) {

    /** Stands for a sentence with known tokens; any id that is neither padding nor unknown would do. */
    private static final int KNOWN = Vocabulary.UNKNOWN + 1;

    static Sentences of(Batch batch, int length, Compute compute) {
        Arguments.atLeast(1, "length", length);
        int count = (batch.width() + length - 1) / length;
        List<int[]> rows = IntStream.range(0, batch.lengths().length)
                .boxed()
                .flatMap(row -> split(batch, row, count, length))
                .toList();
        List<int[]> entries = IntStream.range(0, batch.lengths().length)
                .mapToObj(row -> rows.subList(row * count, (row + 1) * count).stream()
                        .filter(sentence -> sentence.length > 0)
                        .mapToInt(Sentences::entry)
                        .toArray())
                .toList();
        return new Sentences(Batch.of(rows, compute, batch.training()), Batch.of(entries, compute, batch.training()));
    }

    private static Stream<int[]> split(Batch batch, int row, int count, int length) {
        int first = row * batch.width();
        int end = first + batch.lengths()[row];
        return IntStream.range(0, count)
                .mapToObj(sentence -> IntStream.range(
                                Math.min(end, first + sentence * length),
                                Math.min(end, first + (sentence + 1) * length))
                        .map(t -> Math.toIntExact(batch.ids()[t]))
                        .toArray());
    }

    private static int entry(int[] sentence) {
        return Arrays.stream(sentence).allMatch(token -> token == Vocabulary.UNKNOWN) ? Vocabulary.UNKNOWN : KNOWN;
    }

    Sentences map(UnaryOperator<Tensor> function) {
        return new Sentences(words.map(function), sentences.map(function));
    }

    /** Sentence vectors (B · S, F) by document: (B, S, F). */
    Tensor byDocument(Tensor vectors) {
        return vectors.view(sentences.lengths().length, sentences.width(), -1);
    }

    /** Values of the tokens of each sentence (B · S, M, F) as values of the tokens of the documents: (B, T, F). */
    Tensor toTokens(Tensor values, Batch batch) {
        return values.reshape(sentences.lengths().length, -1, values.size(2)).narrow(1, 0, batch.width());
    }

    /** The forward state at the end and the backward state at the start of each sentence: (B, T, H) each to (B, S, 2H). */
    Tensor endStates(BiGru.States states, Batch batch, Compute compute) {
        int count = sentences.width();
        long[] starts = new long[batch.lengths().length * count];
        long[] ends = new long[starts.length];
        for (int i = 0; i < starts.length; i++) {
            int row = i / count;
            int last = Math.max(0, batch.lengths()[row] - 1);
            int start = i % count * words.width();
            starts[i] = (long) row * batch.width() + Math.min(start, last);
            ends[i] = (long) row * batch.width() + Math.min(start + words.width() - 1, last);
        }
        return byDocument(torch.cat(
                new TensorVector(select(states.forward(), ends, compute), select(states.backward(), starts, compute)),
                -1));
    }

    private static Tensor select(Tensor states, long[] positions, Compute compute) {
        return states.flatten(0, 1).index_select(0, compute.toDevice(Tensor.create(positions)));
    }

    /** The maximum of each feature over the words of a sentence: (B, T, F) to (B, S, F); very low for empty sentences. */
    Tensor max(Tensor features, Batch batch) {
        long missing = (long) sentences.width() * words.width() - batch.width();
        Tensor rows = torch.constant_pad_nd(features, 0, 0, 0, missing)
                .reshape(words.lengths().length, words.width(), features.size(2));
        return byDocument(
                rows.masked_fill(words.mask().logical_not().unsqueeze(-1), new Scalar(LabelAttention.MASKED_SCORE))
                        .amax(new long[] {1}, false));
    }

    /** Weights of sentences (B, S, L) as weights of tokens (B, T, L), the same for all words of a sentence. */
    Tensor shareEqually(Tensor weights, Batch batch) {
        Tensor mask = words.mask().to(weights.scalar_type()).unsqueeze(-1); // (B · S, M, 1)
        Tensor counts = mask.sum(new long[] {1}, true, new ScalarTypeOptional()).clamp_min(new Scalar(1));
        return toTokens(mask.div(counts).mul(weights.flatten(0, 1).unsqueeze(1)), batch);
    }
}
