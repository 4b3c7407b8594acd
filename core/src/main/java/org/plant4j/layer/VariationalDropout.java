package org.plant4j.layer;

import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/** Variational dropout: drops the same features at every token of a sequence (Gal and Ghahramani, 2016). */
public record VariationalDropout(double rate) {

    /** (B, T, F) to (B, T, F); the identity at prediction. */
    public Tensor forward(Tensor x, boolean training) {
        if (!training || rate == 0) {
            return x;
        }
        Tensor ones = torch.ones(new long[] {x.size(0), 1, x.size(2)}, x.options());
        return x.mul(torch.dropout(ones, rate, true));
    }
}
