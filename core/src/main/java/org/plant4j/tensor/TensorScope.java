package org.plant4j.tensor;

import java.util.function.Supplier;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Tensor;

/** Runs a computation in its own scope: intermediate tensors are freed, the result belongs to the enclosing scope. */
public final class TensorScope {

    private TensorScope() {}

    public static Tensor run(Supplier<Tensor> computation) {
        PointerScope enclosing = PointerScope.getInnerScope();
        try (PointerScope scope = new PointerScope()) {
            Tensor result = computation.get();
            if (enclosing == null) {
                result.retainReference();
            } else {
                enclosing.attach(result);
            }
            return result;
        }
    }
}
