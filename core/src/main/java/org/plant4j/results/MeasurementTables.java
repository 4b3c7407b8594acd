package org.plant4j.results;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.plant4j.UserError;
import org.plant4j.support.StrictJson;

/** Markdown tables from files that {@code plant domain}, {@code evidence}, {@code evaluate} and {@code context} wrote. */
final class MeasurementTables {

    private static final JsonMapper JSON = StrictJson.builder().build();

    /** Kinds of foreign text that get a column, with their titles. */
    private static final Map<String, String> KINDS = kinds();

    private static final List<String> BUCKETS = List.of("all", "1–5", "6–10", "11–50", "51–100", "101–500");

    private MeasurementTables() {}

    private static Map<String, String> kinds() {
        Map<String, String> kinds = new LinkedHashMap<>();
        kinds.put("other languages", "other languages");
        kinds.put("demo", "English notes (demo)");
        kinds.put("codiesp-en", "CodiEsp in English");
        kinds.put("tibkat", "library records (TIBKAT)");
        kinds.put("finna", "titles (Finna)");
        kinds.put("source code", "source code");
        kinds.put("random letters", "random letters");
        kinds.put("shuffled words", "shuffled words");
        return kinds;
    }

    /** False alarms, and the AUROC of the guard and of the model's highest score for each kind of foreign text. */
    static String domain(Path directory) {
        StringBuilder table = new StringBuilder("| run | false alarms |");
        KINDS.values().forEach(title -> table.append(' ').append(title).append(" |"));
        table.append("\n|---|--:|").append("--:|".repeat(KINDS.size())).append('\n');
        readAll(directory).forEach((run, measured) -> {
            table.append("| `").append(run).append("` | ");
            table.append(percent(byName(measured.path("corpus"), "dev").path("rejected")))
                    .append(" |");
            for (String kind : KINDS.keySet()) {
                JsonNode auroc = byName(measured.path("foreign"), kind).path("auroc");
                table.append(' ');
                if (!auroc.isMissingNode()) {
                    table.append(percent(auroc.path("guard")))
                            .append(" / ")
                            .append(percent(auroc.path("highest score")))
                            .append(' ');
                }
                table.append('|');
            }
            table.append('\n');
        });
        return table.toString();
    }

    /** Plausibility and faithfulness of every method. */
    static String evidence(Path directory) {
        StringBuilder table = new StringBuilder("""
                | run | method | AUPRC | 95 % interval | F1 | IoU | comprehensiveness | sufficiency |
                |---|---|--:|--:|--:|--:|--:|--:|
                """);
        readAll(directory).forEach((run, methods) -> {
            for (JsonNode measured : methods) {
                JsonNode plausibility = measured.path("plausibility");
                JsonNode interval = measured.path("auprcInterval");
                JsonNode faithfulness = measured.path("faithfulness");
                List<String> cells = new ArrayList<>();
                cells.add("`" + run + "`");
                cells.add(measured.path("method").asText());
                cells.add(percent(plausibility.path("auprc")));
                cells.add(percent(interval.path("low")) + "–" + percent(interval.path("high")));
                cells.add(percent(plausibility.path("f1")));
                cells.add(percent(plausibility.path("iou")));
                cells.add(format("%.3f", faithfulness.path("comprehensiveness"), 1));
                cells.add(format("%.3f", faithfulness.path("sufficiency"), 1));
                table.append("| ").append(String.join(" | ", cells)).append(" |\n");
            }
        });
        return table.toString();
    }

    /** Calibration error on dev, of all labels and by number of training documents, before and after calibration. */
    static String calibration(Path directory) {
        StringBuilder table = new StringBuilder("| run |");
        BUCKETS.forEach(bucket -> table.append(' ').append(bucket).append(" |"));
        table.append("\n|---|").append("--:|".repeat(BUCKETS.size())).append('\n');
        readAll(directory).forEach((run, measured) -> {
            table.append("| `").append(run).append("` |");
            for (String bucket : BUCKETS) {
                JsonNode errors = find(measured.path("dev"), "bucket", bucket);
                table.append(' ')
                        .append(format("%.2f", errors.path("calibratedError"), 100))
                        .append(" (")
                        .append(format("%.2f", errors.path("scoreError"), 100))
                        .append(") |");
            }
            table.append('\n');
        });
        return table.toString();
    }

    /** Codes that move from the band suggest to review because their evidence is negated or about relatives. */
    static String context(Path directory) {
        StringBuilder table = new StringBuilder("""
                | run | documents | suggested right | suggested wrong | right moved | wrong moved | without profile | precision | after |
                |---|--:|--:|--:|--:|--:|--:|--:|--:|
                """);
        readAll(directory).forEach((run, measured) -> {
            JsonNode score = measured.path("score");
            JsonNode simple = measured.path("withoutProfile");
            List<String> cells = List.of(
                    "`" + run + "`",
                    count(measured.path("documents")),
                    count(score.path("right")),
                    count(score.path("wrong")),
                    count(score.path("rightMoved")),
                    count(score.path("wrongMoved")),
                    count(simple.path("rightMoved")) + " / " + count(simple.path("wrongMoved")),
                    percent(score.path("precision")),
                    percent(score.path("precisionAfter")));
            table.append("| ").append(String.join(" | ", cells)).append(" |\n");
        });
        return table.toString();
    }

    /** The traits that mentions of the demo corpus get, by the context that its generator knows. */
    static String traits(Path directory) {
        StringBuilder table = new StringBuilder("""
                | mentions | number | negated | family | hypothetical | negated or family |
                |---|--:|--:|--:|--:|--:|
                """);
        readAll(directory)
                .forEach((run, measured) -> measured.path("traits")
                        .forEach(row -> table.append("| ")
                                .append(row.path("context")
                                        .asText()
                                        .toLowerCase(Locale.ROOT)
                                        .replace('_', ' '))
                                .append(" | ")
                                .append(Stream.of("mentions", "negated", "family", "hypothetical", "contradicted")
                                        .map(name -> count(row.path(name)))
                                        .collect(Collectors.joining(" | ")))
                                .append(" |\n")));
        return table.toString();
    }

    private static String count(JsonNode value) {
        return format("%,.0f", value, 1);
    }

    private static JsonNode byName(JsonNode list, String name) {
        return find(list, "name", name);
    }

    private static JsonNode find(JsonNode list, String field, String value) {
        for (JsonNode each : list) {
            if (each.path(field).asText().equals(value)) {
                return each;
            }
        }
        return JSON.missingNode();
    }

    private static String percent(JsonNode value) {
        return format("%.1f", value, 100);
    }

    private static String format(String pattern, JsonNode value, double factor) {
        return value.isNumber() ? String.format(Locale.ROOT, pattern, factor * value.asDouble()) : "–";
    }

    /** The content of each file, by its name without {@code .json}. */
    static Map<String, JsonNode> readAll(Path directory) {
        Map<String, JsonNode> all = new TreeMap<>();
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file :
                    files.filter(each -> each.toString().endsWith(".json")).toList()) {
                String name = file.getFileName().toString();
                all.put(name.substring(0, name.length() - ".json".length()), JSON.readTree(Files.readString(file)));
            }
        } catch (JsonProcessingException e) {
            throw new UserError(
                    "A measurement is not JSON: " + e.getOriginalMessage(),
                    directory.toString(),
                    "write it again with the command that the page of results names",
                    e);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + directory, e);
        }
        return all;
    }
}
