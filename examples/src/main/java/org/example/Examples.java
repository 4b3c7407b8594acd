package org.example;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Runs the three examples one after the other on a tiny corpus, in less than a minute. */
public final class Examples {

    private Examples() {}

    /** Writes to the given run directory, or to a temporary one. */
    public static void main(String[] arguments) throws IOException {
        Path run = arguments.length > 0
                ? Path.of(arguments[0])
                : Files.createTempDirectory("plant4j").resolve("example");
        TrainModel.main(run.toString());
        CodeNote.main(run.toString(), "Infiltrate in the right lower lobe: pneumonia. Type 2 diabetes, on metformin.");
        EvaluateCodes.main();
    }
}
