package org.plant4j.study;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.plant4j.MetricNames;
import org.plant4j.UserError;
import org.plant4j.experiment.CorpusFile;
import org.plant4j.experiment.ExperimentLibrary;
import org.plant4j.experiment.settings.SettingsBinder;
import org.plant4j.experiment.settings.SettingsTree;
import org.plant4j.support.DidYouMean;

/**
 * Reads studies. {@code STUDY@CORPUS} runs a study of the {@link ExperimentLibrary} on a corpus: variants that name a model
 * become experiments on it. A YAML file can also name whole experiments. Settings under {@code set} of the study apply to
 * every variant that does not set them itself. A study can list {@code corpora}: without a corpus it runs on the first whose
 * data is there.
 */
public final class StudyFile {

    /** Of a comparison: those of most papers on ICD coding. */
    private static final ArrayNode DEFAULT_METRICS = JsonNodeFactory.instance
            .arrayNode()
            .add(MetricNames.MACRO_AUC)
            .add(MetricNames.MICRO_AUC)
            .add(MetricNames.MACRO_F1)
            .add(MetricNames.MICRO_F1)
            .add("P@5")
            .add("P@8")
            .add("P@15");

    private StudyFile() {}

    /**
     * Opens {@code STUDY@CORPUS} or a YAML file, which ends in {@code .yaml} or {@code .yml}.
     *
     * @param overrides settings of experiments, which apply to every variant
     */
    public static Study open(String reference, List<String> overrides) {
        int at = reference.lastIndexOf('@');
        boolean isFile = isYaml(reference) && Files.exists(Path.of(reference)); // whose name may contain an '@'
        if (at < 0 || isFile) {
            return open(reference, Optional.empty(), overrides);
        }
        return open(reference.substring(0, at), Optional.of(CorpusFile.open(reference.substring(at + 1))), overrides);
    }

    /** Reads a YAML file. */
    public static Study read(Path file, List<String> overrides) {
        return open(file.toString(), Optional.empty(), overrides);
    }

    private static Study open(String name, Optional<CorpusFile> named, List<String> overrides) {
        boolean isFile = isYaml(name);
        ObjectNode tree = SettingsTree.parse(isFile ? text(Path.of(name)) : packaged(name), name);
        Optional<CorpusFile> corpus = named.or(() -> firstCorpus(tree.remove("corpora")));
        tree.remove("corpora");
        if (corpus.isEmpty() && !isFile) {
            throw new UserError(
                    "The study '" + name + "' needs a corpus",
                    "command line",
                    "add one, for example " + name + "@demo. Corpora: "
                            + String.join(", ", ExperimentLibrary.names(ExperimentLibrary.Kind.CORPORA)));
        }
        String baseName = isFile ? String.valueOf(Path.of(name).getFileName()).replaceAll("\\.ya?ml$", "") : name;
        corpus.ifPresent(on -> tree.setAll(on.study(baseName)));
        if (!tree.has("name")) {
            String suffix = corpus.map(on -> "@" + Path.of(on.reference()).getFileName())
                    .orElse("");
            tree.put("name", baseName.replace('/', '-') + suffix.replaceAll("\\.ya?ml$", ""));
        }
        Path directory = isFile ? Path.of(name).toAbsolutePath().resolveSibling("") : Path.of("");
        return bind(tree, directory, corpus, name, overrides);
    }

    private static boolean isYaml(String name) {
        return name.endsWith(".yaml") || name.endsWith(".yml");
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (NoSuchFileException e) {
            throw new UserError(
                    "The study file does not exist",
                    file.toString(),
                    "check the path; studies of the library are named without .yaml",
                    e);
        } catch (IOException e) {
            throw new UserError("The file cannot be read", file.toString(), "it must be a UTF-8 text file", e);
        }
    }

    /** The first corpus whose data is there, or else the last. */
    private static Optional<CorpusFile> firstCorpus(@Nullable JsonNode names) {
        CorpusFile last = null;
        for (JsonNode name : names == null ? JsonNodeFactory.instance.arrayNode() : names) {
            last = CorpusFile.open(name.asText());
            if (last.exists()) {
                break;
            }
        }
        return Optional.ofNullable(last);
    }

    private static String packaged(String name) {
        return ExperimentLibrary.text(ExperimentLibrary.Kind.STUDIES, name)
                .orElseThrow(() -> new UserError(
                        "Unknown study '" + name + "'",
                        "command line",
                        DidYouMean.remedy(name, ExperimentLibrary.names(ExperimentLibrary.Kind.STUDIES))
                                + " (or give the path of a YAML file, ending in .yaml)"));
    }

    private static Study bind(
            ObjectNode tree, Path directory, Optional<CorpusFile> corpus, String where, List<String> overrides) {
        ObjectNode shared = settings(tree.remove("set"), "set", where);
        overrides.stream()
                .map(SettingsTree.SettingsOverride::parse)
                .forEach(override -> shared.set(override.path(), override.value()));
        if (tree.get("variants") instanceof ObjectNode variants) {
            for (Map.Entry<String, JsonNode> entry : variants.properties()) {
                entry.setValue(variant(entry.getValue(), shared, directory, corpus, where));
            }
        }
        tree.putIfAbsent("sizes", tree.arrayNode().add(0));
        tree.putIfAbsent("split", tree.nullNode());
        tree.putIfAbsent("codes", tree.arrayNode());
        tree.putIfAbsent("metrics", DEFAULT_METRICS.deepCopy());
        tree.putIfAbsent("groups", tree.arrayNode().add(LabelGroup.ALL));
        tree.putIfAbsent("removed_labels", tree.arrayNode().add(0).add(2).add(9)); // as the paper's table 4
        return SettingsBinder.bind(tree, Study.class, where, List.of("set"));
    }

    /** Expands the short form of a variant, which is only the name of an experiment. */
    private static JsonNode variant(
            JsonNode written, ObjectNode shared, Path directory, Optional<CorpusFile> corpus, String where) {
        ObjectNode variant = shared.objectNode();
        if (written instanceof ObjectNode settings) {
            variant.setAll(settings);
        } else {
            variant.set("experiment", written);
        }
        String experiment = variant.path("experiment").asText("");
        if (isYaml(experiment) && !experiment.contains("@")) {
            variant.put("experiment", directory.resolve(experiment).normalize().toString());
        } else if (corpus.isPresent() && !experiment.isEmpty() && !experiment.contains("@")) {
            CorpusFile on = corpus.get();
            variant.put("experiment", on.substitute(experiment) + "@" + on.reference());
        }
        ObjectNode set = shared.deepCopy();
        set.setAll(settings(variant.get("set"), "set of variant " + experiment, where));
        variant.set("set", set);
        variant.putIfAbsent("factors", variant.objectNode());
        return variant;
    }

    private static ObjectNode settings(@Nullable JsonNode node, String key, String where) {
        if (node == null || node.isNull()) {
            return JsonNodeFactory.instance.objectNode();
        }
        if (node instanceof ObjectNode settings) {
            return settings;
        }
        throw new UserError(
                "Setting '" + key + "': its value does not fit", where, "list settings, such as training.epochs: 5");
    }
}
