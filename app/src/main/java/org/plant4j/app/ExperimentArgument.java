package org.plant4j.app;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.plant4j.UserError;
import org.plant4j.experiment.Experiment;
import org.plant4j.experiment.ExperimentFile;

/** An experiment as the command line names it: a YAML file, or a packaged one by its name. */
final class ExperimentArgument {

    private ExperimentArgument() {}

    static Experiment read(String named, List<String> overrides) {
        return isPath(named) ? ExperimentFile.read(Path.of(named), overrides) : ExperimentFile.open(named, overrides);
    }

    /** Where the model alone is wanted, a packaged one will do. */
    static Experiment readModel(String named, List<String> overrides) {
        isPath(named);
        return ExperimentFile.openModel(named, overrides);
    }

    private static boolean isPath(String named) {
        boolean isPath = named.contains("/") || named.contains("\\");
        if (isPath && Files.isDirectory(Path.of(named))) {
            throw new UserError(
                    "This is a folder, not an experiment",
                    named,
                    "name a YAML file; the settings of a run lie in its experiment.yaml");
        }
        return isPath;
    }
}
