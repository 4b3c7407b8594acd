package org.plant4j.layer.transformer;

import java.util.Optional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.layer.Dropout;
import org.plant4j.layer.Layer;
import org.plant4j.layer.LayerNorm;
import org.plant4j.layer.Linear;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.TensorScope;

/**
 * One layer of BERT: self-attention, then a feed-forward network with GELU, each with a residual connection followed by
 * layer normalization. Parameters are named as in Hugging Face's {@code BertLayer}.
 */
public final class TransformerEncoderLayer extends Layer {

    private final SelfAttention attention;
    private final LayerNorm attentionNorm;
    private final Linear intermediateDense;
    private final Linear outputDense;
    private final LayerNorm outputNorm;
    private final Dropout dropout;

    public TransformerEncoderLayer(
            int size, int heads, int intermediate, double epsilon, double dropout, Compute compute) {
        this.dropout = new Dropout(dropout);
        attention = submodule("attention", new SelfAttention(size, heads, dropout, compute));
        attentionNorm = submodule("attention.output.LayerNorm", new LayerNorm(size, epsilon, compute));
        intermediateDense = submodule("intermediate.dense", new Linear(size, intermediate, true, compute));
        outputDense = submodule("output.dense", new Linear(intermediate, size, true, compute));
        outputNorm = submodule("output.LayerNorm", new LayerNorm(size, epsilon, compute));
    }

    /** (N, M, H) to (N, M, H); {@code mask} (N, 1, 1, M) is true for tokens to attend to, empty for all of them. */
    public Tensor forward(Tensor x, Optional<Tensor> mask, boolean training) {
        Tensor attended = TensorScope.run(
                () -> attentionNorm.forward(x.add(dropout.forward(attention.forward(x, mask, training), training))));
        return TensorScope.run(() -> {
            Tensor output = outputDense.forward(torch.gelu(intermediateDense.forward(attended)));
            return outputNorm.forward(attended.add(dropout.forward(output, training)));
        });
    }
}
