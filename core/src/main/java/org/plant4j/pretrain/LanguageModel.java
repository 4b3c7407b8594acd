package org.plant4j.pretrain;

import java.nio.file.Path;
import java.util.Objects;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Tensor;
import org.plant4j.encoder.AwdLstm;
import org.plant4j.encoder.Encoder;
import org.plant4j.encoder.EncoderState;
import org.plant4j.layer.Init;
import org.plant4j.layer.Layer;
import org.plant4j.layer.VariationalDropout;
import org.plant4j.tensor.Checkpoint;
import org.plant4j.tensor.Compute;
import org.plant4j.text.Vocabulary;

/**
 * An AWD-LSTM that predicts the next word from its states by the same vectors that it reads words with. Parameters bear
 * the names of fastai's language models: the encoder is {@code 0}, the decoder {@code 1}.
 */
public final class LanguageModel extends Layer {

    static final String BIAS_NAME = "1.decoder.bias";

    private final Compute compute;
    private final AwdLstm encoder;
    private final VariationalDropout outputDropout;
    private final TokenCrossEntropy decoder;

    public LanguageModel(LanguageModelConfig config, int vocabulary, Compute compute) {
        this.compute = compute;
        encoder = submodule(AwdLstm.LANGUAGE_MODEL_NAME, new AwdLstm(config.encoder(), vocabulary, compute));
        outputDropout = new VariationalDropout(config.outputDropout() * config.dropoutMultiplier());
        Tensor bias = parameter(BIAS_NAME, compute, Init.constant(0), vocabulary);
        decoder = new TokenCrossEntropy(
                Objects.requireNonNull(encoder.embedding().parameters().get("weight")), bias, compute);
    }

    /** The last layer's states (B, T, E) as they are and with some features dropped, and the memory they leave. */
    public record ModelOutput(Tensor hiddenStates, Tensor droppedStates, EncoderState state) {}

    ModelOutput forward(Tensor tokens, EncoderState before, boolean training) {
        Encoder.Output read = encoder.encode(tokens, before, training);
        return new ModelOutput(read.hiddenStates(), outputDropout.forward(read.hiddenStates(), training), read.state());
    }

    public AwdLstm encoder() {
        return encoder;
    }

    TokenCrossEntropy decoder() {
        return decoder;
    }

    Compute compute() {
        return compute;
    }

    /** Starts from a language model over other words; returns how many of ours it knows. */
    public int loadPretrained(LanguageModelConfig.PretrainedWeights start, Vocabulary vocabulary) {
        try (PointerScope scope = new PointerScope()) {
            return new PretrainedLanguageModel(start).copyTo(this, vocabulary);
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
