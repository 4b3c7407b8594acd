package org.plant4j.tensor;

import java.util.function.Supplier;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Tensor;

/** Frees what a computation made on its way; only its result passes on to the scope outside. */
public final class TensorScope {

    private TensorScope() {}

    public static Tensor run(Supplier<Tensor> computation) {
        PointerScope outside = PointerScope.getInnerScope();
        try (PointerScope scope = new PointerScope()) {
            Tensor result = computation.get();
            if (outside == null) {
                result.retainReference();
            } else {
                outside.attach(result);
            }
            return result;
        }
    }
}
