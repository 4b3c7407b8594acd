package org.plant4j.pretrain;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Tensor;
import org.plant4j.encoder.BertEncoder;
import org.plant4j.encoder.EncoderDirectory;
import org.plant4j.encoder.MaskedLanguageModelHead;
import org.plant4j.tensor.Checkpoint;
import org.plant4j.tensor.Compute;

/**
 * A pretrained encoder with the head that guesses hidden words; the words are the vectors that it reads them with.
 * Parameters bear the names that they have in the encoder's folder.
 */
public final class MaskedLanguageModel implements AutoCloseable {

    private final Compute compute;
    private final EncoderDirectory from;
    private final BertEncoder encoder;
    private final MaskedLanguageModelHead head;
    private final boolean hasPretrainedHead;
    private final TokenCrossEntropy words;
    private final Map<String, Tensor> parameters = new LinkedHashMap<>();

    /** Starts from the folder; a head that it does not have is drawn. */
    public MaskedLanguageModel(BertEncoder.Config config, EncoderDirectory from, int vocabulary, Compute compute) {
        this.compute = compute;
        this.from = from;
        encoder = new BertEncoder(config, vocabulary, compute);
        head = new MaskedLanguageModelHead(vocabulary, config.hidden(), config.epsilon(), compute);
        encoder.loadPretrained(from.path());
        hasPretrainedHead = head.loadPretrained(from.path());
        Tensor vectors = Objects.requireNonNull(encoder.embedding().parameters().get("weight"));
        words = new TokenCrossEntropy(vectors, head.bias(), compute);
        parameters.putAll(encoder.parameters());
        head.parameters().forEach((name, tensor) -> parameters.put(MaskedLanguageModelHead.NAME + "." + name, tensor));
    }

    /** Whether the folder had a head to start from. */
    public boolean hasPretrainedHead() {
        return hasPretrainedHead;
    }

    public Map<String, Tensor> parameters() {
        return Collections.unmodifiableMap(parameters);
    }

    BertEncoder encoder() {
        return encoder;
    }

    TokenCrossEntropy outputLayer() {
        return words;
    }

    Compute compute() {
        return compute;
    }

    /** What stands at the hidden places, row by row: (N, H). Only these are held against all words. */
    Tensor maskedStates(List<TokenMasking.MaskedRow> rows, boolean training) {
        Tensor states = encoder.encodeRows(
                        rows.stream().map(TokenMasking.MaskedRow::tokens).toList(), training)
                .hiddenStates(); // (B, M, H), the pieces of a row after what begins it
        long width = states.size(1);
        int hidden = rows.stream().mapToInt(row -> row.positions().length).sum();
        long[] places = new long[hidden];
        int next = 0;
        for (int row = 0; row < rows.size(); row++) {
            for (int place : rows.get(row).positions()) {
                places[next++] = row * width + 1 + place;
            }
        }
        return head.transform(
                states.reshape(-1, states.size(2)).index_select(0, compute.toDevice(Tensor.create(places))));
    }

    /** The right pieces at the hidden places, row by row: (N). */
    Tensor targets(List<TokenMasking.MaskedRow> rows) {
        return compute.toDevice(Tensor.create(rows.stream()
                .flatMapToInt(row -> Arrays.stream(row.targets()))
                .asLongStream()
                .toArray()));
    }

    /** Weights for an encoder's folder, with those of the one it started from that took no part, such as the pooler's. */
    public void save(Path file) {
        try (PointerScope scope = new PointerScope()) {
            Map<String, Tensor> all = new LinkedHashMap<>(parameters);
            all.putAll(Checkpoint.readMatching(from.weights(), name -> !parameters.containsKey(name)));
            Checkpoint.write(file, all);
        }
    }

    @Override
    public void close() {
        encoder.close();
        head.close();
    }
}
