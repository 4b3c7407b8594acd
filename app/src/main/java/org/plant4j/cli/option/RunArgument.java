package org.plant4j.cli.option;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.plant4j.UserError;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.pretrained.PretrainedModels;
import org.plant4j.support.DidYouMean;

/** Opens the run that a command-line argument names: a directory, a packed model, or a pretrained model. */
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
        return PretrainedModels.locate(named).orElseThrow(() -> {
            String what = !Files.exists(named)
                    ? "No such run"
                    : Files.isDirectory(named)
                            ? "This is not a run directory: it has no manifest.json"
                            : "This is a file, not a run directory";
            return new UserError(what, named.toString(), remedy(named));
        });
    }

    /** The directory for the files that belong to a run, such as reviews: its own, or the default one for a packed model. */
    public static Path directoryOf(RunDirectory run) {
        Path parent = run.path().toAbsolutePath().normalize().getParent();
        if (parent != null && !run.has(run.card())) {
            return parent;
        }
        Path runs = Path.of(DEFAULT_RUNS).toAbsolutePath();
        try {
            return Files.createDirectories(runs);
        } catch (IOException e) {
            throw new UserError(
                    "The directory cannot be created", runs.toString(), "change to a directory that can be written", e);
        }
    }

    private static String remedy(Path named) {
        Optional<String> pretrained = DidYouMean.closest(named.toString(), PretrainedModels.names());
        if (pretrained.isPresent()) {
            return "did you mean the pretrained model '" + pretrained.get() + "'?";
        }
        Path parent = named.getParent() == null ? Path.of(DEFAULT_RUNS) : named.getParent();
        List<String> known = Files.isDirectory(parent) ? runsIn(parent) : List.of();
        return known.isEmpty()
                ? "train a model first: plant run linear@demo" + pretrained()
                : DidYouMean.remedy(
                        parent.resolve(String.valueOf(named.getFileName())).toString(), known);
    }

    private static String pretrained() {
        List<String> names = PretrainedModels.names();
        return names.isEmpty() ? "" : "; or use a pretrained model: " + String.join(", ", names);
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
