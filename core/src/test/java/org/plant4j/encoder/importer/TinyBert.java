package org.plant4j.encoder.importer;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/** A synthetic BERT with one layer and two heads, in every supported source format. */
public final class TinyBert {

    /** The unknown token is third, unlike in our order. */
    static final List<String> PIECES =
            List.of("[PAD]", "fiebre", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "##s", "tos", "a");

    static final int HIDDEN = 4;
    private static final int INTERMEDIATE = 6;
    private static final int POSITIONS = 12;
    private static final ObjectMapper JSON = new ObjectMapper();

    /** A tensor in row-major order. */
    public record Values(List<Integer> shape, List<Float> numbers) {

        Values transposed() {
            int rows = shape.get(0);
            int columns = shape.get(1);
            List<Float> transposed = new ArrayList<>();
            for (int column = 0; column < columns; column++) {
                for (int row = 0; row < rows; row++) {
                    transposed.add(numbers.get(row * columns + column));
                }
            }
            return new Values(List.of(columns, rows), transposed);
        }
    }

    private TinyBert() {}

    /** All tensors, including head and pooler, named as in Hugging Face's {@code BertModel}. */
    static Map<String, Values> tensors() {
        Map<String, Values> tensors = new LinkedHashMap<>();
        add(tensors, "embeddings.word_embeddings.weight", PIECES.size(), HIDDEN);
        add(tensors, "embeddings.position_embeddings.weight", POSITIONS, HIDDEN);
        add(tensors, "embeddings.token_type_embeddings.weight", 2, HIDDEN);
        norm(tensors, "embeddings.LayerNorm");
        for (String part : List.of("self.query", "self.key", "self.value", "output.dense")) {
            dense(tensors, "encoder.layer.0.attention." + part, HIDDEN, HIDDEN);
        }
        norm(tensors, "encoder.layer.0.attention.output.LayerNorm");
        dense(tensors, "encoder.layer.0.intermediate.dense", INTERMEDIATE, HIDDEN);
        dense(tensors, "encoder.layer.0.output.dense", HIDDEN, INTERMEDIATE);
        norm(tensors, "encoder.layer.0.output.LayerNorm");
        dense(tensors, "pooler.dense", HIDDEN, HIDDEN);
        dense(tensors, "cls.predictions.transform.dense", HIDDEN, HIDDEN);
        norm(tensors, "cls.predictions.transform.LayerNorm");
        add(tensors, "cls.predictions.bias", PIECES.size());
        return tensors;
    }

    private static void dense(Map<String, Values> tensors, String name, int out, int in) {
        add(tensors, name + ".weight", out, in);
        add(tensors, name + ".bias", out);
    }

    private static void norm(Map<String, Values> tensors, String name) {
        add(tensors, name + ".weight", HIDDEN);
        add(tensors, name + ".bias", HIDDEN);
    }

