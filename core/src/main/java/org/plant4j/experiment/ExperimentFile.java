package org.plant4j.experiment;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.plant4j.experiment.ExperimentLibrary.Kind;
import org.plant4j.support.DidYouMean;
import org.plant4j.support.UserError;

/**
 * Reads an experiment from YAML. A file {@code extends} others, by path or by the name of a packaged one, and says only
 * what differs; {@code ${NAME}} and {@code ${NAME:otherwise}} stand for environment variables; relative paths are meant
 * from the file's own folder.
 */
public final class ExperimentFile {

    private static final Pattern VARIABLE = Pattern.compile("\\$\\{([A-Za-z_][A-Za-z0-9_]*)(?::([^}]*))?}");

    /** MIMIC's published id lists, split files and lists of codes are paths too. */
    public static final List<String> PATH_OPTIONS = List.of("ids", "splits", "code_list");

    static final ObjectMapper YAML = YAMLMapper.builder(new YAMLFactory()
                    .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
                    .disable(YAMLGenerator.Feature.USE_NATIVE_TYPE_ID) // `type: laat`, as people write it
                    .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES))
            .addModule(new Jdk8Module())
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .enable(MapperFeature.ACCEPT_CASE_INSENSITIVE_ENUMS)
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    /** How word vectors are learned where nothing is said. */
    private static final String PPMI = "ppmi";

    private static final String COMMAND_LINE = "the command line";

    private ExperimentFile() {}

    /** A file by its path, which ends in {@code .yaml} or {@code .yml}, or a packaged experiment by its name. */
    public static Experiment open(String named, List<String> overrides) {
        return isFile(named) ? read(Path.of(named), overrides) : packaged(named, overrides);
    }

    private static boolean isFile(String named) {
        return named.endsWith(".yaml") || named.endsWith(".yml");
    }

    /** The file with what it extends, then the overrides, each {@code path.to.key=value}. */
    public static Experiment read(Path file, List<String> overrides) {
        ObjectNode tree = load(file, new HashSet<>());
        return bind(tree, file.toString(), overrides);
    }

    /** A packaged experiment such as {@code demo-laat}. */
    public static Experiment packaged(String name, List<String> overrides) {
        return bind(packaged(name, COMMAND_LINE, new HashSet<>()), "packaged experiment " + name, overrides);
    }

    /**
     * An experiment of which the model is wanted and how it learns, not what it reads: a packaged model will do. A
     * pretrained encoder that is not named has the sizes of multilingual BERT.
     */
    public static Experiment openModel(String named, List<String> overrides) {
        ObjectNode tree =
                isFile(named) ? load(Path.of(named), new HashSet<>()) : packaged(named, COMMAND_LINE, new HashSet<>());
        if (tree.at("/model/encoder/type").asText().equals("bert") && !tree.hasNonNull("pretrained")) {
            ObjectNode sizes = packaged("bert-base", named, new HashSet<>());
            merge(sizes, tree);
            tree = sizes;
        }
        tree.putIfAbsent("name", TextNode.valueOf("model"));
        tree.putIfAbsent("corpus", tree.objectNode().put("format", "demo"));
        return bind(tree, named, overrides);
    }

    /** The whole experiment as YAML, nothing left to extend. */
    public static String toYaml(Experiment experiment) {
        try {
            return YAML.writeValueAsString(experiment);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Experiment bind(ObjectNode tree, String where, List<String> overrides) {
        overrides.forEach(override -> set(tree, override));
        resolve(tree, Path.of("").toAbsolutePath()); // what is relative still was set on the command line
        complete(tree);
        return SettingsBinder.bind(tree, Experiment.class, where);
    }

    /** What may be left out is put in as empty: everything else that is missing is an error. */
    private static void complete(ObjectNode tree) {
        List.of("pretrained", "vectors", "lm", "mlm", "relevance", "rank")
                .forEach(section -> tree.putIfAbsent(section, tree.nullNode()));
        if (tree.get("vectors") instanceof ObjectNode vectors) {
            vectors.putIfAbsent("method", TextNode.valueOf(PPMI));
        }
        if (tree.get("lm") instanceof ObjectNode lm) {
            lm.putIfAbsent("start", lm.nullNode());
        }
        if (tree.get("text") instanceof ObjectNode text) {
            text.putIfAbsent("passages", IntNode.valueOf(0)); // runs of before there were any do not say it
        }
        corpora(tree).forEach(corpus -> {
            completeWith(corpus, "path", TextNode.valueOf(""));
            List.of("train", "dev", "test").forEach(part -> completeWith(corpus, part, corpus.arrayNode()));
            completeWith(corpus, "options", corpus.objectNode());
        });
    }

    private static void completeWith(ObjectNode corpus, String key, JsonNode nothing) {
        if (!corpus.hasNonNull(key)) {
            corpus.set(key, nothing);
        }
    }

    /** The corpora that the tree names; what is none there is told when the tree is bound. */
    private static List<ObjectNode> corpora(ObjectNode tree) {
        return Stream.concat(
                        Stream.of(tree.path("corpus")), tree.path("unlabelled").valueStream())
                .filter(ObjectNode.class::isInstance)
                .map(ObjectNode.class::cast)
                .toList();
    }

    /** An encoder's own file comes with its import, so that a fresh clone has none. */
    private static UserError missing(Path file, NoSuchFileException e) {
        boolean encoder = file.endsWith("encoder.yaml");
        return new UserError(
                encoder ? "The pretrained encoder is not there" : "There is no such experiment file",
                file.toString(),
                encoder
                        ? "import it: plant encoder import SOURCE --output " + file.getParent() + " (docs/encoders.md)"
                        : "check the path; packaged ones go by name alone",
                e);
    }

    private static ObjectNode load(Path file, Set<String> open) {
        String text;
        try {
            text = Files.readString(file);
        } catch (NoSuchFileException e) {
            throw missing(file.normalize(), e);
        } catch (IOException e) {
            throw new UserError("The experiment file cannot be read", file.toString(), "it must be UTF-8 text", e);
        }
        Path folder = file.toAbsolutePath().resolveSibling("");
        ObjectNode own = parse(text, file.toString());
        resolve(own, folder);
        return extend(own, file.toAbsolutePath().normalize().toString(), folder, open);
    }

    private static ObjectNode packaged(String name, String from, Set<String> open) {
        String text = ExperimentLibrary.text(Kind.MODELS, name)
                .or(() -> ExperimentLibrary.text(Kind.FRAGMENTS, name))
                .orElseThrow(() -> new UserError(
                        "There is no experiment '" + name + "'",
                        from,
                        DidYouMean.remedy(name, ExperimentLibrary.names(Kind.MODELS))
                                + " — a file of your own is named with its path, ending in .yaml"));
        return extend(parse(text, name), name, null, open);
    }

    /** YAML with its environment variables filled in. */
    public static ObjectNode parse(String text, String where) {
        try {
            JsonNode node = YAML.readTree(text);
            if (!(node instanceof ObjectNode object)) {
                throw new UserError("The file holds no settings", where, "begin with `extends: laat` and a name");
            }
            return variables(object, where);
        } catch (JsonProcessingException e) {
            String line = e.getLocation() == null ? "" : ":" + e.getLocation().getLineNr();
            throw new UserError(
                    "This is not YAML: "
                            + e.getOriginalMessage().lines().findFirst().orElse(""),
                    where + line,
                    "mend the line; keys and values are parted by ': '",
                    e);
        }
    }

    /** Lays a file over what it extends, the later of several over the earlier: objects merge key by key. */
    private static ObjectNode extend(ObjectNode own, String id, @Nullable Path folder, Set<String> open) {
        if (!open.add(id)) {
            throw new UserError("The file extends itself, by a circle", id, "break the circle of `extends`");
        }
        List<String> parents = new ArrayList<>();
        JsonNode named = own.remove("extends");
        if (named != null && named.isArray()) {
            named.forEach(parent -> parents.add(parent.asText()));
        } else if (named != null) {
            parents.add(named.asText());
        }
        ObjectNode below = YAML.createObjectNode();
        for (String parent : parents) {
            merge(
                    below,
                    isFile(parent) && folder != null ? load(folder.resolve(parent), open) : packaged(parent, id, open));
        }
        merge(below, own);
        open.remove(id);
        return below;
    }

    private static void merge(ObjectNode below, ObjectNode above) {
        // Another model's sizes mean nothing here: a new type starts from a clean sheet. So does a new method of
        // vectors.
        JsonNode type = above.path("type");
        boolean otherType =
                !type.isMissingNode() && below.has("type") && !below.get("type").equals(type);
        boolean otherMethod = above.has("method")
                && !below.path("method")
                        .asText("ppmi")
                        .equals(above.get("method").asText());
        if (otherType || otherMethod) {
            below.removeAll();
        }
        for (Map.Entry<String, JsonNode> entry : above.properties()) {
            JsonNode old = below.get(entry.getKey());
            if (old instanceof ObjectNode oldObject && entry.getValue() instanceof ObjectNode newObject) {
                merge(oldObject, newObject);
            } else {
                below.set(entry.getKey(), entry.getValue());
            }
        }
    }

    /** Paths that the file itself names become absolute. */
    private static void resolve(ObjectNode own, Path folder) {
        corpora(own).forEach(corpus -> resolvePath(corpus, folder));
        if (own.path("lm").path("start") instanceof ObjectNode start) {
            List.of("weights", "vocabulary").stream()
                    .filter(start::hasNonNull)
                    .forEach(key -> start.put(key, absolute(start.get(key).asText(), folder)));
        }
        if (own.path("pretrained").isTextual()) {
            own.put("pretrained", absolute(own.get("pretrained").asText(), folder));
        }
        if (own.get("codebooks") instanceof ArrayNode books) {
            resolve(books, folder, book -> true);
        }
        if (own.path("model").get("members") instanceof ArrayNode members) {
            resolve(members, folder, ExperimentFile::isFile);
        }
    }

    private static void resolve(ArrayNode names, Path folder, Predicate<String> isPath) {
        for (int i = 0; i < names.size(); i++) {
            if (names.get(i).isTextual() && isPath.test(names.get(i).asText())) {
                names.set(i, absolute(names.get(i).asText(), folder));
            }
        }
    }

    private static void resolvePath(ObjectNode corpus, Path folder) {
        String path = corpus.path("path").asText("");
        if (!path.isEmpty()) {
            corpus.put("path", absolute(path, folder));
        }
        if (corpus.get("options") instanceof ObjectNode options) {
            PATH_OPTIONS.stream()
                    .filter(options::hasNonNull)
                    .forEach(key -> options.put(key, absolute(options.get(key).asText(), folder)));
        }
    }

    private static String absolute(String path, Path folder) {
        return folder.resolve(path).normalize().toString();
    }

    private static ObjectNode variables(ObjectNode node, String where) {
        for (Map.Entry<String, JsonNode> entry : node.properties()) {
            entry.setValue(filled(entry.getValue(), where));
        }
        return node;
    }

    private static JsonNode filled(JsonNode value, String where) {
        if (value instanceof ObjectNode object) {
            return variables(object, where);
        }
        if (value.isArray()) {
            var filled = YAML.createArrayNode();
            value.forEach(item -> filled.add(filled(item, where)));
            return filled;
        }
        return value.isTextual() ? TextNode.valueOf(fill(value.asText(), where)) : value;
    }

    private static String fill(String text, String where) {
        return VARIABLE.matcher(text).replaceAll(match -> {
            String value = System.getenv(match.group(1));
            if (value == null && match.group(2) == null) {
                throw new UserError(
                        "The environment variable " + match.group(1) + " is not set",
                        where,
                        "set it: export " + match.group(1) + "=/path/to/it");
            }
            return Matcher.quoteReplacement(value == null ? match.group(2) : value);
        });
    }

    private static void set(ObjectNode tree, String override) {
        int equals = override.indexOf('=');
        if (equals < 1 || override.substring(equals + 1).isBlank()) {
            throw new UserError("'" + override + "' sets nothing", "--set", "write it as training.epochs=5");
        }
        String[] keys = override.substring(0, equals).split("\\.", -1);
        ObjectNode node = tree;
        for (int i = 0; i < keys.length - 1; i++) {
            JsonNode next = node.get(keys[i]);
            node = next instanceof ObjectNode object ? object : node.putObject(keys[i]);
        }
        try {
            node.set(keys[keys.length - 1], YAML.readTree(override.substring(equals + 1)));
        } catch (JsonProcessingException e) {
            throw new UserError("The value of '" + override + "' is not YAML", "--set", "quote it", e);
        }
    }
}
