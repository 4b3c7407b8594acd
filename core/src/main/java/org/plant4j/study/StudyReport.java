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
import org.plant4j.report.Html;
import org.plant4j.report.ReportPage;
import org.plant4j.report.ReportTable;
import org.plant4j.support.Progress;

/** A study's answer: {@code report.html}, {@code results.json} and {@code results.tsv} in its folder, and a table. */
public record StudyReport(Path directory, String caption, ReportTable table, List<StudyResult> results) {

    private static final JsonMapper JSON = JsonMapper.builder()
            .addModule(new Jdk8Module())
            .enable(SerializationFeature.INDENT_OUTPUT)
            .build();

    private static final List<String> HEADER =
            List.of("variant", "documents", "group", "seed", "metric", "value", "low", "high", "difference", "p");

    /** The folder of a study beside the runs. */
    public static Path directory(Path runs, Study study) {
        return runs.resolve("studies").resolve(study.name());
    }

    public Path htmlFile() {
        return directory.resolve("report.html");
    }

    /** Draws the answer from finished runs and writes it. */
    public static StudyReport write(Study study, Path runsFolder, String command, Progress progress) {
        StudyRuns runs = new StudyRuns(study, runsFolder, progress);
        Analysis analysis = study.kind().createAnalysis(runs);
        StudyReport report = new StudyReport(
                directory(runsFolder, study), runs.caption(), analysis.table(), List.copyOf(analysis.results()));
        ReportPage page =
                ReportPage.titled(study.name()).lead(analysis.question()).facts(facts(runs));
        analysis.report(page);
        page.section("Runs").details("Every run of this study", runs(study, runs));
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
        facts.put("measured on", runs.split());
        return facts;
    }

    private static String runs(Study study, StudyRuns runs) {
        ReportTable table = ReportTable.of(
                ReportTable.Column.text("variant"),
                ReportTable.Column.number("documents", 0),
                ReportTable.Column.number("seed", 0),
                ReportTable.Column.text("run"));
        for (Study.PlannedRun cell : study.plannedRuns()) {
            table = table.row(
                    cell.variant(),
                    runs.trainingDocuments(cell),
                    cell.seed(),
                    cell.experiment().name());
        }
        return table.toHtml() + "<p>" + Html.escape("Each lies beside the folder of studies.") + "</p>";
    }

    private String json(Study study, String part) throws IOException {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("study", study.name());
        all.put("kind", study.kind());
        all.put("part", part);
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
                    number(OptionalDouble.of(result.value())),
                    number(result.low()),
                    number(result.high()),
                    number(result.difference()),
                    number(result.pValue()));
            lines.add(row.stream().map(cell -> cell.replaceAll("[\t\n\r]", " ")).collect(Collectors.joining("\t")));
        }
        return lines;
    }

    private static String number(OptionalDouble value) {
        return value.isPresent() && Double.isFinite(value.getAsDouble())
                ? String.format(Locale.ROOT, "%.6f", value.getAsDouble())
                : "";
    }
}
