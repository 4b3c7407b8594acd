package org.plant4j.cli.option;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.plant4j.UserError;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.support.DidYouMean;

/** Opens the run directory that a command-line argument names. */
public final class RunArgument {

    public static final String DEFAULT_RUNS = "runs";

    private RunArgument() {}

    /** Opens a run after checking that no file is damaged; training may be unfinished. */
    public static RunDirectory open(Path named) {
        return RunDirectory.open(locate(named).path());
    }

    /** Like {@link #open}, but ignores a missing or damaged report. */
    public static RunDirectory openExceptReport(Path named) {
        return RunDirectory.openExceptReport(locate(named).path());
    }

    /** Requires a directory with a manifest, but does not check its files, for commands that load its model, which does. */
    public static RunDirectory locate(Path named) {
        RunDirectory directory = new RunDirectory(named);
        if (!Files.exists(named)) {
            throw new UserError("No such run", named.toString(), remedy(named));
        }
        if (!Files.isDirectory(named)) {
            throw new UserError("This is a file, not a run directory", named.toString(), remedy(named));
        }
        if (!Files.exists(directory.manifest())) {
            throw new UserError(
                    "This is not a run directory: it has no "
                            + directory.manifest().getFileName(),
                    named.toString(),
                    remedy(named));
        }
        return directory;
    }

    private static String remedy(Path named) {
        Path parent = named.getParent() == null ? Path.of(DEFAULT_RUNS) : named.getParent();
        List<String> known = Files.isDirectory(parent) ? runsIn(parent) : List.of();
        return known.isEmpty()
                ? "train a model first: plant run linear@demo"
                : DidYouMean.remedy(
                        parent.resolve(String.valueOf(named.getFileName())).toString(), known);
    }

    private static List<String> runsIn(Path directory) {
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.filter(each -> Files.exists(new RunDirectory(each).manifest()))
                    .map(Path::toString)
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