    /** Values that differ between tensors and are exact in half precision. */
    private static void add(Map<String, Values> tensors, String name, Integer... shape) {
        int count = List.of(shape).stream().reduce(1, (a, b) -> a * b);
        int start = tensors.size();
        List<Float> numbers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            numbers.add(start + i / 64f);
        }
        tensors.put(name, new Values(List.of(shape), numbers));
    }

    static Path vocabulary(Path path, boolean lowerCase) throws IOException {
        Files.createDirectories(path);
        Files.writeString(path.resolve("vocab.txt"), String.join("\n", PIECES) + "\n");
        Files.writeString(path.resolve("tokenizer_config.json"), "{\"do_lower_case\": " + lowerCase + "}");
        return path;
    }

    /** A Hugging Face directory with renamed tensors. */
    public static Path huggingFace(Path path, UnaryOperator<String> naming) throws IOException {
        vocabulary(path, false);
        Files.writeString(
                path.resolve("config.json"),
                "{\"model_type\": \"bert\", \"num_attention_heads\": 2, \"layer_norm_eps\": 1e-12, \"hidden_act\": \"gelu\"}");
        Map<String, Values> renamed = new LinkedHashMap<>();
        tensors().forEach((name, values) -> renamed.put(naming.apply(name), values));
        safetensors(path.resolve("model.safetensors"), renamed);
        return path;
    }

    static void safetensors(Path file, Map<String, Values> tensors) throws IOException {
        ObjectNode header = JSON.createObjectNode();
        ProtoBytes data = new ProtoBytes();
        tensors.forEach((name, values) -> {
            ObjectNode node = header.putObject(name).put("dtype", "F32");
            values.shape().forEach(node.putArray("shape")::add);
            int start = data.size();
            data.raw(ProtoBytes.floats(values.numbers()));
            node.putArray("data_offsets").add(start).add(data.size());
        });
        file(file, JSON.writeValueAsString(header), data.toBytes());
    }

    /** A safetensors file with this header and data. */
    static Path file(Path file, String header, byte[] data) throws IOException {
        byte[] json = header.getBytes(StandardCharsets.UTF_8);
        ByteBuffer length =
                ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(json.length);
        return Files.write(
                file, new ProtoBytes().raw(length.array()).raw(json).raw(data).toBytes());
    }

    /** A SavedModel with variables named as in TensorFlow Hub, matrices as (in, out). */
    static Path tensorFlow(Path path) throws IOException {
        vocabulary(path, false);
        Path variables = Files.createDirectories(path.resolve("variables"));
        Map<String, byte[]> index = new TreeMap<>();
        index.put("", new ProtoBytes().number(1, 1).toBytes());
        ProtoBytes data = new ProtoBytes();
        tensors().forEach((name, values) -> {
            boolean kernel = name.matches(".*(dense|query|key|value)\\.weight");
            Values stored = kernel ? values.transposed() : values;
            ProtoBytes shape = new ProtoBytes();
            stored.shape().forEach(side -> shape.message(2, new ProtoBytes().number(1, side)));
            byte[] numbers = ProtoBytes.floats(stored.numbers());
            ProtoBytes entry = new ProtoBytes().number(1, 1).message(2, shape);
            index.put(
                    "module/" + tensorFlowName(name),
                    entry.number(4, data.size()).number(5, numbers.length).toBytes());
            data.raw(numbers);
        });
        index.put("module/step", new ProtoBytes().number(1, 9).number(5, 8).toBytes());
        Files.write(variables.resolve("variables.index"), LevelDbTableBytes.of(new TreeMap<>(index), 0));
        Files.write(variables.resolve("variables.data-00000-of-00001"), data.toBytes());
        return path;
    }

    private static String tensorFlowName(String name) {
        String path = name.replaceAll("LayerNorm\\.weight$", "LayerNorm.gamma")
                .replaceAll("LayerNorm\\.bias$", "LayerNorm.beta")
                .replaceAll("_embeddings\\.weight$", "_embeddings")
                .replaceAll("predictions\\.bias$", "predictions.output_bias")
                .replaceAll("\\.weight$", ".kernel")
                .replaceAll("layer\\.(\\d)", "layer_$1")
                .replace('.', '/');
        return name.startsWith("cls.") ? path : "bert/" + path;
    }

    /** As exported by PyTorch: matrices transposed and without names, the query reshaped into two heads. */
    static Path onnx(Path path) throws IOException {
        vocabulary(path, false);
        ProtoBytes graph = new ProtoBytes();
        int[] number = {700};
        tensors().forEach((name, values) -> {
            if (!name.matches(".*(dense|query|key|value)\\.weight")) {
                graph.message(5, initializer(name, values));
                return;
            }
            String matrix = "onnx::MatMul_" + number[0]++;
            String bias = name.replaceAll("weight$", "bias");
            graph.message(5, initializer(matrix, values.transposed()));
            graph.message(1, node("MatMul", List.of("x", matrix), "/" + matrix));
            graph.message(1, node("Add", List.of(bias, "/" + matrix), "/" + bias));
        });
        ProtoBytes epsilon = new ProtoBytes().number(2, 1).bytes(9, ProtoBytes.floats(List.of(1e-12f)));
        graph.message(1, constant("epsilon", epsilon));
        graph.message(1, node("Add", List.of("variance", "epsilon"), "/variance"));
        graph.message(1, constant("heads", new ProtoBytes().number(2, 7).bytes(9, ProtoBytes.longs(2))));
        graph.message(1, constant("size", new ProtoBytes().number(2, 7).bytes(9, ProtoBytes.longs(2))));
        graph.message(1, node("Concat", List.of("batch", "length", "heads", "size"), "shape"));
        String query = "/encoder.layer.0.attention.self.query.bias";
        graph.message(1, node("Reshape", List.of(query, "shape"), "/folded"));
        Files.write(
                path.resolve("model.onnx"),
                new ProtoBytes().number(1, 6).message(7, graph).toBytes());
        return path;
    }

    private static ProtoBytes initializer(String name, Values values) {
        ProtoBytes tensor = new ProtoBytes();
        values.shape().forEach(side -> tensor.number(1, side));
        return tensor.number(2, 1).text(8, name).bytes(9, ProtoBytes.floats(values.numbers()));
    }

    static ProtoBytes node(String operation, List<String> inputs, String output) {
        ProtoBytes node = new ProtoBytes();
        inputs.forEach(input -> node.text(1, input));
        return node.text(2, output).text(4, operation);
    }

    private static ProtoBytes constant(String name, ProtoBytes tensor) {
        ProtoBytes value = new ProtoBytes().text(1, "value").message(5, tensor);
        return node("Constant", List.of(), name).message(5, value);
    }
}
