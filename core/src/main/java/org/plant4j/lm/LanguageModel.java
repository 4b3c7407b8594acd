package org.plant4j.lm;

import java.nio.file.Path;
import java.util.Objects;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Tensor;
import org.plant4j.nn.Checkpoint;
import org.plant4j.nn.Compute;
import org.plant4j.nn.Encoder;
import org.plant4j.nn.Init;
import org.plant4j.nn.Layer;
import org.plant4j.nn.Memory;
import org.plant4j.text.Vocabulary;

/**
 * An AWD-LSTM that predicts the next word from its states by the same vectors that it reads words with. Parameters bear
 * the names of fastai's language models: the encoder is {@code 0}, the decoder {@code 1}.
 */
public final class LanguageModel extends Layer {

    /** Stands before the names of the encoder's parameters. */
    static final String ENCODER = "0";

    static final String BIAS = "1.decoder.bias";

    private final Compute compute;
    private final AwdLstm encoder;
    private final SequenceDropout outputDropout;
    private final WordEntropy decoder;

    public LanguageModel(LmConfig config, int vocabulary, Compute compute) {
        this.compute = compute;
        encoder = part(ENCODER, new AwdLstm(config.encoder(), vocabulary, compute));
        outputDropout = new SequenceDropout(config.outputDropout() * config.multiplier());
        Tensor bias = parameter(BIAS, compute, Init.constant(0), vocabulary);
        decoder = new WordEntropy(
                Objects.requireNonNull(encoder.embedding().parameters().get("weight")), bias, compute);
    }

    /** The last layer's states (B, T, E) as they are and with some features dropped, and the memory they leave. */
    record Reading(Tensor states, Tensor dropped, Memory after) {}

    Reading read(Tensor tokens, Memory before, boolean training) {
        Encoder.Encoded read = encoder.read(tokens, before, training);
        return new Reading(read.states(), outputDropout.forward(read.states(), training), read.after());
    }

    public AwdLstm encoder() {
        return encoder;
    }

    WordEntropy decoder() {
        return decoder;
    }

    Compute compute() {
        return compute;
    }

    /** Starts from a language model over other words; returns how many of ours it knows. */
    public int start(LmConfig.Start start, Vocabulary vocabulary) {
        try (PointerScope scope = new PointerScope()) {
            return new Pretrained(start).fill(this, vocabulary);
        }
    }

    public void save(Path file) {
        Checkpoint.write(file, parameters());
    }

    /** Takes the weights that {@link #save} wrote. */
    public void load(Path file) {
        Checkpoint.read(file, parameters());
    }
}
