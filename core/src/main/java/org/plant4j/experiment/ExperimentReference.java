package org.plant4j.experiment;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.plant4j.experiment.settings.SettingsPaths;

/**
 * How a user names an experiment: {@code MODEL@CORPUS} or a YAML file. Model and corpus are names of the
 * {@link ExperimentLibrary} or YAML files: {@code plant@codiesp-d}, {@code plant@my-corpus.yaml}.
 *
 * @param model the model, or the whole experiment if there is no corpus
 */
record ExperimentReference(String model, Optional<String> corpus) {

    static ExperimentReference parse(String text) {
        int at = text.lastIndexOf('@');
        boolean isFile = SettingsPaths.isFile(text)
                && Files.exists(SettingsPaths.resolve(Path.of(""), text)); // whose name may contain an '@'
        return at < 0 || isFile
                ? new ExperimentReference(text, Optional.empty())
                : new ExperimentReference(text.substring(0, at), Optional.of(text.substring(at + 1)));
    }

    /** A name for runs: without directories and file endings. */
    String runName() {
        return baseName(model) + corpus.map(name -> "@" + baseName(name)).orElse("");
    }

    /** {@code plant} of {@code plant} and of {@code models/plant.yaml}. */
    static String baseName(String name) {
        return SettingsPaths.isYaml(name)
                ? String.valueOf(Path.of(name).getFileName()).replaceAll("\\.ya?ml$", "")
                : name;
    }
}
