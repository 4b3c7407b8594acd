package org.plant4j.encoder.importer;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import org.plant4j.UserError;

/**
 * The weights of an ONNX file. Exporters keep the names of biases but fold a transposition into each matrix, which thereby
 * loses its name; the name is recovered from the bias that is added to the product.
 */
final class OnnxModel {

    // ModelProto, GraphProto
    private static final int GRAPH = 7;
    private static final int NODE = 1;
    private static final int INITIALIZER = 5;

    // NodeProto and AttributeProto
    private static final int INPUT = 1;
    private static final int OUTPUT = 2;
    private static final int OPERATION = 4;
    private static final int ATTRIBUTE = 5;
    private static final int ATTRIBUTE_NAME = 1;
    private static final int ATTRIBUTE_FLOAT = 2;
    private static final int ATTRIBUTE_TENSOR = 5;

    // TensorProto
    private static final int DIMENSIONS = 1;
    private static final int TYPE = 2;
    private static final int FLOATS = 4;
    private static final int LONGS = 7;
    private static final int NAME = 8;
    private static final int RAW = 9;
    private static final int LOCATION = 14;
    private static final int TYPE_FLOAT = 1;
    private static final int TYPE_LONG = 7;
    private static final int TYPE_HALF = 10;
    private static final int TYPE_BFLOAT = 16;

    private static final Set<String> QUANTIZED = Set.of("MatMulInteger", "QLinearMatMul", "DynamicQuantizeLinear");
    private static final double LARGEST_EPSILON = 1e-3;

    private record Node(
            String operation, List<String> inputs, List<String> outputs, Map<String, ProtoMessage> attributes) {}

    private final Path file;
    private final List<Node> nodes = new ArrayList<>();
    private final Map<String, StoredTensor> initializers = new TreeMap<>();
    private final Map<String, ProtoMessage> constants = new HashMap<>();

    private OnnxModel(Path file) {
        this.file = file;
    }

    static OnnxModel read(Path file) {
        OnnxModel model = new OnnxModel(file);
        ProtoMessage graph = ProtoMessage.open(file)
                .field(GRAPH)
                .map(ProtoMessage.Field::message)
                .orElseThrow(() -> new UserError(
                        "Not an ONNX model: it has no graph", file.toString(), "use a complete .onnx file"));
        graph.forEachField(field -> {
            if (field.number() == NODE) {
                model.add(node(field.message()));
            } else if (field.number() == INITIALIZER) {
                model.add(field.message());
            }
        });
        return model;
    }

    private static Node node(ProtoMessage message) {
        List<String> inputs =
                message.fields(INPUT).stream().map(ProtoMessage.Field::text).toList();
        List<String> outputs =
                message.fields(OUTPUT).stream().map(ProtoMessage.Field::text).toList();
        Map<String, ProtoMessage> attributes = new HashMap<>();
        message.fields(ATTRIBUTE).stream()
                .map(ProtoMessage.Field::message)
                .forEach(attribute -> attributes.put(attribute.text(ATTRIBUTE_NAME), attribute));
        return new Node(message.text(OPERATION), inputs, outputs, attributes);
    }

    private void add(Node node) {
        if (QUANTIZED.contains(node.operation())) {
            throw new UserError("The model is quantized", file.toString(), "import its float32 or float16 variant");
        }
        nodes.add(node);
        ProtoMessage value = node.attributes().get("value");
        if (node.operation().equals("Constant") && value != null) {
            value.field(ATTRIBUTE_TENSOR)
                    .ifPresent(tensor -> constants.put(node.outputs().get(0), tensor.message()));
        }
    }

    private void add(ProtoMessage initializer) {
        String name = initializer.text(NAME);
        if (initializer.number(LOCATION, 0) != 0) {
            throw new UserError(
                    "The data of tensor " + name + " is in another file",
                    file.toString(),
                    "export the model with embedded weights");
        }
        int type = (int) initializer.number(TYPE, 0);
        if (type == TYPE_FLOAT || type == TYPE_HALF || type == TYPE_BFLOAT) {
            initializers.put(name, tensor(initializer, name, type));
        } else {
            constants.put(name, initializer);
        }
    }

    private StoredTensor tensor(ProtoMessage message, String name, int type) {
        List<Integer> shape = Arrays.stream(longs(message, DIMENSIONS))
                .mapToObj(Math::toIntExact)
                .toList();
        // Packed floats have the same bytes as raw data.
        int offset = message.field(RAW)
                .or(() -> message.field(FLOATS))
                .map(ProtoMessage.Field::bytes)
                .map(ByteBuffer::position)
                .orElseThrow(
                        () -> new UserError("Tensor " + name + " is empty", file.toString(), "export the model again"));
        StoredTensor.DataType stored = switch (type) {
            case TYPE_HALF -> StoredTensor.DataType.F16;
            case TYPE_BFLOAT -> StoredTensor.DataType.BF16;
            default -> StoredTensor.DataType.F32;
        };
        return new StoredTensor(file, offset, stored, shape, false);
    }

