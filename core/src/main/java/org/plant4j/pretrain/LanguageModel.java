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
 * Language model: an AWD-LSTM and a decoder that shares the token embedding. Parameters are named as in fastai's
 * language models, with the encoder as {@code 0} and the decoder as {@code 1}.
 */
public final class LanguageModel extends Layer {

    static final String BIAS_NAME = "1.decoder.bias";

    private final Compute compute;
    private final AwdLstm encoder;
    private final VariationalDropout outputDropout;
    private final TokenCrossEntropy decoder;

    public LanguageModel(LanguageModelConfig config, int vocabularySize, Compute compute) {
        this.compute = compute;
        encoder = submodule(AwdLstm.LANGUAGE_MODEL_NAME, new AwdLstm(config.encoder(), vocabularySize, compute));
        outputDropout = new VariationalDropout(config.outputDropout() * config.dropoutMultiplier());
        Tensor bias = parameter(BIAS_NAME, compute, Init.constant(0), vocabularySize);
        decoder = new TokenCrossEntropy(
                Objects.requireNonNull(encoder.embedding().parameters().get("weight")), bias, compute);
    }

    /** Hidden states (B, T, E) of the last layer, before and after output dropout, and the encoder state. */
    public record ModelOutput(Tensor hiddenStates, Tensor droppedStates, EncoderState state) {}

    /** Encodes tokens (B, T), starting from a state. */
    ModelOutput forward(Tensor tokens, EncoderState before, boolean training) {
        Encoder.Output output = encoder.encode(tokens, before, training);
        Tensor hiddenStates = output.hiddenStates();
        return new ModelOutput(hiddenStates, outputDropout.forward(hiddenStates, training), output.state());
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

    /** Loads a language model with another vocabulary; returns the number of tokens that both vocabularies contain. */
    public int loadPretrained(LanguageModelConfig.PretrainedWeights start, Vocabulary vocabulary) {
        try (PointerScope scope = new PointerScope()) {
            return new PretrainedLanguageModel(start).copyTo(this, vocabulary);
        }
    }

    public void save(Path file) {
        Checkpoint.write(file, parameters());
    }

    /** Loads the weights written by {@link #save}. */
    public void load(Path file) {
        Checkpoint.read(file, parameters());
    }
}
