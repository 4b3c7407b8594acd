package org.plant4j.experiment;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.plant4j.UserError;
import org.plant4j.experiment.settings.SettingsPaths;
import org.plant4j.support.DidYouMean;

/**
 * A corpus file: the locations of the documents and code sets of experiments. Under {@code models} it has the settings
 * chosen for models on this corpus, under {@code studies} those of studies, and under {@code substitutes} models that studies
 * run instead of others. A corpus file can extend another one.
 */
public final class CorpusFile {

    private static final List<String> KEYS = List.of(
            "corpus", "code_sets", "synonyms", "unlabelled", "translations", "models", "studies", "substitutes");
    private static final List<String> DATA = KEYS.subList(0, 5);
    private static final List<String> SECTIONS = KEYS.subList(5, 7);

    private final String reference;
    private final ObjectNode tree;

    private CorpusFile(String reference, ObjectNode tree) {
        this.reference = reference;
        this.tree = tree;
    }

    /** Opens a corpus of the library by its name, or a YAML file by its path. */
    public static CorpusFile open(String name) {
        return open(name, Path.of("").toAbsolutePath(), "command line", new ExtendsChain());
    }

    static CorpusFile open(String name, Path directory, String referrer, ExtendsChain chain) {
        ObjectNode tree = SettingsLoader.corpora(chain).load(name, directory, referrer);
        for (String key : (Iterable<String>) tree::fieldNames) {
            if (!KEYS.contains(key)) {
                throw new UserError(
                        "A corpus file has no setting '" + key + "'",
                        name,
                        DidYouMean.remedy(key, KEYS) + " (settings of models belong under `models: MODEL:`)");
            }
        }
        if (!tree.has("corpus")) {
            throw new UserError("The corpus file has no `corpus`", name, "add `corpus: {format: …, path: …}`");
        }
        requireSection("substitutes", tree.path("substitutes"), name);
        for (String key : SECTIONS) {
            requireSection(key, tree.path(key), name);
            tree.path(key)
                    .properties()
                    .forEach(entry -> requireSection(key + "." + entry.getKey(), entry.getValue(), name));
        }
        String reference =
                SettingsPaths.isYaml(name) ? directory.resolve(name).normalize().toString() : name;
        return new CorpusFile(reference, tree);
    }

    private static void requireSection(String key, JsonNode value, String where) {
        if (!value.isObject() && !value.isNull() && !value.isMissingNode()) {
            throw new UserError(
                    "Setting '" + key + "': its value does not fit",
                    where,
                    "use a section of settings, indented below it");
        }
    }

    /** The name of this corpus in {@code MODEL@CORPUS}, independent of the working directory. */
    public String reference() {
        return reference;
    }

    /** Settings of models, by model name. */
    ObjectNode models() {
        return section("models");
    }

    /** Settings of a study that replace its own, such as {@code sizes}. */
    public ObjectNode study(String name) {
        return section("studies").get(name) instanceof ObjectNode study ? study : tree.objectNode();
    }

    private ObjectNode section(String name) {
        return tree.get(name) instanceof ObjectNode section ? section : tree.objectNode();
    }

    /** The model that a study runs on this corpus instead of one that suits small corpora. */
    public String substitute(String model) {
        return section("substitutes").path(model).asText(model);
    }

    /** Whether the data is there, as far as its path tells; generated corpora have none. */
    public boolean exists() {
        String path = tree.path("corpus").path("path").asText("");
        return path.isEmpty() || Files.exists(Path.of(path));
    }

    /** Replaces the data of an experiment by this corpus. */
    void copyDataTo(ObjectNode experiment) {
        for (Map.Entry<String, JsonNode> entry : tree.properties()) {
            if (DATA.contains(entry.getKey())) {
                experiment.set(entry.getKey(), entry.getValue().deepCopy());
            }
        }
    }
}
