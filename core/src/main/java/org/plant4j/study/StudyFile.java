package org.plant4j.study;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.plant4j.experiment.ExperimentFile;
import org.plant4j.experiment.ExperimentLibrary;
import org.plant4j.experiment.SettingsBinder;
import org.plant4j.support.DidYouMean;
import org.plant4j.support.UserError;

/**
 * Reads studies from YAML. A variant is an experiment, or an experiment with settings that override it; paths are relative
 * to the study file. Settings under the study's {@code set} apply to all variants that do not override them.
 */
public final class StudyFile {

    private StudyFile() {}

    /** Opens a {@code .yaml} or {@code .yml} file, or a packaged study by name. */
    public static Study open(String named, List<String> overrides) {
        return named.endsWith(".yaml") || named.endsWith(".yml")
                ? read(Path.of(named), overrides)
                : packaged(named, overrides);
    }

    /** Reads a file. Overrides are experiment settings and apply to all variants. */
    public static Study read(Path file, List<String> overrides) {
        try {
            return bind(Files.readString(file), file.toAbsolutePath().resolveSibling(""), file.toString(), overrides);
        } catch (NoSuchFileException e) {
            throw new UserError(
                    "Study file not found",
                    file.toString(),
                    "check the path; packaged studies have no file extension",
                    e);
        } catch (IOException e) {
            throw new UserError("Cannot read the study file", file.toString(), "make sure that it is UTF-8 text", e);
        }
    }

    private static Study packaged(String name, List<String> overrides) {
        String text = ExperimentLibrary.text(ExperimentLibrary.Kind.STUDIES, name)
                .orElseThrow(() -> new UserError(
                        "Unknown study '" + name + "'",
                        "the command line",
                        DidYouMean.remedy(name, ExperimentLibrary.names(ExperimentLibrary.Kind.STUDIES))
                                + "; the name of your own study file must end in .yaml"));
        return bind(text, null, "packaged study " + name, overrides);
    }

    private static Study bind(String text, @Nullable Path directory, String where, List<String> overrides) {
        ObjectNode tree = ExperimentFile.parse(text, where);
        ObjectNode shared = tree.remove("set") instanceof ObjectNode settings ? settings : tree.objectNode();
        overrides.forEach(override -> set(shared, override));
        if (tree.get("variants") instanceof ObjectNode variants) {
            for (Map.Entry<String, JsonNode> entry : variants.properties()) {
                entry.setValue(variant(entry.getValue(), shared, directory));
            }
        }
        tree.putIfAbsent("sizes", tree.arrayNode().add(0));
        tree.putIfAbsent("split", tree.nullNode());
        tree.putIfAbsent("codes", tree.arrayNode());
        tree.putIfAbsent("removed_labels", tree.arrayNode().add(0).add(2).add(9)); // as in table 4 of the paper
        return SettingsBinder.bind(tree, Study.class, where);
    }

    private static void set(ObjectNode shared, String override) {
        int equals = override.indexOf('=');
        if (equals < 1 || override.substring(equals + 1).isBlank()) {
            throw new UserError("Invalid override '" + override + "'", "--set", "use the form key=value, such as training.epochs=5");
        }
        String yaml = "value: " + override.substring(equals + 1);
        shared.set(
                override.substring(0, equals),
                ExperimentFile.parse(yaml, "--set " + override).get("value"));
    }

    /** The full form of a variant, with the shared settings. */
    private static JsonNode variant(JsonNode written, ObjectNode shared, @Nullable Path directory) {
        ObjectNode variant = shared.objectNode();
        if (written instanceof ObjectNode settings) {
            variant.setAll(settings);
        } else {
            variant.set("experiment", written);
        }
        String experiment = variant.path("experiment").asText("");
        if (directory != null && (experiment.endsWith(".yaml") || experiment.endsWith(".yml"))) {
            variant.put("experiment", directory.resolve(experiment).normalize().toString());
        }
        ObjectNode set = shared.deepCopy();
        if (variant.get("set") instanceof ObjectNode own) {
            set.setAll(own);
        }
        variant.set("set", set);
        variant.putIfAbsent("factors", variant.objectNode());
        return variant;
    }
}
