package org.plant4j.cli.demo;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.plant4j.Suggestion;
import org.plant4j.cli.code.ExplainCommand;
import org.plant4j.cli.code.SuggestionTable;
import org.plant4j.cli.option.CommonOptions;
import org.plant4j.cli.option.OutputFile;
import org.plant4j.cli.run.ExperimentRunner;
import org.plant4j.cli.run.PipelineOptions;
import org.plant4j.cli.run.RunResult;
import org.plant4j.cli.run.RunTable;
import org.plant4j.cli.run.TopTokensTable;
import org.plant4j.experiment.Experiment;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.experiment.TopTokens;
import org.plant4j.explain.HighlightedText;
import org.plant4j.explain.TerminalStyle;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code plant demo}: trains, compares and explains models on generated documents. */
@Command(
        name = "demo",
        description = {
            "Train, compare and explain models on generated data.",
            "Generates 500 discharge summaries, trains three small models, compares them, shows the top tokens that were"
                    + " planted into PLANT's attention, and explains one document. With --full, it then does the same"
                    + " with five models and 1,400 documents, which takes many minutes."
        })
public final class DemoCommand implements Callable<Integer> {

    private static final List<String> EXPERIMENTS =
            List.of("prior@demo", "linear@demo", "laat@demo", "control@demo", "plant@demo");
    /** The first models, small enough to be trained in about a minute on two cores. */
    private static final List<String> SMALL = List.of("prior", "linear", "plant");

    private static final String SIZES = "300/100/100";
    private static final String SMALL_SIZES = "corpus.options={sizes: " + SIZES + "}";
    private static final List<String> SMALL_PLANT = List.of(
            SMALL_SIZES,
            "word_vectors.size=50",
            "model.encoder.embedding=50",
            "model.encoder.hidden=64",
            "ranker.epochs=10");

    private static final int MAX_WIDTH = 100;
    private static final int TOKENS = 6;

    @Mixin
    private final CommonOptions common = new CommonOptions();

    @Mixin
    private final PipelineOptions pipeline = new PipelineOptions();

    @Option(names = "--full", description = "Also train and compare all five models on 1,400 documents.")
    private boolean full;

    @Override
    public Integer call() {
        common.info("Generated discharge summaries with ICD-10-CM codes; they contain no real patients.");
        common.info("");
        try (ExperimentRunner runner = new ExperimentRunner(common, pipeline)) {
            return runSmall(runner) && (!full || runFull(runner))
                    ? CommandLine.ExitCode.OK
                    : runner.reportInterruption();
        }
    }

    /** Returns false if interrupted. */
    private boolean runSmall(ExperimentRunner runner) {
        List<Experiment> experiments = SMALL.stream()
                .map(model -> pipeline.read(
                        model + "@demo",
                        model + "-small@demo",
                        model.equals("plant") ? SMALL_PLANT : List.of(SMALL_SIZES)))
                .toList();
        List<RunResult> results = new ArrayList<>();
        if (!runner.runAll(experiments, run -> RunResult.read(run).ifPresent(results::add))) {
            return false;
        }
        common.info("");
        RunDirectory plant = pipeline.runDirectory(experiments.get(2));
        table(results, List.of());
        if (full) {
            return true;
        }
        DemoDocument example = DemoDocument.choose(experiments.get(2), plant);
        printTopTokens(example, plant);
        explain(example, plant);
        common.out().println("Try next:");
        common.out().println("  ./plant demo --full");
        printCommands(example, plant, " --option sizes=" + SIZES);
        return true;
    }

    /** Returns false if interrupted. */
    private boolean runFull(ExperimentRunner runner) {
        List<Experiment> experiments = EXPERIMENTS.stream().map(pipeline::read).toList();
        List<RunResult> results = new ArrayList<>();
        if (!runner.runAll(experiments, run -> RunResult.read(run).ifPresent(results::add))) {
            return false;
        }
        List<RunDirectory> runs =
                experiments.stream().map(pipeline::runDirectory).toList();
        RunDirectory plant = runs.get(4);
        DemoFindings findings = new DemoFindings(runs.get(1), runs.get(2), runs.get(3), plant);
        common.info("");
        List<String> comparisons = findings.comparisons();
        table(results, comparisons);
        DemoDocument example = DemoDocument.choose(experiments.get(4), plant);
        printTopTokens(example, plant);
        explain(example, plant);
        Path report = pipeline.runs().resolve("demo").resolve("report.html");
        OutputFile.write(
                report,
                new DemoReport(results, findings, comparisons, example, plant)
                        .page()
                        .toHtml());
        printNextSteps(example, plant, report);
        return true;
    }

    private void table(List<RunResult> results, List<String> comparisons) {
        RunTable table = new RunTable(results);
        common.out().print(table.table().toText(common.color()));
        table.caption().forEach(line -> common.out().println(common.faint(line)));
        common.out().println();
        comparisons.forEach(common.out()::println);
        common.out().println(DemoFindings.CAUTION);
        common.out().println();
    }

    /** The tokens planted for the code that is explained next. */
    private void printTopTokens(DemoDocument example, RunDirectory plant) {
        TopTokensTable tokens = new TopTokensTable(
                TopTokens.read(plant, example.mostInstructive().code(), TOKENS), TOKENS);
        common.out().println(common.bold("Top tokens for " + tokens.heading()));
        common.out().print(tokens.table().toText(common.color()));
        common.out().println(common.faint(tokens.caption()));
        common.out().println();
    }

    private void explain(DemoDocument example, RunDirectory plant) {
        common.out().println(common.bold("Test document " + example.document().id() + ", coded by " + plant.name()));
        common.out()
                .print(new SuggestionTable(example.suggestions())
                        .toText(common.width(), common.color(), "", one -> example.isCorrect(one) ? "✓" : "✗"));
        common.out().println(common.faint("✓ correct, ✗ wrong. " + example.missed()));
        common.out().println();
        Suggestion best = example.mostInstructive();
        common.out().println(ExplainCommand.heading(common, best));
        common.out().println();
        TerminalStyle style = TerminalStyle.evidenceSentences(Math.min(common.width(), MAX_WIDTH), common.color(), 1);
        common.out().print(new HighlightedText(example.document().text(), best.evidence()).toTerminal(style));
        common.out().println();
    }

    private void printNextSteps(DemoDocument example, RunDirectory plant, Path report) {
        common.out().println("Report: " + report);
        common.out().println();
        common.out().println("Try next:");
        common.out().println("  ./plant compare " + pipeline.runs().resolve("laat@demo") + " " + plant.path());
        printCommands(example, plant, "");
    }

    private void printCommands(DemoDocument example, RunDirectory plant, String corpusOption) {
        common.out().println("  ./plant predict " + plant.path() + " --text 'Acute kidney failure after urosepsis.'");
        common.out()
                .println("  ./plant top-tokens " + plant.path() + " "
                        + example.mostInstructive().code());
        common.out()
                .println("  ./plant corpus show --format demo" + corpusOption + " --id "
                        + example.document().id());
        common.out().flush();
    }
}
