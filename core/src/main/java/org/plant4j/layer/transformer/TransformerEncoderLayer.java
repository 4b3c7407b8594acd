package org.plant4j.layer.transformer;

import java.util.function.Function;
import org.bytedeco.pytorch.GradMode;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.layer.Dropout;
import org.plant4j.layer.Layer;
import org.plant4j.layer.LayerNorm;
import org.plant4j.layer.Linear;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.TensorScope;

/**
 * One layer of BERT or Longformer: self-attention, then a feed-forward network with GELU, each with a residual connection
 * followed by layer normalization. Parameters are named as in Hugging Face's {@code BertLayer}.
 *
 * @param <A> the kind of attention
 */
public final class TransformerEncoderLayer<A extends Layer> extends Layer {

    private final A attention;
    private final LayerNorm attentionNorm;
    private final Linear intermediateDense;
    private final Linear outputDense;
    private final LayerNorm outputNorm;
    private final Dropout dropout;

    public TransformerEncoderLayer(
            A attention, int size, int intermediate, double epsilon, double dropout, Compute compute) {
        this.dropout = new Dropout(dropout);
        this.attention = submodule("attention", attention);
        attentionNorm = submodule("attention.output.LayerNorm", new LayerNorm(size, epsilon, compute));
        intermediateDense = submodule("intermediate.dense", new Linear(size, intermediate, true, compute));
        outputDense = submodule("output.dense", new Linear(intermediate, size, true, compute));
        outputNorm = submodule("output.LayerNorm", new LayerNorm(size, epsilon, compute));
    }

    public A attention() {
        return attention;
    }

    /** (N, M, H) to (N, M, H); {@code attend} applies the attention to x. */
    public Tensor forward(Tensor x, Function<A, Tensor> attend, boolean training) {
        Tensor attended =
                TensorScope.run(() -> attentionNorm.forward(addResidual(attend.apply(attention), x, training)));
        return TensorScope.run(() -> {
            Tensor output = outputDense.forward(gelu(intermediateDense.forward(attended)));
            return outputNorm.forward(addResidual(output, attended, training));
        });
    }

    /** Overwrites its argument if autograd does not need it: the largest tensor of the layer is written once. */
    private static Tensor gelu(Tensor x) {
        return GradMode.is_enabled() ? torch.gelu(x) : torch.gelu_(x);
    }

    private Tensor addResidual(Tensor output, Tensor input, boolean training) {
        Tensor dropped = dropout.forward(output, training);
        boolean overwrites = !GradMode.is_enabled() && dropped.element_size() >= input.element_size();
        return overwrites ? dropped.add_(input) : input.add(dropped);
    }
}
