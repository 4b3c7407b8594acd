package org.plant4j.tensor;

import java.util.function.UnaryOperator;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorBase;
import org.bytedeco.pytorch.TensorTensorHook;

/**
 * A function that is computed outside of autograd but takes part in its backward pass. Java cannot define autograd functions;
 * instead, the output is connected to the input as if it were the identity, and a hook replaces the gradient. Input and output
 * must therefore have the same number of elements.
 */
public final class CustomBackward implements AutoCloseable {

    private final Hook hook; // libtorch keeps the address only

    /**
     * {@code backward} returns the gradient of the input, given that of the output. The result must stay valid until the next
     * call; a backward pass may run on a thread of libtorch's.
     */
    public CustomBackward(UnaryOperator<Tensor> backward) {
        hook = new Hook(backward);
        if (hook.isNull()) {
            throw new IllegalStateException("too many custom backward passes are open");
        }
        hook.retainReference(); // outlives the open scope
    }

    /** The output, connected to the input. Both are flat; the input may or may not require a gradient. */
    public Tensor connect(Tensor input, Tensor output) {
        Tensor identity;
        if (input.requires_grad()) {
            identity = input.mul(new Scalar(1f)); // a tensor of its own: only gradients through the output are replaced
        } else {
            identity = input.detach().clone();
            identity.set_requires_grad(true);
        }
        identity.register_hook(hook);
        return output.detach().add(identity.sub(identity.detach()));
    }

    @Override
    public void close() {
        hook.close();
    }

    private static final class Hook extends TensorTensorHook {

        private final UnaryOperator<Tensor> backward;

        private Hook(UnaryOperator<Tensor> backward) {
            this.backward = backward;
        }

        @Override
        public TensorBase call(TensorBase gradient) {
            try (PointerScope scope = new PointerScope();
                    NoGradGuard noGrad = new NoGradGuard()) {
                return backward.apply(new Tensor(gradient));
            }
        }
    }
}
