package org.plant4j.study;

import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import org.plant4j.Progress;
import org.plant4j.report.Html;
import org.plant4j.report.ReportPage;
import org.plant4j.report.ReportTable;

/** The answer of a study: its main table, and {@code report.html}, {@code results.json} and {@code results.tsv}. */
public record StudyReport(Path directory, String caption, ReportTable table, List<StudyResult> results) {

    private static final JsonMapper JSON = JsonMapper.builder()
            .addModule(new Jdk8Module())
            .enable(SerializationFeature.INDENT_OUTPUT)
            .build();

    private static final List<String> HEADER =
            List.of("variant", "documents", "group", "seed", "metric", "value", "low", "high", "difference", "p");

    /** The directory of a study, next to the runs. */
    public static Path directory(Path runs, Study study) {
        return runs.resolve("studies").resolve(study.name());
    }

    public Path htmlFile() {
        return directory.resolve("report.html");
    }

    /** Analyzes the finished runs and writes the files. */
    public static StudyReport write(Study study, Path runsDirectory, String command, Progress progress) {
        StudyRuns runs = new StudyRuns(study, runsDirectory, progress);
        Analysis analysis = study.kind().analyze(runs);
        StudyReport report = new StudyReport(
                directory(runsDirectory, study), runs.caption(), analysis.table(), List.copyOf(analysis.results()));
        ReportPage page =
                ReportPage.titled(study.name()).lead(analysis.question()).facts(facts(runs));
        analysis.report(page);
        page.section("Runs").details("All runs of this study", runTable(study, runs));
        page.provenance(Map.of("command", command));
        try {
            Files.createDirectories(report.directory);
            Files.writeString(report.htmlFile(), page.toHtml());
            Files.writeString(report.directory.resolve("results.json"), report.json(study, runs.split()) + "\n");
            Files.write(report.directory.resolve("results.tsv"), report.tsv());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + report.directory, e);
        }
        return report;
    }

    private static Map<String, String> facts(StudyRuns runs) {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("variants", String.valueOf(runs.variants().size()));
        facts.put("seeds", String.valueOf(runs.study().seeds().size()));
        facts.put("runs", String.valueOf(runs.study().plannedRuns().size()));
        facts.put("evaluated on", runs.split());
        return facts;
    }

    private static String runTable(Study study, StudyRuns runs) {
        ReportTable table = ReportTable.of(
                ReportTable.Column.text("variant"),
                ReportTable.Column.number("documents", 0),
                ReportTable.Column.number("seed", 0),
                ReportTable.Column.text("run"));
        for (Study.PlannedRun run : study.plannedRuns()) {
            table = table.row(
                    run.variant(),
                    runs.trainingDocuments(run),
                    run.seed(),
                    run.experiment().name());
        }
        return table.toHtml() + "<p>" + Html.escape("The run directories are next to the directory of studies.")
                + "</p>";
    }

    private String json(Study study, String split) throws IOException {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("study", study.name());
        all.put("kind", study.kind());
        all.put("split", split);
        all.put("seeds", study.seeds());
        all.put(
                "results",
                results.stream()
                        .filter(result -> Double.isFinite(result.value()))
                        .toList());
        return JSON.writeValueAsString(all);
    }

    private List<String> tsv() {
        List<String> lines = new ArrayList<>();
        lines.add(String.join("\t", HEADER));
        for (StudyResult result : results) {
            List<String> row = List.of(
                    result.variant(),
                    Long.toString(result.documents()),
                    result.group().orElse(""),
                    result.seed().isPresent() ? Long.toString(result.seed().getAsLong()) : "",
                    result.metric(),
                    format(OptionalDouble.of(result.value())),
                    format(result.low()),
                    format(result.high()),
                    format(result.difference()),
                    format(result.pValue()));
            lines.add(row.stream().map(cell -> cell.replaceAll("[\t\n\r]", " ")).collect(Collectors.joining("\t")));
        }
        return lines;
    }

    private static String format(OptionalDouble value) {
        return value.isPresent() && Double.isFinite(value.getAsDouble())
                ? String.format(Locale.ROOT, "%.6f", value.getAsDouble())
                : "";
    }
}
