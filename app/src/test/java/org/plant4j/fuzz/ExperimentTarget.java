package org.plant4j.fuzz;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.plant4j.UserError;
import org.plant4j.experiment.Experiment;
import org.plant4j.experiment.ExperimentFile;

/** Experiment files and {@code --set}. */
final class ExperimentTarget implements FuzzTarget {

    private static final YAMLMapper YAML = new YAMLMapper();
    private static final String FILE = "experiment.yaml";

    /** Settings that are resolved against the directory of the file, but on the command line against the current one. */
    private static final Set<String> PATHS =
            Set.of("path", "code_sets", "synonyms", "pretrained_encoder", "unlabelled", "options");

    private final Path directory;
    private final List<JsonNode> trees = new ArrayList<>();

    ExperimentTarget(Path directory) {
        this.directory = directory;
        for (String name :
                List.of("plant@demo", "laat@demo", "linear@demo", "isd@demo", "text-cnn@demo", "prior@demo")) {
            trees.add(tree(ExperimentFile.open(name, List.of())));
        }
    }

    @Override
    public String name() {
        return "experiment";
    }

    @Override
    public Outcome test(FuzzInput input) {
        JsonNode tree = input.pick(trees);
        return switch (input.below(6)) {
            case 0 -> rewritten(tree, input);
            case 1 -> overridden((ObjectNode) tree, input);
            case 2 -> {
                byte[] bytes = yaml(tree).getBytes(StandardCharsets.UTF_8);
                yield accept(read(ByteMutator.mutate(bytes, input), List.of(), input));
            }
            case 3 ->
                accept(read(yaml(tree).getBytes(StandardCharsets.UTF_8), List.of(oddOverride(tree, input)), input));
            default -> mutated(tree, input);
        };
    }

    private Outcome rewritten(JsonNode tree, FuzzInput input) {
        byte[] bytes = JsonWriter.writeFlow(tree, input).getBytes(StandardCharsets.UTF_8);
        SilentDifference.check(
                comparable(tree.deepCopy()), settings(FuzzInput.accepted(() -> read(bytes, List.of(), input))));
        return Outcome.SAME;
    }

    /** A setting has the same effect in the file and on the command line, accepted or not. */
    private Outcome overridden(ObjectNode tree, FuzzInput input) {
        List<String> path = path(tree, input);
        String value = input.pick(
                "1", "0", "-1", "2.5", "010", "1e3", "true", "no", "null", "abc", "\"7\"", "[1]", "{}", "0x10", "1_000",
                ".inf", "~", "1:30");
        ObjectNode copy = tree.deepCopy();
        ObjectNode parent = copy;
        for (String key : path.subList(0, path.size() - 1)) {
            parent = (ObjectNode) parent.get(key);
        }
        String last = path.get(path.size() - 1);
        String marker = "a-marker-that-occurs-once";
        parent.put(last, marker);
        String file = yaml(copy).replace("\"" + marker + "\"", value).replace(marker, value);
        String inFile = result(file, List.of(), input);
        String onCommandLine = result(yaml(tree), List.of(String.join(".", path) + "=" + value), input);
        SilentDifference.check(inFile, onCommandLine);
        return inFile.isEmpty() ? Outcome.REFUSED : Outcome.SAME;
    }

    /** The settings that were read, or nothing if they were refused. */
    private String result(String yaml, List<String> overrides, FuzzInput input) {
        try {
            return settings(read(yaml.getBytes(StandardCharsets.UTF_8), overrides, input))
                    .toString();
        } catch (UserError refused) {
            return "";
        }
    }

    private static List<String> path(JsonNode tree, FuzzInput input) {
        List<String> path = new ArrayList<>();
        JsonNode node = tree;
        do {
            List<String> names = new ArrayList<>();
            node.fieldNames().forEachRemaining(names::add);
            path.add(input.pick(names));
            node = node.get(path.get(path.size() - 1));
        } while (node.isObject() && !node.isEmpty() && input.chance(0.9));
        return path;
    }

