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
import org.plant4j.Html;
import org.plant4j.Progress;
import org.plant4j.eval.ReportPage;
import org.plant4j.eval.Table;

/** A study's answer: {@code report.html}, {@code results.json} and {@code results.tsv} in its folder, and a table. */
public record StudyReport(Path folder, String caption, Table table, List<Result> results) {

    private static final JsonMapper JSON = JsonMapper.builder()
            .addModule(new Jdk8Module())
            .enable(SerializationFeature.INDENT_OUTPUT)
            .build();

    private static final List<String> HEADER =
            List.of("variant", "documents", "group", "seed", "metric", "value", "low", "high", "difference", "p");

    /** The folder of a study beside the runs. */
    public static Path folder(Path runs, Study study) {
        return runs.resolve("studies").resolve(study.name());
    }

    public Path page() {
        return folder.resolve("report.html");
    }

    /** Draws the answer from finished runs and writes it. */
    public static StudyReport write(Study study, Path runsFolder, String command, Progress progress) {
        Runs runs = new Runs(study, runsFolder, progress);
        Analysis analysis = study.kind().of(runs);
        StudyReport report = new StudyReport(
                folder(runsFolder, study), runs.caption(), analysis.table(), List.copyOf(analysis.results()));
        ReportPage page =
                ReportPage.titled(study.name()).lead(analysis.question()).facts(facts(runs));
        analysis.report(page);
        page.section("Runs").details("Every run of this study", runs(study, runs));
        page.provenance(Map.of("command", command));
        try {
            Files.createDirectories(report.folder);
            Files.writeString(report.page(), page.toHtml());
            Files.writeString(report.folder.resolve("results.json"), report.json(study, runs.part()) + "\n");
            Files.write(report.folder.resolve("results.tsv"), report.tsv());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + report.folder, e);
        }
        return report;
    }

    private static Map<String, String> facts(Runs runs) {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("variants", String.valueOf(runs.variants().size()));
        facts.put("seeds", String.valueOf(runs.study().seeds().size()));
        facts.put("runs", String.valueOf(runs.study().cells().size()));
        facts.put("measured on", runs.part());
        return facts;
    }

    private static String runs(Study study, Runs runs) {
        Table table = Table.of(
                Table.Column.text("variant"),
                Table.Column.number("documents", 0),
                Table.Column.number("seed", 0),
                Table.Column.text("run"));
        for (Study.Cell cell : study.cells()) {
            table = table.row(
                    cell.variant(),
                    runs.documents(cell),
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
        for (Result result : results) {
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
