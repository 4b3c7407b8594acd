package org.plant4j.lm;

import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/** Dropout that leaves out the same features at every token of a sequence (Gal and Ghahramani 2016). */
record SequenceDropout(double share) {

    /** (B, T, F) to the same shape; nothing happens unless it trains. */
    Tensor forward(Tensor x, boolean training) {
        if (!training || share == 0) {
            return x;
        }
        Tensor kept = torch.ones(new long[] {x.size(0), 1, x.size(2)}, x.options());
        return x.mul(torch.dropout(kept, share, true));
    }
}
