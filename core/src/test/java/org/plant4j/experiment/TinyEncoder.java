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
import org.plant4j.nn.BertEncoder;
import org.plant4j.nn.Checkpoint;
import org.plant4j.nn.Compute;
import org.plant4j.nn.EncoderFolder;
import org.plant4j.nn.Engine;
import org.plant4j.nn.Pooler;
import org.plant4j.text.Pieces;

/** The folder of a made-up encoder over pieces of the tiny corpus' words, its weights drawn at random. */
public final class TinyEncoder {

    public static final List<String> PIECES = Pieces.with(List.of(
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

    /** Two layers of width 16; positions for windows of 14 pieces. */
    public static EncoderFolder write(Path path) {
        EncoderFolder folder = new EncoderFolder(path);
        Engine.seed(5);
        try (PointerScope scope = new PointerScope();
                BertEncoder encoder = new BertEncoder(
                        new BertEncoder.Config(2, 16, 2, 32, 16, 0, 2, 1e-12, 2, 3, 4, 6, 2, 0),
                        PIECES.size(),
                        Compute.CPU);
                Pooler pooler = new Pooler(16, Compute.CPU)) {
            Files.createDirectories(path);
            Map<String, Tensor> tensors = new LinkedHashMap<>(encoder.parameters());
            pooler.parameters().forEach((name, tensor) -> tensors.put("pooler." + name, tensor));
            Checkpoint.write(folder.weights(), tensors);
            Pieces.write(folder.tokenizer(), PIECES);
            Files.writeString(folder.piecesFile(), String.join("\n", PIECES) + "\n");
            Files.writeString(folder.experiment(), """
                    pretrained: .
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
        return folder;
    }
}
