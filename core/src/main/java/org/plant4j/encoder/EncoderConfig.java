package org.plant4j.encoder;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.List;
import java.util.Optional;
import org.plant4j.model.NetworkConfig;
import org.plant4j.tensor.Compute;

/** Which encoder a model reads with, and its sizes; {@code type} names it in an experiment file. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
    @JsonSubTypes.Type(value = EncoderConfig.BiLstm.class, name = "bilstm"),
    @JsonSubTypes.Type(value = EncoderConfig.Convolutions.class, name = "convolutions"),
    @JsonSubTypes.Type(value = EncoderConfig.Awd.class, name = "awd-lstm"),
    @JsonSubTypes.Type(value = EncoderConfig.Bert.class, name = "bert")
})
public interface EncoderConfig {

    /** Numbers a word. */
    int embedding();

    Encoder build(int vocabulary, Compute compute);

    /** Whether it can read a document segment by segment. */
    boolean supportsSegments();

    /** What it is, where it starts from the folder of a pretrained encoder, and so reads that one's pieces. */
    default Optional<BertEncoder.Config> pretrainedEncoder() {
        return Optional.empty();
    }

    /** A bidirectional LSTM of {@code hidden} units each way. */
    record BiLstm(int embedding, int hidden, double dropout) implements EncoderConfig {
        public BiLstm {
            NetworkConfig.positive("embedding", embedding);
            NetworkConfig.positive("hidden", hidden);
            NetworkConfig.dropout(dropout);
        }

        @Override
        public Encoder build(int vocabulary, Compute compute) {
            return new BiLstmEncoder(vocabulary, embedding, hidden, dropout, compute);
        }

        @Override
        public boolean supportsSegments() {
            return false;
        }
    }

    /** Convolutions of several widths, {@code kernels}, side by side, each with so many {@code filters}. */
    record Convolutions(int embedding, int filters, List<Integer> kernels, double dropout) implements EncoderConfig {
        public Convolutions {
            NetworkConfig.positive("embedding", embedding);
            NetworkConfig.positive("filters", filters);
            NetworkConfig.dropout(dropout);
            kernels = List.copyOf(kernels);
            if (kernels.isEmpty() || kernels.stream().anyMatch(kernel -> kernel < 1)) {
                throw new IllegalArgumentException("kernels: " + kernels + " (expected: at least one, all >= 1)");
            }
        }

        @Override
        public Encoder build(int vocabulary, Compute compute) {
            return new ConvolutionEncoder(vocabulary, embedding, filters, kernels, dropout, compute);
        }

        @Override
        public boolean supportsSegments() {
            return false;
        }
    }

    /** An AWD-LSTM, which may start from a language model of the same sizes. */
    record Awd(@JsonValue AwdLstm.Config config) implements EncoderConfig {
        @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
        public Awd {}

        @Override
        public int embedding() {
            return config.embedding();
        }

        @Override
        public AwdLstm build(int vocabulary, Compute compute) {
            return new AwdLstm(config, vocabulary, compute);
        }

        @Override
        public boolean supportsSegments() {
            return true;
        }
    }

    /** BERT and its kin; sizes come from the pretrained encoder's own file. */
    record Bert(@JsonValue BertEncoder.Config config) implements EncoderConfig {
        @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
        public Bert {}

        @Override
        public int embedding() {
            return config.hidden();
        }

        @Override
        public BertEncoder build(int vocabulary, Compute compute) {
            return new BertEncoder(config, vocabulary, compute);
        }

        @Override
        public boolean supportsSegments() {
            return false;
        }

        @Override
        public Optional<BertEncoder.Config> pretrainedEncoder() {
            return Optional.of(config);
        }
    }
}
