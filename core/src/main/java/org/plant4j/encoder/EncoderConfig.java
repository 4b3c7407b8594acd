package org.plant4j.encoder;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.List;
import java.util.Optional;
import org.plant4j.support.Arguments;
import org.plant4j.tensor.Compute;

/** A model's encoder and its sizes; {@code type} selects it in an experiment file. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
    @JsonSubTypes.Type(value = EncoderConfig.BiLstm.class, name = "bilstm"),
    @JsonSubTypes.Type(value = EncoderConfig.Convolutions.class, name = "convolutions"),
    @JsonSubTypes.Type(value = EncoderConfig.Awd.class, name = "awd-lstm"),
    @JsonSubTypes.Type(value = EncoderConfig.Bert.class, name = "bert"),
    @JsonSubTypes.Type(value = EncoderConfig.Longformer.class, name = "longformer")
})
public interface EncoderConfig {

    /** Size of a token embedding. */
    int embedding();

    Encoder build(int vocabularySize, Compute compute);

    /** Whether the encoder carries state, so that it can encode a document segment by segment. */
    boolean supportsSegments();

    /** The sizes of the pretrained encoder that this one starts from, whose tokenizer it uses; empty if there is none. */
    default Optional<BertEncoder.Config> pretrainedEncoder() {
        return Optional.empty();
    }

    /** The configuration of the AWD-LSTM, if the encoder can be initialised from a language model. */
    default Optional<AwdLstm.Config> languageModel() {
        return Optional.empty();
    }

    /** A bidirectional LSTM with {@code hidden} units per direction. */
    record BiLstm(int embedding, int hidden, double dropout) implements EncoderConfig {
        public BiLstm {
            Arguments.atLeast(1, "embedding", embedding);
            Arguments.atLeast(1, "hidden", hidden);
            Arguments.rate("dropout", dropout);
        }

        @Override
        public Encoder build(int vocabularySize, Compute compute) {
            return new BiLstmEncoder(vocabularySize, embedding, hidden, dropout, compute);
        }

        @Override
        public boolean supportsSegments() {
            return false;
        }
    }

    /** Parallel convolutions, one for each kernel size, each with {@code filters} filters. */
    record Convolutions(int embedding, int filters, List<Integer> kernels, double dropout) implements EncoderConfig {
        public Convolutions {
            Arguments.atLeast(1, "embedding", embedding);
            Arguments.atLeast(1, "filters", filters);
            Arguments.rate("dropout", dropout);
            kernels = List.copyOf(kernels);
            Arguments.check(
                    !kernels.isEmpty() && kernels.stream().allMatch(kernel -> kernel >= 1),
                    "kernels",
                    kernels,
                    "at least one, all >= 1");
        }

        @Override
        public Encoder build(int vocabularySize, Compute compute) {
            return new ConvolutionEncoder(vocabularySize, embedding, filters, kernels, dropout, compute);
        }

        @Override
        public boolean supportsSegments() {
            return false;
        }
    }

    /** An AWD-LSTM, which can start from a language model of the same sizes. */
    record Awd(@JsonValue AwdLstm.Config config) implements EncoderConfig {
        @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
        public Awd {}

        @Override
        public int embedding() {
            return config.embedding();
        }

        @Override
        public AwdLstm build(int vocabularySize, Compute compute) {
            return new AwdLstm(config, vocabularySize, compute);
        }

        @Override
        public boolean supportsSegments() {
            return true;
        }

        @Override
        public Optional<AwdLstm.Config> languageModel() {
            return Optional.of(config);
        }
    }

    /** BERT, RoBERTa or XLM-R; its sizes come from the {@code encoder.yaml} of the pretrained encoder. */
    record Bert(@JsonValue BertEncoder.Config config) implements EncoderConfig {
        @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
        public Bert {}

        @Override
        public int embedding() {
            return config.hidden();
        }

        @Override
        public BertEncoder build(int vocabularySize, Compute compute) {
            return new BertEncoder(config, vocabularySize, compute);
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

    /** Longformer; its sizes come from the {@code encoder.yaml} of the pretrained encoder, which may be BERT. */
    record Longformer(@JsonValue LongformerEncoder.Config config) implements EncoderConfig {
        @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
        public Longformer {}

        @Override
        public int embedding() {
            return config.hidden();
        }

        @Override
        public LongformerEncoder build(int vocabularySize, Compute compute) {
            return new LongformerEncoder(config, vocabularySize, compute);
        }

        @Override
        public boolean supportsSegments() {
            return false;
        }

        @Override
        public Optional<BertEncoder.Config> pretrainedEncoder() {
            return Optional.of(config.bert());
        }
    }
}
