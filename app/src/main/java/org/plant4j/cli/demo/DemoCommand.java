package org.plant4j.cli.demo;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.plant4j.cli.code.ExplainCommand;
import org.plant4j.cli.code.SuggestionTable;
import org.plant4j.cli.option.CommonOptions;
import org.plant4j.cli.option.OutputFile;
import org.plant4j.cli.run.InterruptHandler;
import org.plant4j.cli.run.PipelineOptions;
import org.plant4j.cli.run.RunResult;
import org.plant4j.cli.run.RunTable;
import org.plant4j.cli.run.TopTokensTable;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.experiment.Experiment;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.explain.HighlightedText;
import org.plant4j.explain.TerminalStyle;
import org.plant4j.explain.TopTokens;
import org.plant4j.prediction.Suggestion;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code plant demo}: everything once, on made-up notes. */
@Command(
        name = "demo",
        description = {
            "See everything once, in a few minutes and without any data.",
            "Makes up 1,400 discharge summaries, trains five models on them, compares them, shows what was planted into the",
            "best one's attention, and explains one note."
        })
public final class DemoCommand implements Callable<Integer> {

    private static final List<String> EXPERIMENTS =
            List.of("demo-prior", "demo-linear", "demo-laat", "demo-control", "demo-plant");
    private static final int WIDEST_NOTE = 100;
    private static final int WORDS = 6;

    @Mixin
    private final CommonOptions common = new CommonOptions();

    @Mixin
    private final PipelineOptions pipeline = new PipelineOptions();

    @Override
    public Integer call() {
        List<Experiment> experiments = EXPERIMENTS.stream().map(pipeline::read).toList();
        List<RunResult> results = new ArrayList<>();
        common.info("Made-up discharge summaries with ICD-10-CM codes: no real patient is in them.");
        common.info("");
        try (InterruptHandler interruption = new InterruptHandler(common)) {
            for (Experiment experiment : experiments) {
                if (interruption.getAsBoolean()
                        || !pipeline.run(experiment, common, BadRowHandler.fail(), interruption)) {
                    common.info("Interrupted. plant demo goes on where it stopped.");
                    return InterruptHandler.EXIT;
                }
                RunResult.read(pipeline.runDirectory(experiment)).ifPresent(results::add);
            }
        }
        List<RunDirectory> folders =
                experiments.stream().map(pipeline::runDirectory).toList();
        RunDirectory plant = folders.get(4);
        DemoFindings story = new DemoFindings(folders.get(1), folders.get(2), folders.get(3), plant);
        common.info("");
        List<String> bought = story.comparisons();
        table(results, bought);
        DemoDocument note = DemoDocument.choose(experiments.get(4), plant);
        planted(note, plant);
        explain(note, plant);
        Path report = pipeline.runs().resolve("demo").resolve("report.html");
        OutputFile.write(
                report,
                new DemoReport(results, story, bought, note, plant).page().toHtml());
        next(note, plant, report);
        return CommandLine.ExitCode.OK;
    }

    private void table(List<RunResult> results, List<String> bought) {
        RunTable table = new RunTable(results);
        common.out().print(table.table().toText(common.color()));
        table.caption().forEach(line -> common.out().println(common.faint(line)));
        common.out().println();
        bought.forEach(common.out()::println);
        common.out().println(DemoFindings.CAUTION);
        common.out().println();
    }

    /** The words that PLANT started from, for the code that is explained next. */
    private void planted(DemoDocument note, RunDirectory plant) {
        TopTokensTable words =
                new TopTokensTable(TopTokens.read(plant, note.mostInstructive().code(), WORDS), WORDS);
        common.out().println(common.bold("What was planted for " + words.heading()));
        common.out().print(words.table().toText(common.color()));
        common.out().println(common.faint(words.caption()));
        common.out().println();
    }

    private void explain(DemoDocument note, RunDirectory plant) {
        common.out()
                .println(common.bold(
                        "Note " + note.document().id() + ", not seen in training, coded by " + plant.name()));
        common.out()
                .print(new SuggestionTable(note.suggestions())
                        .toText(common.width(), common.color(), "", one -> note.isCorrect(one) ? "✓" : "✗"));
        common.out().println(common.faint("✓ right, ✗ wrong. " + note.missed()));
        common.out().println();
        Suggestion best = note.mostInstructive();
        common.out().println(ExplainCommand.heading(common, best));
        common.out().println();
        TerminalStyle style = TerminalStyle.evidenceSentences(Math.min(common.width(), WIDEST_NOTE), common.color(), 1);
        common.out().print(new HighlightedText(note.document().text(), best.evidence()).toTerminal(style));
        common.out().println();
    }

    private void next(DemoDocument note, RunDirectory plant, Path report) {
        common.out().println("Report: " + report);
        common.out().println();
        common.out().println("Try next:");
        common.out().println("  ./plant predict " + plant.path() + " --text 'Acute kidney failure after urosepsis.'");
        common.out().println("  ./plant compare " + pipeline.runs().resolve("demo-laat") + " " + plant.path());
        common.out()
                .println("  ./plant rank show " + plant.path() + " "
                        + note.mostInstructive().code());
        common.out()
                .println("  ./plant corpus show --format demo --id "
                        + note.document().id());
        common.out().flush();
    }
}
