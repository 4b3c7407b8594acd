package org.plant4j.experiment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The experiments and studies of the repository, with made-up encoders in place of those that a user imports. */
public final class RepositoryExperiments {

    private static final Path FOLDER = Path.of("..", "experiments");
    private static final Pattern ENCODER = Pattern.compile("\\.\\./\\.\\./(encoders/[\\w-]+)/encoder\\.yaml");

    private RepositoryExperiments() {}

    /** Copies them; returns their folder there. */
    public static Path copyTo(Path folder) throws IOException {
        Path copy = folder.resolve("experiments");
        List<Path> found;
        try (Stream<Path> files = Files.walk(FOLDER)) {
            found = files.filter(Files::isRegularFile).toList();
        }
        for (Path file : found) {
            Path target = copy.resolve(FOLDER.relativize(file).toString());
            Files.createDirectories(target.getParent());
            String text = Files.readString(file);
            Files.writeString(target, text);
            Matcher encoder = ENCODER.matcher(text);
            while (encoder.find()) {
                Path fragment = folder.resolve(encoder.group(1)).resolve("encoder.yaml");
                Files.createDirectories(fragment.getParent());
                Files.writeString(fragment, MADE_UP);
            }
        }
        return copy;
    }

    private static final String MADE_UP = """
            pretrained: .
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
            """;
}
