package org.plant4j.tensor;

import java.util.Optional;
import java.util.stream.LongStream;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Context;
import org.bytedeco.pytorch.IValue;
import org.bytedeco.pytorch.InferenceMode;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.QEngineVector;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptions;
import org.bytedeco.pytorch.global.torch;

/**
 * The weights of a linear product x Wᵀ + b in int8, in the layout of libtorch's kernels. Each row of W has a scale of its
 * own, its largest magnitude / 127. Activations are quantized to 8 bits in each product, by the smallest and the largest of
 * them; sums are exact, and the result is float32.
 */
public final class Int8Weights implements AutoCloseable {

    private static final double LARGEST = 127;

    private final IValue packed;

    private Int8Weights(IValue packed) {
        this.packed = packed;
    }

    /** Packs W (out, in) and b (out) for products with many rows at a time. */
    public static Int8Weights forManyRows(Tensor weight, Optional<Tensor> bias) {
        return pack(weight, bias, torch.QEngine.ONEDNN);
    }

    /** Packs W (out, in) and b (out) for products with a single row or a few, as in recurrent layers. */
    public static Int8Weights forFewRows(Tensor weight, Optional<Tensor> bias) {
        return pack(weight, bias, torch.QEngine.FBGEMM);
    }

    private static Int8Weights pack(Tensor weight, Optional<Tensor> bias, torch.QEngine engine) {
        try (PointerScope scope = new PointerScope();
                InferenceMode inference = new InferenceMode()) {
            IValue packed = prepack(quantize(weight), bias.map(IValue::new).orElseGet(IValue::new), engine);
            packed.retainReference(); // outlives the scope
            return new Int8Weights(packed);
        }
    }

    private static Tensor quantize(Tensor weight) {
        Tensor scales = weight.abs()
                .amax(new long[] {1}, false)
                .div(new Scalar(LARGEST))
                .clamp_min(new Scalar(Float.MIN_NORMAL)) // a row of zeros
                .to(torch.ScalarType.Double);
        Tensor zeroPoints = torch.zeros(new long[] {weight.size(0)}, new TensorOptions(torch.ScalarType.Long));
        return torch.quantize_per_channel(weight, scales, zeroPoints, 0, torch.ScalarType.QInt8);
    }

    /** The engine is a setting of the whole process, which only packing reads. */
    private static synchronized IValue prepack(Tensor weight, IValue bias, torch.QEngine engine) {
        Context context = torch.globalContext();
        torch.QEngine before = context.qEngine();
        if (isSupported(engine)) {
            context.setQEngine(engine);
        }
        try {
            return new IValue(DispatcherCall.call("quantized::linear_prepack", new IValue(weight), bias)
                    .get(0)); // the stack frees its own reference
        } finally {
            context.setQEngine(before);
        }
    }

    private static boolean isSupported(torch.QEngine engine) {
        QEngineVector engines = Context.supportedQEngines();
        return LongStream.range(0, engines.size()).anyMatch(i -> engines.get(i).intern() == engine);
    }

    /** The packed weights, as an argument of other quantized operators. */
    public IValue packed() {
        return packed;
    }

    /** (…, in) to (…, out), without gradients. */
    public Tensor multiply(Tensor x) {
        return multiply(x, reducesRange());
    }

    private Tensor multiply(Tensor x, boolean reducesRange) {
        return new Tensor(DispatcherCall.call(
                        "quantized::linear_dynamic",
                        new IValue(x.to(torch.ScalarType.Float).contiguous()),
                        packed,
                        new IValue(reducesRange))
                .get(0)
                .toTensor());
    }

    /**
     * Whether activations must be quantized to 7 bits: processors without VNNI add pairs of products in 16 bits, where the
     * largest 8-bit values would saturate.
     */
    public static boolean reducesRange() {
        return Saturation.PRESENT;
    }

    /** Multiplies the largest values, once. */
    private static final class Saturation {

        private static final long SIZE = 64;
        private static final boolean PRESENT = test();

        private static boolean test() {
            try (PointerScope scope = new PointerScope();
                    NoGradGuard noGrad = new NoGradGuard();
                    Int8Weights ones = forManyRows(torch.ones(SIZE, SIZE), Optional.empty())) {
                double sum = ones.multiply(torch.ones(1, SIZE), false).mean().item_double();
                return Math.abs(sum - SIZE) > 0.01 * SIZE;
            }
        }
    }

    @Override
    public void close() {
        packed.close();
    }
}
