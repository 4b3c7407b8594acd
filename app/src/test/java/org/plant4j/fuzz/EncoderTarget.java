package org.plant4j.fuzz;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.plant4j.Precision;
import org.plant4j.encoder.importer.EncoderImporter;

/** Published encoders to import: directories and archives with weights, config and vocabulary. */
final class EncoderTarget implements FuzzTarget {

    private static final List<String> TOKENS =
            List.of("[PAD]", "fever", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "##s", "cough", "a");
    private static final int HIDDEN = 4;
    private static final int INTERMEDIATE = 6;

    private final Path directory;

    EncoderTarget(Path directory) {
        this.directory = directory;
    }

    @Override
    public String name() {
        return "encoder";
    }

    @Override
    public Outcome test(FuzzInput input) throws IOException {
        CorpusFiles.clear(directory);
        CorpusFiles model = model();
        boolean intact = input.chance(0.1);
        if (!intact && input.chance(0.5)) {
            String name = input.pick(model.names());
            input.step("in " + name);
            model.put(name, ByteMutator.mutate(model.get(name), input));
        }
        Path source = directory.resolve("source");
        if (input.chance(0.5)) {
            byte[] archive = zip(model, intact ? "" : input.pick("", "/", "//", "../", "\0", "x/" + "y".repeat(200)));
            byte[] bytes = intact || input.chance(0.3) ? archive : ByteMutator.mutate(archive, input);
            source = new CorpusFiles().put("model.zip", bytes).write(source).resolve("model.zip");
        } else {
            model.write(source);
        }
        Path from = source;
        if (intact) {
            FuzzInput.accepted(() -> run(from));
            return Outcome.SAME;
        }
        run(from);
        return Outcome.ACCEPTED;
    }

    private EncoderImporter.ImportResult run(Path source) {
        return EncoderImporter.run(
                source,
                directory.resolve("target"),
                new EncoderImporter.Options(Precision.FLOAT32, OptionalInt.empty(), Optional.empty()));
    }

    private static byte[] zip(CorpusFiles files, String extra) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(out)) {
            for (String name : files.names()) {
                zip.putNextEntry(new ZipEntry("model/" + name));
                zip.write(files.get(name));
            }
            if (!extra.isEmpty()) {
                zip.putNextEntry(new ZipEntry(extra + "x.json"));
                zip.putNextEntry(new ZipEntry(extra));
            }
        }
        return out.toByteArray();
    }

    /** A BERT of one layer in the layout of Hugging Face. */
    private static CorpusFiles model() {
        ObjectNode header = JsonNodeFactory.instance.objectNode();
        add(header, "embeddings.word_embeddings.weight", TOKENS.size(), HIDDEN);
        add(header, "embeddings.position_embeddings.weight", 12, HIDDEN);
        add(header, "embeddings.token_type_embeddings.weight", 2, HIDDEN);
        addNorm(header, "embeddings.LayerNorm");
        for (String part : List.of("self.query", "self.key", "self.value", "output.dense")) {
            addDense(header, "encoder.layer.0.attention." + part, HIDDEN, HIDDEN);
        }
        addNorm(header, "encoder.layer.0.attention.output.LayerNorm");
        addDense(header, "encoder.layer.0.intermediate.dense", INTERMEDIATE, HIDDEN);
        addDense(header, "encoder.layer.0.output.dense", HIDDEN, INTERMEDIATE);
        addNorm(header, "encoder.layer.0.output.LayerNorm");
        return new CorpusFiles()
                .put("config.json", "{\"model_type\": \"bert\", \"num_attention_heads\": 2, \"hidden_act\": \"gelu\"}")
                .put("tokenizer_config.json", "{\"do_lower_case\": true}")
                .put("vocab.txt", String.join("\n", TOKENS) + "\n")
                .put("model.safetensors", safetensors(header));
    }

    private static void addDense(ObjectNode header, String name, int out, int in) {
        add(header, name + ".weight", out, in);
        add(header, name + ".bias", out);
    }

    private static void addNorm(ObjectNode header, String name) {
        add(header, name + ".weight", HIDDEN);
        add(header, name + ".bias", HIDDEN);
    }

    private static void add(ObjectNode header, String name, int... shape) {
        int start = size(header);
        ObjectNode tensor = header.putObject(name).put("dtype", "F32");
        int bytes = Float.BYTES;
        for (int side : shape) {
            tensor.withArray("shape").add(side);
            bytes *= side;
        }
        tensor.putArray("data_offsets").add(start).add(start + bytes);
    }

    /** The bytes of all tensors so far. */
    private static int size(ObjectNode header) {
        int size = 0;
        for (var tensor : header) {
            size = Math.max(size, tensor.path("data_offsets").path(1).asInt());
        }
        return size;
    }

    private static byte[] safetensors(ObjectNode header) {
        byte[] json = header.toString().getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(Long.BYTES + json.length + size(header))
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(json.length)
                .put(json)
                .array();
    }
}