    private static long[] longs(ProtoMessage message, int number) {
        List<Long> values = new ArrayList<>();
        message.fields(number).forEach(field -> field.longs(values::add));
        return values.stream().mapToLong(Long::longValue).toArray();
    }

    /** All weights by name; matrices are named after their bias. */
    Map<String, StoredTensor> tensors() {
        Map<String, StoredTensor> named = new TreeMap<>(initializers);
        Map<String, String> biases = new HashMap<>(); // by the value they are added to
        for (Node node : nodes) {
            if (node.operation().equals("Add") && node.inputs().size() == 2) {
                for (int i = 0; i < 2; i++) {
                    if (node.inputs().get(i).endsWith(".bias")) {
                        biases.put(node.inputs().get(1 - i), node.inputs().get(i));
                    }
                }
            }
        }
        for (Node node : nodes) {
            String bias = node.operation().equals("MatMul")
                    ? biases.get(node.outputs().get(0))
                    : null;
            StoredTensor matrix = initializers.get(
                    node.inputs().size() < 2 ? "" : node.inputs().get(1));
            if (bias != null && matrix != null && matrix.shape().size() == 2) {
                named.putIfAbsent(bias.replaceAll("bias$", "weight"), matrix.transpose());
            }
        }
        return named;
    }

    /** Number of attention heads, from the shape to which the first query is reshaped. */
    OptionalInt heads(int hidden) {
        for (Node reshape : nodes) {
            if (reshape.operation().equals("Reshape")
                    && comesFromQuery(reshape.inputs().get(0))) {
                long[] shape = shape(reshape.inputs().get(1));
                int last = shape.length - 1;
                if (last >= 1 && shape[last] > 0 && hidden % shape[last] == 0) {
                    return OptionalInt.of((int) (hidden / shape[last]));
                }
            }
        }
        return OptionalInt.empty();
    }

    private boolean comesFromQuery(String value) {
        return nodes.stream()
                .filter(node -> node.outputs().contains(value))
                .flatMap(node -> node.inputs().stream())
                .anyMatch(input -> input.endsWith("attention.self.query.bias"));
    }

    /** A shape value; −1 for dimensions that depend on the input. */
    private long[] shape(String name) {
        Optional<long[]> constant = Optional.ofNullable(constants.get(name)).map(OnnxModel::longs);
        if (constant.isPresent()) {
            return constant.orElseThrow();
        }
        return nodes.stream()
                .filter(node ->
                        node.operation().equals("Concat") && node.outputs().contains(name))
                .flatMap(node -> node.inputs().stream())
                .map(input -> Optional.ofNullable(constants.get(input))
                        .map(OnnxModel::longs)
                        .orElse(new long[] {-1}))
                .flatMapToLong(Arrays::stream)
                .toArray();
    }

    private static long[] longs(ProtoMessage tensor) {
        if (tensor.number(TYPE, 0) != TYPE_LONG) {
            return new long[] {-1};
        }
        return tensor.field(RAW)
                .map(raw -> {
                    ByteBuffer bytes = raw.bytes();
                    long[] values = new long[bytes.remaining() / Long.BYTES];
                    Arrays.setAll(values, i -> bytes.getLong());
                    return values;
                })
                .orElseGet(() -> longs(tensor, LONGS));
    }

    /** Epsilon of the layer norms: an attribute, or the first small constant that is added to a value. */
    OptionalDouble epsilon() {
        for (Node node : nodes) {
            ProtoMessage attribute = node.attributes().get("epsilon");
            if (attribute != null) {
                return attribute.field(ATTRIBUTE_FLOAT).map(ProtoMessage.Field::asFloat).stream()
                        .mapToDouble(OnnxModel::decimal)
                        .findFirst();
            }
            if (node.operation().equals("Add")) {
                for (String input : node.inputs()) {
                    ProtoMessage constant = constants.get(input);
                    double value = constant == null ? 0 : scalar(constant);
                    if (value > 0 && value <= LARGEST_EPSILON) {
                        return OptionalDouble.of(value);
                    }
                }
            }
        }
        return OptionalDouble.empty();
    }

    private static double scalar(ProtoMessage tensor) {
        return tensor.number(TYPE, 0) != TYPE_FLOAT
                ? 0
                : tensor.field(RAW)
                        .map(ProtoMessage.Field::bytes)
                        .filter(bytes -> bytes.remaining() == Float.BYTES)
                        .map(bytes -> decimal(bytes.getFloat()))
                        .orElse(0.0);
    }

    /** The shortest decimal number of a float: 1e-12, not the nearest float as a double. */
    private static double decimal(float number) {
        return Double.parseDouble(Float.toString(number));
    }
}
