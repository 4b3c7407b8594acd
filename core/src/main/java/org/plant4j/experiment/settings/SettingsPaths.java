package org.plant4j.experiment.settings;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.plant4j.UserError;

/** Lists the settings that are paths, makes relative ones absolute, and absolute ones portable. */
public final class SettingsPaths {

    /** Options of corpus formats that are paths: published id lists, split files, lists of codes and code files. */
    public static final List<String> CORPUS_OPTIONS = List.of("ids", "splits", "code_list", "code_file");

    private SettingsPaths() {}

    public static boolean isYaml(String name) {
        return name.endsWith(".yaml") || name.endsWith(".yml");
    }

    /** Whether a name is a file, not a name of the library. */
    public static boolean isFile(String name) {
        return isYaml(name) || name.contains("/") || name.contains("\\");
    }

    /** Whether a path names a file system of Spark, such as {@code hdfs://host/corpus}. */
    public static boolean isUri(String path) {
        return path.matches("[a-z][a-z0-9+.-]*://.*");
    }

    /** Resolves the relative paths in a tree against a directory. */
    public static void resolve(ObjectNode tree, Path directory) {
        change(tree, path -> absolute(path, directory));
    }

    /**
     * Makes the paths in a tree independent of this machine: below the directory of the data they start with its variable,
     * and elsewhere only the last name is left.
     */
    public static void makePortable(ObjectNode tree) {
        Path data = Path.of(System.getenv().getOrDefault("PLANT4J_DATA", "data"))
                .toAbsolutePath()
                .normalize();
        change(tree, path -> portable(path, data));
    }

    static String portable(String path, Path data) {
        if (isUri(path)) {
            return path;
        }
        Path file = Path.of(path);
        return file.startsWith(data)
                ? "${PLANT4J_DATA:data}/" + data.relativize(file).toString().replace('\\', '/')
                : String.valueOf(file.getFileName());
    }

    private static void change(ObjectNode tree, UnaryOperator<String> change) {
        corpora(tree).forEach(corpus -> changeCorpus(corpus, change));
        if (tree.path("language_model").path("start") instanceof ObjectNode start) {
            Stream.of("weights", "vocabulary").forEach(key -> changeKey(start, key, change));
        }
        changeKey(tree, "start", change);
        changeKey(tree, "pretrained_encoder", change);
        for (String key : List.of("code_sets", "synonyms")) {
            if (tree.path(key).isTextual()) {
                tree.set(key, tree.arrayNode().add(tree.get(key))); // one file needs no list
            }
            if (tree.get(key) instanceof ArrayNode files) {
                changeItems(files, change);
            }
        }
        if (tree.get("model") instanceof ObjectNode model && model.get("members") instanceof ArrayNode members) {
            changeItems(members, name -> changeExperiment(name, change));
            changeKey(model, "merge", change);
        }
        if (tree.path("model").path("sentences") instanceof ObjectNode sentences) {
            changeKey(sentences, "encoder", change);
        }
        for (JsonNode model : tree.path("models")) { // of a corpus file
            if (model instanceof ObjectNode settings) {
                change(settings, change);
            }
        }
    }

    /** Changes the files in the name of an experiment: {@code model.yaml}, {@code plant@corpus.yaml} or both of two. */
    private static String changeExperiment(String name, UnaryOperator<String> change) {
        int at = name.lastIndexOf('@');
        if (at < 0
                || (isYaml(name) && (exists(name) || exists(change.apply(name))))) { // a file name may contain an '@'
            return isYaml(name) ? change.apply(name) : name;
        }
        return changeExperiment(name.substring(0, at), change) + "@" + changeExperiment(name.substring(at + 1), change);
    }

    private static boolean exists(String path) {
        return Files.exists(resolve(Path.of(""), path));
    }

    /** The well-formed corpora of a tree; binding reports any other. */
    public static List<ObjectNode> corpora(ObjectNode tree) {
        return Stream.concat(
                        Stream.of(tree.path("corpus")),
                        Stream.concat(
                                tree.path("unlabelled").valueStream(),
                                tree.path("translations").valueStream()))
                .filter(ObjectNode.class::isInstance)
                .map(ObjectNode.class::cast)
                .toList();
    }

    private static void changeCorpus(ObjectNode corpus, UnaryOperator<String> change) {
        if (!corpus.has("path") && !corpus.has("format") && corpus.has("train")) {
            corpus.put("path", "."); // the files of the splits are next to the YAML file
        }
        changeKey(corpus, "path", change);
        if (corpus.get("options") instanceof ObjectNode options) {
            CORPUS_OPTIONS.forEach(key -> changeKey(options, key, change));
        }
    }

    private static void changeKey(ObjectNode node, String key, UnaryOperator<String> change) {
        JsonNode value = node.path(key);
        if (isText(value) && !value.asText().isEmpty()) {
            node.put(key, change.apply(value.asText()));
        }
    }

    private static void changeItems(ArrayNode names, UnaryOperator<String> change) {
        for (int i = 0; i < names.size(); i++) {
            if (isText(names.get(i))) {
                names.set(i, change.apply(names.get(i).asText()));
            }
        }
    }

    /** Texts, and what binding reads as a text: a directory may be called 2024. */
    private static boolean isText(JsonNode value) {
        return value.isTextual() || value.isIntegralNumber() || value.isBoolean();
    }

    private static String absolute(String path, Path directory) {
        return isUri(path) ? path : resolve(directory, path).toString();
    }

    /** A path relative to a directory; one that no file can have is an error. */
    public static Path resolve(Path directory, String path) {
        try {
            return directory.resolve(path).normalize();
        } catch (InvalidPathException e) {
            throw new UserError("Not a valid path: " + e.getReason(), path, "use a path without control characters", e);
        }
    }
}
