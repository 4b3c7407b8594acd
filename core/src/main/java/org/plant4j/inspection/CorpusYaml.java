package org.plant4j.inspection;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.plant4j.corpus.format.CorpusConfig;

/** Writes the experiment file for an inspected corpus, with comments. */
public final class CorpusYaml {

    private final CorpusInspection inspection;
    private final ModelAdvice advice;
    private final Path directory;

    /** Paths are written relative to {@code directory}, the one that the file is for. */
    public CorpusYaml(CorpusInspection inspection, ModelAdvice advice, Path directory) {
        this.inspection = inspection;
        this.advice = advice;
        this.directory = directory.toAbsolutePath().normalize();
    }

    public String text(String name, List<Path> codeSets) {
        CorpusConfig config = inspection.config();
        StringBuilder yaml = new StringBuilder();
        line(yaml, "# Run it with: plant run " + name + ".yaml. All settings: docs/settings.md");
        line(yaml, "extends: auto                  # chooses the model; at present " + advice.model() + ":");
        line(yaml, "                               # " + advice.reason());
        line(yaml, "name: " + name);
        line(yaml, "corpus:");
        line(yaml, "  format: " + config.format());
        line(yaml, "  path: " + quote(relative(config.path())));
        if (!config.delimiter().isEmpty()) {
            line(yaml, "  delimiter: " + quote(config.delimiter()));
        }
        if (!config.columns().isEmpty()) {
            line(yaml, "  columns: " + map(config.columns()));
        }
        if (config.train().isEmpty()) {
            String by = config.columns().containsKey("group")
                    ? "by " + config.columns().get("group") + ": none is in two splits"
                    : "by document id";
            line(yaml, "  # Split 80/10/10 into train, dev and test " + by + ".");
            line(yaml, "  # For other splits: options: {fractions: 70/15/15}, or list files: train: train.csv");
        } else {
            line(yaml, "  train: " + list(config.train()));
            line(yaml, "  dev: " + list(config.dev()) + (config.dev().isEmpty() ? "   # thresholds stay at 0.5" : ""));
            line(yaml, "  test: " + list(config.test()));
        }
        Map<String, String> options = config.options().entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey,
                        entry -> entry.getKey().equals("code_file") ? relative(entry.getValue()) : entry.getValue()));
        if (!options.isEmpty()) {
            line(yaml, "  options: " + map(options));
        }
        if (codeSets.isEmpty()) {
            line(yaml, "# code_sets: codes.csv         # two columns, code and description: shown next to suggestions");
        } else {
            line(
                    yaml,
                    "code_sets: "
                            + list(codeSets.stream()
                                    .map(file -> relative(file.toString()))
                                    .toList()));
        }
        line(yaml, "# auto: {minutes: 10}          # how long training may take; a small budget selects a fast model");
        return yaml.toString();
    }

    private static void line(StringBuilder yaml, String text) {
        yaml.append(text).append('\n');
    }

    private String relative(String path) {
        Path absolute = Path.of(path).toAbsolutePath().normalize();
        if (!absolute.startsWith(directory)) {
            return absolute.toString();
        }
        String relative = directory.relativize(absolute).toString().replace('\\', '/');
        return relative.isEmpty() ? "." : relative;
    }

    private static String map(Map<String, String> values) {
        return values.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(entry -> entry.getKey() + ": " + quote(entry.getValue()))
                .collect(Collectors.joining(", ", "{", "}"));
    }

    private static String list(List<String> values) {
        return values.stream().map(CorpusYaml::quote).collect(Collectors.joining(", ", "[", "]"));
    }

    /** Plain words need no quotes; anything else, and words that YAML does not read as text, is written in double quotes. */
    private static String quote(String value) {
        return value.matches("(?!(?i:null|true|false|yes|no|on|off|y|n)$)[A-Za-z_/][A-Za-z0-9_./-]*")
                ? value
                : "\"" + value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\t", "\\t") + "\"";
    }
}