    private static String oddOverride(JsonNode tree, FuzzInput input) {
        return OddText.mutate(String.join(".", path(tree, input)) + "=" + OddText.any(input, 30), input);
    }

    /** Every setting of a changed file is either refused or has exactly the value that was written. */
    private Outcome mutated(JsonNode tree, FuzzInput input) {
        JsonNode changed = JsonMutator.mutate(tree, input);
        byte[] bytes = JsonWriter.writeFlow(changed, input).getBytes(StandardCharsets.UTF_8);
        Experiment experiment = read(bytes, List.of(), input);
        if (StandardCharsets.UTF_8
                .newEncoder()
                .canEncode(changed.toString())) { // YAML cannot represent lone surrogates
            checkContained(changed, tree(experiment), "");
        }
        return accept(experiment);
    }

    private static void checkContained(JsonNode written, JsonNode read, String path) {
        for (Map.Entry<String, JsonNode> setting : written.properties()) {
            JsonNode value = setting.getValue();
            JsonNode found = read.path(setting.getKey());
            if (PATHS.contains(setting.getKey()) || value.isNull() || (value.isObject() && value.isEmpty())) {
                continue;
            }
            if (value.isObject()) {
                checkContained(value, found, path + setting.getKey() + ".");
            } else if (!isSame(value, found)) {
                throw new SilentDifference(path + setting.getKey() + ": " + value + " was read as " + found);
            }
        }
    }

    /** Whether a value was read as it was written; a name may be written as an integer or a boolean, one name as a list. */
    private static boolean isSame(JsonNode written, JsonNode read) {
        if (written.isValueNode() && read.isArray() && read.size() == 1) {
            return isSame(written, read.get(0));
        }
        if (written.isArray() && read.isArray() && written.size() == read.size()) {
            return IntStream.range(0, written.size()).allMatch(i -> isSame(written.get(i), read.get(i)));
        }
        if (written.isNumber() && read.isNumber()) {
            return written.asDouble() == read.asDouble();
        }
        if (written.isTextual() && read.asText().matches("[A-Z_]+")) { // a constant, around which spaces are ignored
            return written.asText().strip().equals(read.asText());
        }
        boolean asText = read.isTextual() && (written.isIntegralNumber() || written.isBoolean());
        return asText ? written.asText().equals(read.asText()) : written.equals(read);
    }

    /** An experiment that was read can be written and read again. */
    private Outcome accept(Experiment experiment) {
        byte[] written = ExperimentFile.toYaml(experiment).getBytes(StandardCharsets.UTF_8);
        Path file = new CorpusFiles().put(FILE, written).write(directory).resolve(FILE);
        SilentDifference.check(
                settings(experiment), settings(FuzzInput.accepted(() -> ExperimentFile.read(file, List.of()))));
        return Outcome.ACCEPTED;
    }

    private Experiment read(byte[] bytes, List<String> overrides, FuzzInput input) {
        input.step("read " + new String(bytes, StandardCharsets.UTF_8));
        overrides.forEach(override -> input.step("--set " + override));
        return ExperimentFile.read(
                new CorpusFiles().put(FILE, bytes).write(directory).resolve(FILE), overrides);
    }

    private static JsonNode tree(Experiment experiment) {
        try {
            return YAML.readTree(ExperimentFile.toYaml(experiment));
        } catch (JsonProcessingException e) {
            throw new AssertionError(e);
        }
    }

    /** The settings other than paths. */
    private static JsonNode settings(Experiment experiment) {
        return comparable(tree(experiment));
    }

    private static JsonNode comparable(JsonNode tree) {
        if (tree instanceof ObjectNode object) {
            object.remove(PATHS);
            if (object.path("start").asText().startsWith(File.separator)) {
                object.remove("start"); // a run: relative to the file, but with --set to the working directory
            }
        }
        tree.forEach(ExperimentTarget::comparable);
        return tree;
    }

    private static String yaml(JsonNode tree) {
        try {
            return YAML.writeValueAsString(tree);
        } catch (JsonProcessingException e) {
            throw new AssertionError(e);
        }
    }
}
