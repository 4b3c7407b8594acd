package org.plant4j.cli.option;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.plant4j.UserError;
import org.plant4j.experiment.Experiment;
import org.plant4j.experiment.ExperimentFile;

/** Opens the experiment that a command-line argument names: {@code MODEL@CORPUS} or a YAML file. */
public final class ExperimentArgument {

    private ExperimentArgument() {}

    public static Experiment read(String named, List<String> overrides) {
        checkIsNoDirectory(named);
        return ExperimentFile.open(named, overrides);
    }

    /** {@code notice} receives the reason for the model that {@code auto} chose. */
    public static Experiment read(String named, List<String> overrides, Consumer<String> notice) {
        checkIsNoDirectory(named);
        return ExperimentFile.open(named, overrides, notice);
    }

    /** For commands that need only the model: also accepts a model without a corpus. */
    public static Experiment readModel(String named, List<String> overrides) {
        checkIsNoDirectory(named);
        return ExperimentFile.openModel(named, overrides);
    }

    private static void checkIsNoDirectory(String named) {
        if ((named.contains("/") || named.contains("\\")) && Files.isDirectory(Path.of(named))) {
            throw new UserError(
                    "This is a directory, not an experiment",
                    named,
                    "name a YAML file; the settings of a run are in its experiment.yaml");
        }
    }
}
