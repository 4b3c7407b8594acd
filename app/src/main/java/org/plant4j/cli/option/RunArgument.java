package org.plant4j.cli.option;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.support.DidYouMean;
import org.plant4j.support.UserError;

/** A run as the command line names it: its folder. */
public final class RunArgument {

    public static final String DEFAULT_RUNS = "runs";

    private RunArgument() {}

    /** The folder of a run that has at least begun. */
    public static RunDirectory open(Path named) {
        RunDirectory folder = new RunDirectory(named);
        if (!Files.exists(named)) {
            throw new UserError("There is no such run", named.toString(), remedy(named));
        }
        if (!Files.isDirectory(named)) {
            throw new UserError("This is a file, not the folder of a run", named.toString(), remedy(named));
        }
        if (!Files.exists(folder.manifest())) {
            throw new UserError(
                    "This is not the folder of a run: it has no "
                            + folder.manifest().getFileName(),
                    named.toString(),
                    remedy(named));
        }
        return folder;
    }

    private static String remedy(Path named) {
        Path parent = named.getParent() == null ? Path.of(DEFAULT_RUNS) : named.getParent();
        List<String> known = Files.isDirectory(parent) ? runsIn(parent) : List.of();
        return known.isEmpty()
                ? "make one first: plant run demo-linear"
                : DidYouMean.remedy(
                        parent.resolve(String.valueOf(named.getFileName())).toString(), known);
    }

    private static List<String> runsIn(Path folder) {
        try (Stream<Path> inside = Files.list(folder)) {
            return inside.filter(each -> Files.exists(new RunDirectory(each).manifest()))
                    .map(Path::toString)
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
