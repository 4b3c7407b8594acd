package org.plant4j.experiment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes the settings of an imported encoder without its weights: enough to read experiments. */
public final class EncoderSizes {

    private EncoderSizes() {}

    /** Returns the override with which an experiment uses the encoder. */
    public static String write(Path directory) throws IOException {
        Files.createDirectories(directory);
        Files.writeString(directory.resolve("encoder.yaml"), """
                pretrained_encoder: .
                model:
                  encoder:
                    type: bert
                    layers: 2
                    hidden: 12
                    heads: 2
                    intermediate: 24
                    positions: 512
                    position_offset: 0
                    types: 2
                    epsilon: 1.0e-12
                    begin: 2
                    end: 3
                    mask: 4
                """);
        return "pretrained_encoder=" + directory;
    }
}
