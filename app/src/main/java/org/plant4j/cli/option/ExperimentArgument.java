package org.plant4j.cli.option;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.plant4j.experiment.Experiment;
import org.plant4j.experiment.ExperimentFile;
import org.plant4j.support.UserError;

/** Opens the experiment that a command-line argument names: a YAML file, or a packaged experiment. */
public final class ExperimentArgument {

    private ExperimentArgument() {}

    public static Experiment read(String named, List<String> overrides) {
        return isPath(named) ? ExperimentFile.read(Path.of(named), overrides) : ExperimentFile.open(named, overrides);
    }

    /** For commands that need only the model: also accepts a packaged model without a corpus. */
    public static Experiment readModel(String named, List<String> overrides) {
        isPath(named);
        return ExperimentFile.openModel(named, overrides);
    }

    private static boolean isPath(String named) {
        boolean isPath = named.contains("/") || named.contains("\\");
        if (isPath && Files.isDirectory(Path.of(named))) {
            throw new UserError(
                    "This is a directory, not an experiment",
                    named,
                    "name a YAML file; the settings of a run are in its experiment.yaml");
        }
        return isPath;
    }
}
