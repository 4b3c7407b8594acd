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
 * Reads a study from YAML. A variant is the name of an experiment, or that and settings of its own; files are meant from
 * the study's folder. Settings under {@code set} of the study hold for every variant that does not set them itself.
 */
public final class StudyFile {

    private StudyFile() {}

    /** A file that ends in {@code .yaml} or {@code .yml}, or a packaged study by its name. */
    public static Study open(String named, List<String> overrides) {
        return named.endsWith(".yaml") || named.endsWith(".yml")
                ? read(Path.of(named), overrides)
                : packaged(named, overrides);
    }

    /** Overrides are settings of experiments, and hold for every variant. */
    public static Study read(Path file, List<String> overrides) {
        try {
            return bind(Files.readString(file), file.toAbsolutePath().resolveSibling(""), file.toString(), overrides);
        } catch (NoSuchFileException e) {
            throw new UserError(
                    "There is no such study file",
                    file.toString(),
                    "check the path; packaged ones go by name alone",
                    e);
        } catch (IOException e) {
            throw new UserError("The study file cannot be read", file.toString(), "it must be UTF-8 text", e);
        }
    }

    private static Study packaged(String name, List<String> overrides) {
        String text = ExperimentLibrary.text(ExperimentLibrary.Kind.STUDIES, name)
                .orElseThrow(() -> new UserError(
                        "There is no study '" + name + "'",
                        "the command line",
                        DidYouMean.remedy(name, ExperimentLibrary.names(ExperimentLibrary.Kind.STUDIES))
                                + " — a file of your own ends in .yaml"));
        return bind(text, null, "packaged study " + name, overrides);
    }

    private static Study bind(String text, @Nullable Path folder, String where, List<String> overrides) {
        ObjectNode tree = ExperimentFile.parse(text, where);
        ObjectNode shared = tree.remove("set") instanceof ObjectNode settings ? settings : tree.objectNode();
        overrides.forEach(override -> set(shared, override));
        if (tree.get("variants") instanceof ObjectNode variants) {
            for (Map.Entry<String, JsonNode> entry : variants.properties()) {
                entry.setValue(variant(entry.getValue(), shared, folder));
            }
        }
        tree.putIfAbsent("sizes", tree.arrayNode().add(0));
        tree.putIfAbsent("part", tree.nullNode());
        tree.putIfAbsent("codes", tree.arrayNode());
        tree.putIfAbsent("removed", tree.arrayNode().add(0).add(2).add(9)); // as the paper's table 4
        return SettingsBinder.bind(tree, Study.class, where);
    }

    private static void set(ObjectNode shared, String override) {
        int equals = override.indexOf('=');
        if (equals < 1 || override.substring(equals + 1).isBlank()) {
            throw new UserError("'" + override + "' sets nothing", "--set", "write it as training.epochs=5");
        }
        String yaml = "value: " + override.substring(equals + 1);
        shared.set(
                override.substring(0, equals),
                ExperimentFile.parse(yaml, "--set " + override).get("value"));
    }

    /** The long form of what may be written short. */
    private static JsonNode variant(JsonNode written, ObjectNode shared, @Nullable Path folder) {
        ObjectNode variant = shared.objectNode();
        if (written instanceof ObjectNode settings) {
            variant.setAll(settings);
        } else {
            variant.set("experiment", written);
        }
        String experiment = variant.path("experiment").asText("");
        if (folder != null && (experiment.endsWith(".yaml") || experiment.endsWith(".yml"))) {
            variant.put("experiment", folder.resolve(experiment).normalize().toString());
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
