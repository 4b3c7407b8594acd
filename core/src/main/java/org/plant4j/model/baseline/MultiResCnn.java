package org.plant4j.model.baseline;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.encoder.EncoderState;
import org.plant4j.layer.BatchNorm;
import org.plant4j.layer.Convolution;
import org.plant4j.layer.Layer;
import org.plant4j.model.NetworkConfig;
import org.plant4j.support.Arguments;
import org.plant4j.tensor.Batch;
import org.plant4j.tensor.Compute;

/**
 * MultiResCNN: parallel convolutions of several widths, a residual block over each, and CAML's label attention over their
 * concatenated outputs.
 *
 * <p>Li, Yu: ICD Coding from Clinical Text Using Multi-Filter Residual Convolutional Neural Network, AAAI 2020, equations 1
 * to 9; reference implementation: <a
 * href="https://github.com/foxlf823/Multi-Filter-Residual-Convolutional-Neural-Network">MultiResCNN</a>. Padding is set to
 * zero before each convolution and excluded from batch normalization.
 */
public final class MultiResCnn extends LabelAttentionNetwork {

    /**
     * Sizes of the network.
     *
     * @param filters outputs of the residual block of each width
     * @param kernels widths in tokens, one channel each
     */
    public record Config(int embedding, int filters, List<Integer> kernels, double dropout, double initialBias)
            implements NetworkConfig {
        public Config {
            Arguments.atLeast(1, "embedding", embedding);
            Arguments.atLeast(1, "filters", filters);
            kernels = List.copyOf(kernels);
            Arguments.check(!kernels.isEmpty(), "kernels", kernels, "at least one width");
            kernels.forEach(kernel -> Arguments.atLeast(1, "kernels", kernel));
            Arguments.rate("dropout", dropout);
        }

        /** A small configuration for the contract test. */
        public static Config example() {
            return new Config(12, 8, List.of(1, 3), 0, -1);
        }

        @Override
        public boolean canStartFromRun() {
            return true;
        }

        @Override
        public MultiResCnn build(int vocabularySize, int labels, Compute compute) {
            return new MultiResCnn(this, vocabularySize, labels, compute);
        }
    }

    /** One width: y = tanh(b(c₃(tanh(b(c₂(z))))) + b(c₁(z))) with z = tanh(c₀(x)), convolutions c and batch normalization b. */
    private static final class Channel extends Layer {

        private final Convolution base;
        private final Convolution first;
        private final BatchNorm firstNorm;
        private final Convolution second;
        private final BatchNorm secondNorm;
        private final Convolution shortcut;
        private final BatchNorm shortcutNorm;

        Channel(int in, int out, int kernel, Compute compute) {
            base = submodule("base", new Convolution(in, in, kernel, compute));
            first = submodule("first", new Convolution(in, out, kernel, false, compute));
            firstNorm = submodule("first_norm", new BatchNorm(out, compute));
            second = submodule("second", new Convolution(out, out, kernel, false, compute));
            secondNorm = submodule("second_norm", new BatchNorm(out, compute));
            shortcut = submodule("shortcut", new Convolution(in, out, 1, false, compute));
            shortcutNorm = submodule("shortcut_norm", new BatchNorm(out, compute));
        }

        /** (B, T, E) to (B, T, F). */
        Tensor forward(Tensor embedded, Batch batch) {
            Tensor mask = batch.mask().unsqueeze(-1);
            Tensor x = torch.tanh(base.forward(embedded)).mul(mask);
            Tensor hidden =
                    torch.tanh(firstNorm.forward(first.forward(x), batch)).mul(mask);
            Tensor residual = secondNorm.forward(second.forward(hidden), batch);
            return torch.tanh(residual.add(shortcutNorm.forward(shortcut.forward(x), batch)));
        }
    }

    private final List<Channel> channels;
    private final Decoder decoder;

    MultiResCnn(Config config, int vocabularySize, int labels, Compute compute) {
        super(vocabularySize, config.embedding(), config.dropout(), labels, compute);
        List<Integer> kernels = config.kernels();
        channels = IntStream.range(0, kernels.size())
                .mapToObj(i -> submodule(
                        "channels." + i, new Channel(config.embedding(), config.filters(), kernels.get(i), compute)))
                .toList();
        int size = config.filters() * kernels.size();
        decoder = submodule("", new Decoder(labels, size, size, 0, 1 / Math.sqrt(size), config.initialBias(), compute));
    }

    @Override
    Decoder decoder() {
        return decoder;
    }

    @Override
    public Encoded encode(Batch batch, EncoderState before) {
        Tensor embedded = embed(batch); // (B, T, E)
        Tensor[] outputs = channels.stream()
                .map(channel -> drop(channel.forward(embedded, batch), batch))
                .toArray(Tensor[]::new);
        Tensor hiddenStates = batch.withoutUnknown(torch.cat(new TensorVector(outputs), -1)); // (B, T, F · channels)
        return new Encoded(hiddenStates, Optional.empty());
    }
}
