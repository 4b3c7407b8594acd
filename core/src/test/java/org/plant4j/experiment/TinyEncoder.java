package org.plant4j.experiment;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Tensor;
import org.plant4j.encoder.BertEncoder;
import org.plant4j.encoder.BertPooler;
import org.plant4j.encoder.EncoderDirectory;
import org.plant4j.tensor.Checkpoint;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.Engine;
import org.plant4j.text.TestWordPieces;

/** Writes a small encoder with random weights, whose subwords cover the tiny corpus. */
public final class TinyEncoder {

    public static final List<String> TOKENS = TestWordPieces.with(List.of(
            "Patient",
            "with",
            "sugar",
            "rai",
            "##sed",
            "heart",
            "fail",
            "##ing",
            "wh",
            "##eez",
            "breath",
            "kid",
            "##ney",
            "dialysis",
            "seen",
            "today",
            "at",
            "home",
            "since",
            "mon",
            "##day",
            "by",
            "ambu",
            "##lance",
            "again",
            "and",
            "on",
            "a",
            "."));

    private TinyEncoder() {}

    /** Two layers of width 16; positions for windows of 14 tokens. */
    public static EncoderDirectory write(Path path) {
        EncoderDirectory directory = new EncoderDirectory(path);
        Engine.setSeed(5);
        try (PointerScope scope = new PointerScope();
                BertEncoder encoder = new BertEncoder(
                        BertEncoder.Config.builder()
                                .layers(2)
                                .hidden(16)
                                .heads(2)
                                .intermediate(32)
                                .positions(16)
                                .window(6)
                                .overlap(2)
                                .build(),
                        TOKENS.size(),
                        Compute.CPU);
                BertPooler pooler = new BertPooler(16, Compute.CPU)) {
            Files.createDirectories(path);
            Map<String, Tensor> tensors = new LinkedHashMap<>(encoder.parameters());
            pooler.parameters().forEach((name, tensor) -> tensors.put("pooler." + name, tensor));
            Checkpoint.write(directory.weights(), tensors);
            TestWordPieces.write(directory.tokenizer(), TOKENS);
            Files.writeString(directory.tokensFile(), String.join("\n", TOKENS) + "\n");
            Files.writeString(directory.configFile(), """
                    pretrained_encoder: .
                    model:
                      encoder:
                        type: bert
                        layers: 2
                        hidden: 16
                        heads: 2
                        intermediate: 32
                        positions: 16
                        position_offset: 0
                        types: 2
                        epsilon: 1.0e-12
                        begin: 2   # [CLS]
                        end: 3     # [SEP]
                        mask: 4    # [MASK]
                    """);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return directory;
    }
}
