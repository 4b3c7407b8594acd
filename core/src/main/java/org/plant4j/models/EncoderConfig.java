package org.plant4j.models;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import org.plant4j.nn.BiLstmEncoder;
import org.plant4j.nn.Compute;
import org.plant4j.nn.Encoder;

/** Which encoder a model reads with, and its sizes; {@code type} names it in an experiment file. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({@JsonSubTypes.Type(value = EncoderConfig.BiLstm.class, name = "bilstm")})
public interface EncoderConfig {

    /** Numbers a word. */
    int embedding();

    Encoder build(int vocabulary, Compute compute);

    /** Whether it can read a document segment by segment. */
    boolean carriesMemory();

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
        public boolean carriesMemory() {
            return false;
        }
    }
}
