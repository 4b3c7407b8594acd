package org.plant4j.cli.run;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.plant4j.Interval;
import org.plant4j.UserError;
import org.plant4j.cli.option.CommonOptions;
import org.plant4j.cli.option.DeviceOptions;
import org.plant4j.cli.option.EvaluationSplit;
import org.plant4j.cli.option.JsonOption;
import org.plant4j.cli.option.OptionCheck;
import org.plant4j.cli.option.OutputFile;
import org.plant4j.cli.option.RunArgument;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.explain.Faithfulness;
import org.plant4j.explain.Plausibility;
import org.plant4j.model.output.EvidenceMethod;
import org.plant4j.report.ReportTable;
import org.plant4j.report.ReportTable.Column;
import org.plant4j.study.measurement.EvidenceEvaluation;
import org.plant4j.support.DidYouMean;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code plant evidence}: measures the evidence methods of trained models. */
@Command(
        name = "evidence",
        description = {
            "Measure the evidence of runs by method.",
            "Compares token weights with gold evidence (plausibility) and with the model's own scores (faithfulness)."
        },
        footer = {
            "",
            "Examples:",
            "  plant evidence runs/plant@demo",
            "  plant evidence runs/laat@demo runs/plant@demo --methods attention,attention-value --documents 50"
        })
public final class EvidenceCommand implements Callable<Integer> {

    @Mixin
    private final CommonOptions common = new CommonOptions();

    @Mixin
    private final JsonOption json = new JsonOption();

    @Mixin
    private final DeviceOptions device = new DeviceOptions();

    @Mixin
    private final EvaluationSplit split = new EvaluationSplit();

    @Parameters(paramLabel = "RUN", arity = "1..*", description = "Directories of runs on corpora with gold evidence.")
    private List<Path> runs = List.of();

    @Option(
            names = "--methods",
            paramLabel = "METHOD",
            split = ",",
            description = "Methods, separated by commas (default: all that the model supports).")
    private List<String> methods = List.of();

    @Option(
            names = "--documents",
            paramLabel = "N",
            defaultValue = "0",
            description = "Measure a random sample of N documents (default: all).")
    private int documents;

    @Option(
            names = "--seed",
            paramLabel = "SEED",
            defaultValue = "1",
            description = "Random seed of the sample (default: ${DEFAULT-VALUE}).")
    private long seed;

    @Option(
            names = "--no-faithfulness",
            description = "Measure plausibility only; faithfulness scores each document ten times per label.")
    private boolean plausibilityOnly;

    @Option(names = "--output", paramLabel = "FILE", description = "Also write the results as JSON to this file.")
    private Optional<Path> output = Optional.empty();

    @Override
    public Integer call() {
        OptionCheck.atLeast(0, "--documents", documents);
        EvidenceEvaluation.Settings settings = new EvidenceEvaluation.Settings(
                split.name(),
                methods.stream().map(EvidenceCommand::method).toList(),
                documents,
                seed,
                !plausibilityOnly);
        List<RunDirectory> directories = runs.stream().map(RunArgument::open).toList();
        output.ifPresent(OutputFile::createParentDirectory);
        List<EvidenceEvaluation.Result> results = new ArrayList<>();
        for (RunDirectory directory : directories) {
            results.addAll(EvidenceEvaluation.evaluate(directory, device.compute(), settings, common.progress()));
            output.ifPresent(file -> OutputFile.write(file, JsonOption.pretty(results) + "\n"));
        }
        if (json.enabled()) {
            common.out().println(JsonOption.pretty(results));
        } else {
            print(results);
        }
        return CommandLine.ExitCode.OK;
    }

    private static EvidenceMethod method(String id) {
        return EvidenceMethod.of(id)
                .orElseThrow(() -> new UserError(
                        "Unknown evidence method '" + id + "'",
                        "--methods",
                        DidYouMean.remedy(id, EvidenceMethod.ids())));
    }

    private void print(List<EvidenceEvaluation.Result> results) {
        ReportTable table = ReportTable.of(
                Column.text("run"),
                Column.text("method"),
                Column.percent("AUPRC"),
                Column.percent("F1"),
                Column.percent("IoU"),
                Column.number("comprehensiveness", 3),
                Column.number("sufficiency", 3),
                Column.number("ms", 0));
        for (EvidenceEvaluation.Result result : results) {
            Plausibility plausibility = result.plausibility();
            table = table.row(
                    result.run(),
                    result.method() + (result.isDefault() ? " *" : ""),
                    ReportTable.Cell.of(
                            plausibility.auprc(),
                            result.auprcInterval().map(Interval::low).orElse(Double.NaN),
                            result.auprcInterval().map(Interval::high).orElse(Double.NaN)),
                    plausibility.f1(),
                    plausibility.iou(),
                    result.faithfulness().map(Faithfulness::comprehensiveness).orElse(Double.NaN),
                    result.faithfulness().map(Faithfulness::sufficiency).orElse(Double.NaN),
                    result.milliseconds());
        }
        common.out().print(table.toText(common.color()));
        EvidenceEvaluation.Result first = results.get(0);
        common.out()
                .println(common.faint(
                        "Means over " + first.plausibility().pairs() + " gold pairs of document and label in "
                                + first.documents() + " " + split.name() + " documents of " + first.run()
                                + "; ms per document with all its gold labels. * default of the model"));
    }
}
