package org.plant4j.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.bytedeco.javacpp.DoublePointer;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.text.Vocabulary;

/** Expected values from PyTorch, read from golden.json, which golden.py beside it writes with the same formulas. */
public final class Golden {

    /** Token ids of the padded batch that every golden model encodes; three lengths. */
    public static final List<int[]> DOCUMENTS =
            List.of(new int[] {2, 3, 4, 5, 6}, new int[] {6, 2}, new int[] {4, 4, 3});

    private static final double TOLERANCE = 1e-5;
    private static final int OUTPUT_WEIGHTS = 99;

    private final JsonNode answers;

    private Golden(JsonNode answers) {
        this.answers = answers;
    }

    public static Golden of(String name) {
        return of(Golden.class, name);
    }

    /** From the golden.json in the package of another class. */
    public static Golden of(Class<?> beside, String name) {
        try (InputStream json = Objects.requireNonNull(beside.getResourceAsStream("golden.json"))) {
            return new Golden(
                    Objects.requireNonNull(new ObjectMapper().readTree(json).get(name)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The tensor of this number: 0.3 sin(i + 10 number), i counting its elements in row-major order. */
    public static Tensor wave(int number, long... shape) {
        int size = 1;
        for (long side : shape) {
            size *= (int) side;
        }
        float[] values = new float[size];
        for (int i = 0; i < size; i++) {
            values[i] = (float) (0.3 * Math.sin(i + 10.0 * number));
        }
        return Tensor.create(values, shape);
    }

    /** Fills parameters in their order; an embedding keeps its padding at zero. */
    public static void fill(Map<String, Tensor> parameters) {
        try (NoGradGuard noGrad = new NoGradGuard()) {
            int number = 0;
            for (Map.Entry<String, Tensor> parameter : parameters.entrySet()) {
                fill(parameter.getValue(), number++);
                if (parameter.getKey().equals("embedding.weight")) {
                    parameter.getValue().select(0, Vocabulary.PADDING).zero_();
                }
            }
        }
    }

    /** Fills one parameter. */
    public static void fill(Tensor parameter, int number) {
        try (NoGradGuard noGrad = new NoGradGuard()) {
            parameter.copy_(wave(number, parameter.shape()));
        }
    }

    /** Backpropagates from an output as golden.py does. */
    public static void backward(Tensor output) {
        output.mul(wave(OUTPUT_WEIGHTS, output.shape())).sum().backward();
    }

    public void check(String name, Tensor tensor) {
        check(name, values(tensor));
    }

    public void check(String name, double[] found) {
        double[] expected = numbers(name);
        assertThat(found).as(name).hasSameSizeAs(expected);
        for (int i = 0; i < expected.length; i++) {
            assertThat(found[i]).as("%s[%d]", name, i).isCloseTo(expected[i], within(TOLERANCE));
        }
    }

    public void checkGradients(Map<String, Tensor> leaves) {
        leaves.forEach((name, leaf) -> check(name, leaf.grad()));
    }

    public double[] numbers(String name) {
        JsonNode node = Objects.requireNonNull(answers.get(name), name);
        double[] numbers = new double[node.size()];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = node.get(i).asDouble();
        }
        return numbers;
    }

    /** The tensor of this name. */
    public static Tensor tensor(Map<String, Tensor> tensors, String name) {
        return Objects.requireNonNull(tensors.get(name), name);
    }

    /** The elements of the tensor of this name. */
    public static double[] values(Map<String, Tensor> tensors, String name) {
        return values(tensor(tensors, name));
    }

    /** The elements of a floating point tensor in row-major order. */
    public static double[] values(Tensor tensor) {
        try (PointerScope scope = new PointerScope()) {
            Tensor local = tensor.detach().to(torch.ScalarType.Double).contiguous();
            double[] values = new double[(int) local.numel()];
            if (values.length > 0) { // an empty tensor has no memory
                new DoublePointer(local.data_ptr_double()).get(values);
            }
            return values;
        }
    }
}
