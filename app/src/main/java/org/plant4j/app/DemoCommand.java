package org.plant4j.app;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.plant4j.corpus.BadRows;
import org.plant4j.eval.ApproximateRandomization;
import org.plant4j.eval.Comparison;
import org.plant4j.eval.Metrics;
import org.plant4j.eval.Predictions;
import org.plant4j.experiment.Experiment;
import org.plant4j.explain.Highlight;
import org.plant4j.explain.TerminalStyle;
import org.plant4j.predict.RunFolder;
import org.plant4j.predict.Suggestion;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code plant demo}: everything once, on made-up notes. */
@Command(
        name = "demo",
        description = {
            "See everything once, in a few minutes and without any data.",
            "Makes up 1,400 discharge summaries, trains three models on them, compares them, and explains one note."
        })
final class DemoCommand implements Callable<Integer> {

    private static final List<String> EXPERIMENTS = List.of("demo-prior", "demo-linear", "demo-laat");
    private static final int WIDEST_NOTE = 100;
    private static final double SIGNIFICANT = 0.05;

    @Mixin
    private final CommonOptions common = new CommonOptions();

    @Mixin
    private final PipelineOptions pipeline = new PipelineOptions();

    @Override
    public Integer call() {
        List<Experiment> experiments = EXPERIMENTS.stream().map(pipeline::read).toList();
        List<RunResult> results = new ArrayList<>();
        common.say("Made-up discharge summaries with ICD-10-CM codes: no real patient is in them.");
        common.say("");
        try (Interruption interruption = new Interruption(common)) {
            for (Experiment experiment : experiments) {
                if (interruption.getAsBoolean() || !pipeline.run(experiment, common, BadRows.fail(), interruption)) {
                    common.say("Interrupted. plant demo goes on where it stopped.");
                    return Interruption.EXIT;
                }
                RunResult.read(pipeline.folder(experiment)).ifPresent(results::add);
            }
        }
        RunFolder linear = pipeline.folder(experiments.get(1));
        RunFolder laat = pipeline.folder(experiments.get(2));
        String verdict = verdict(linear, laat);
        common.say("");
        table(results, verdict);
        DemoNote note = DemoNote.choose(experiments.get(2), laat);
        explain(note, laat);
        Path report = pipeline.runs().resolve("demo").resolve("report.html");
        PageFile.write(
                report, new DemoReport(results, verdict, note, laat).page().toHtml());
        next(note, laat, report);
        return CommandLine.ExitCode.OK;
    }

    private void table(List<RunResult> results, String verdict) {
        RunTable table = new RunTable(results);
        common.out().print(table.table().toText(common.colour()));
        table.caption().forEach(line -> common.out().println(common.faint(line)));
        common.out().println();
        common.out().println(verdict);
        common.out().println();
    }

    /** What the comparison shows and what it does not. */
    private static String verdict(RunFolder linear, RunFolder laat) {
        String part = RunResult.part(laat, Optional.empty());
        Comparison comparison = Comparison.of(
                linear.name(),
                Predictions.read(linear.predictions(part)),
                laat.name(),
                Predictions.read(laat.predictions(part)),
                List.of(5),
                ApproximateRandomization.standard(1));
        Comparison.Row map = comparison.rows().stream()
                .filter(row -> row.metric().equals(Metrics.MAP))
                .findFirst()
                .orElseThrow();
        String p = map.pValue() < 0.001 ? "p < 0.001" : String.format(Locale.ROOT, "p = %.3f", map.pValue());
        String difference = String.format(Locale.ROOT, "%.1f points of MAP", Math.abs(100 * map.difference()));
        String first = map.pValue() >= SIGNIFICANT
                ? "LAAT and the linear model differ by " + difference + ", which may be chance (" + p + ")."
                : (map.difference() > 0 ? "LAAT leads the linear model by " : "The linear model leads LAAT by ")
                        + difference + " (" + p + ").";
        return first
                + "\nMade-up notes are easier than real ones: read these numbers as a check that it works, no more.";
    }

    private void explain(DemoNote note, RunFolder laat) {
        common.out()
                .println(common.bold(
                        "Note " + note.document().id() + ", not seen in training, coded by " + laat.name()));
        common.out()
                .print(new SuggestionTable(note.document().text(), note.suggestions())
                        .toText(common.width(), common.colour(), "", one -> note.isRight(one) ? "✓" : "✗"));
        common.out().println(common.faint("✓ right, ✗ wrong. " + note.missed()));
        common.out().println();
        Suggestion best = note.instructive();
        common.out().println(ExplainCommand.heading(common, best));
        common.out().println();
        TerminalStyle style = TerminalStyle.around(Math.min(common.width(), WIDEST_NOTE), common.colour(), 1);
        common.out().print(new Highlight(note.document().text(), best.evidence()).toTerminal(style));
        common.out().println();
    }

    private void next(DemoNote note, RunFolder laat, Path report) {
        common.out().println("Report: " + report);
        common.out().println();
        common.out().println("Try next:");
        common.out().println("  ./plant predict " + laat.path() + " --text 'Acute kidney failure after urosepsis.'");
        common.out().println("  ./plant compare " + pipeline.runs().resolve("demo-linear") + " " + laat.path());
        common.out()
                .println("  ./plant corpus show --format demo --id "
                        + note.document().id());
        common.out().flush();
    }
}
