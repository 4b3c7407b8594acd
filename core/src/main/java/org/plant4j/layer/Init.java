package org.plant4j.layer;

import org.bytedeco.pytorch.GeneratorOptional;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;

/** Initializer of a parameter. */
@FunctionalInterface
public interface Init {

    void fill(Tensor tensor);

    static Init constant(double value) {
        return tensor -> tensor.fill_(new Scalar(value));
    }

    static Init uniform(double bound) {
        return tensor -> tensor.uniform_(-bound, bound, new GeneratorOptional());
    }

    static Init normal(double standardDeviation) {
        return tensor -> tensor.normal_(0, standardDeviation, new GeneratorOptional());
    }
}
