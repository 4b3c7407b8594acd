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
 * Masked language model: a pretrained encoder and its masked language model head, which shares the token embedding.
 * Parameters are named as in the directory of the encoder.
 */
public final class MaskedLanguageModel implements AutoCloseable {

    private final Compute compute;
    private final EncoderDirectory source;
    private final BertEncoder encoder;
    private final MaskedLanguageModelHead head;
    private final boolean hasPretrainedHead;
    private final TokenCrossEntropy outputLayer;
    private final Map<String, Tensor> parameters = new LinkedHashMap<>();

    /** Loads the encoder of a directory; if it has no head, the head is random. */
    public MaskedLanguageModel(
            BertEncoder.Config config, EncoderDirectory source, int vocabularySize, Compute compute) {
        this.compute = compute;
        this.source = source;
        encoder = new BertEncoder(config, vocabularySize, compute);
        head = new MaskedLanguageModelHead(vocabularySize, config.hidden(), config.epsilon(), compute);
        encoder.loadPretrained(source.path());
        hasPretrainedHead = head.loadPretrained(source.path());
        Tensor embedding =
                Objects.requireNonNull(encoder.embedding().parameters().get("weight"));
        outputLayer = new TokenCrossEntropy(embedding, head.bias(), compute);
        parameters.putAll(encoder.parameters());
        head.parameters().forEach((name, tensor) -> parameters.put(MaskedLanguageModelHead.NAME + "." + name, tensor));
    }

    /** Whether the pretrained encoder has a head. */
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
        return outputLayer;
    }

    Compute compute() {
        return compute;
    }

    /** Transformed hidden states of the masked positions, row by row: (N, H). Logits are computed for these only. */
    Tensor maskedStates(List<TokenMasking.MaskedRow> rows, boolean training) {
        Tensor hiddenStates = encoder.encodeRows(
                        rows.stream().map(TokenMasking.MaskedRow::tokens).toList(), training)
                .hiddenStates(); // (B, M, H), where the tokens of a row follow the begin token
        long width = hiddenStates.size(1);
        int count = rows.stream().mapToInt(row -> row.positions().length).sum();
        long[] positions = new long[count];
        int next = 0;
        for (int row = 0; row < rows.size(); row++) {
            for (int position : rows.get(row).positions()) {
                positions[next++] = row * width + 1 + position;
            }
        }
        return head.transform(hiddenStates
                .reshape(-1, hiddenStates.size(2))
                .index_select(0, compute.toDevice(Tensor.create(positions))));
    }

    /** The original tokens at the masked positions, row by row: (N). */
    Tensor targets(List<TokenMasking.MaskedRow> rows) {
        return compute.toDevice(Tensor.create(rows.stream()
                .flatMapToInt(row -> Arrays.stream(row.targets()))
                .asLongStream()
                .toArray()));
    }

    /** Writes the weights, including those of the pretrained encoder that are not trained here, such as the pooler. */
    public void save(Path file) {
        try (PointerScope scope = new PointerScope()) {
            Map<String, Tensor> all = new LinkedHashMap<>(parameters);
            all.putAll(Checkpoint.readMatching(source.weights(), name -> !parameters.containsKey(name)));
            Checkpoint.write(file, all);
        }
    }

    @Override
    public void close() {
        encoder.close();
        head.close();
    }
}
