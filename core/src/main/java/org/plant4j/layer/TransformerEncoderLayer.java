package org.plant4j.layer;

import java.util.Optional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.TensorScope;

/**
 * One layer of BERT: self-attention, then two dense maps with GELU between them; what each adds is normalised with its
 * input. Parameters are named as Hugging Face names them.
 */
public final class TransformerEncoderLayer extends Layer {

    private final SelfAttention attention;
    private final LayerNorm attentionNorm;
    private final Linear wide;
    private final Linear narrow;
    private final LayerNorm norm;
    private final Dropout dropout;

    public TransformerEncoderLayer(
            int size, int heads, int intermediate, double epsilon, double dropout, Compute compute) {
        this.dropout = new Dropout(dropout);
        attention = submodule("attention", new SelfAttention(size, heads, dropout, compute));
        attentionNorm = submodule("attention.output.LayerNorm", new LayerNorm(size, epsilon, compute));
        wide = submodule("intermediate.dense", new Linear(size, intermediate, true, compute));
        narrow = submodule("output.dense", new Linear(intermediate, size, true, compute));
        norm = submodule("output.LayerNorm", new LayerNorm(size, epsilon, compute));
    }

    /** (N, M, H) to (N, M, H). */
    public Tensor forward(Tensor x, Optional<Tensor> seen, boolean training) {
        Tensor looked = TensorScope.run(
                () -> attentionNorm.forward(x.add(dropout.forward(attention.forward(x, seen, training), training))));
        return TensorScope.run(() ->
                norm.forward(looked.add(dropout.forward(narrow.forward(torch.gelu(wide.forward(looked))), training))));
    }
}
