package org.plant4j.layer;

import org.bytedeco.pytorch.GeneratorOptional;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;

/** How a new parameter is filled. */
@FunctionalInterface
public interface Init {

    void fill(Tensor tensor);

    static Init constant(double value) {
        return tensor -> tensor.fill_(new Scalar(value));
    }

    static Init uniform(double bound) {
        return tensor -> tensor.uniform_(-bound, bound, new GeneratorOptional());
    }

    static Init normal(double deviation) {
        return tensor -> tensor.normal_(0, deviation, new GeneratorOptional());
    }
}
