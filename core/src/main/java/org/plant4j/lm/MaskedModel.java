package org.plant4j.lm;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Tensor;
import org.plant4j.nn.BertEncoder;
import org.plant4j.nn.Checkpoint;
import org.plant4j.nn.Compute;
import org.plant4j.nn.EncoderFolder;
import org.plant4j.nn.MaskedWordHead;

/**
 * A pretrained encoder with the head that guesses hidden words; the words are the vectors that it reads them with.
 * Parameters bear the names that they have in the encoder's folder.
 */
public final class MaskedModel implements AutoCloseable {

    private final Compute compute;
    private final EncoderFolder from;
    private final BertEncoder encoder;
    private final MaskedWordHead head;
    private final boolean knewHead;
    private final WordEntropy words;
    private final Map<String, Tensor> parameters = new LinkedHashMap<>();

    /** Starts from the folder; a head that it does not have is drawn. */
    public MaskedModel(BertEncoder.Config config, EncoderFolder from, int vocabulary, Compute compute) {
        this.compute = compute;
        this.from = from;
        encoder = new BertEncoder(config, vocabulary, compute);
        head = new MaskedWordHead(vocabulary, config.hidden(), config.epsilon(), compute);
        encoder.start(from.path());
        knewHead = head.start(from.path());
        Tensor vectors = Objects.requireNonNull(encoder.embedding().parameters().get("weight"));
        words = new WordEntropy(vectors, head.bias(), compute);
        parameters.putAll(encoder.parameters());
        head.parameters().forEach((name, tensor) -> parameters.put(MaskedWordHead.NAME + "." + name, tensor));
    }

    /** Whether the folder had a head to start from. */
    public boolean knewHead() {
        return knewHead;
    }

    public Map<String, Tensor> parameters() {
        return Collections.unmodifiableMap(parameters);
    }

    BertEncoder encoder() {
        return encoder;
    }

    WordEntropy words() {
        return words;
    }

    Compute compute() {
        return compute;
    }

    /** What stands at the hidden places, row by row: (N, H). Only these are held against all words. */
    Tensor guess(List<Masking.Masked> rows, boolean training) {
        Tensor states = encoder.rows(rows.stream().map(Masking.Masked::pieces).toList(), training)
                .states(); // (B, M, H), the pieces of a row after what begins it
        long width = states.size(1);
        int hidden = rows.stream().mapToInt(row -> row.places().length).sum();
        long[] places = new long[hidden];
        int next = 0;
        for (int row = 0; row < rows.size(); row++) {
            for (int place : rows.get(row).places()) {
                places[next++] = row * width + 1 + place;
            }
        }
        return head.guess(states.reshape(-1, states.size(2)).index_select(0, compute.place(Tensor.create(places))));
    }

    /** The right pieces at the hidden places, row by row: (N). */
    Tensor right(List<Masking.Masked> rows) {
        return compute.place(Tensor.create(rows.stream()
                .flatMapToInt(row -> Arrays.stream(row.right()))
                .asLongStream()
                .toArray()));
    }

    /** Weights for an encoder's folder, with those of the one it started from that took no part, such as the pooler's. */
    public void save(Path file) {
        try (PointerScope scope = new PointerScope()) {
            Map<String, Tensor> all = new LinkedHashMap<>(parameters);
            all.putAll(Checkpoint.pick(from.weights(), name -> !parameters.containsKey(name)));
            Checkpoint.write(file, all);
        }
    }

    @Override
    public void close() {
        encoder.close();
        head.close();
    }
}
