package org.plant4j.cli.run;

import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import org.plant4j.cli.option.CommonOptions;
import org.plant4j.cli.option.JsonOption;
import org.plant4j.cli.option.OptionCheck;
import org.plant4j.cli.process.ParallelRunner;
import org.plant4j.experiment.Experiment;
import org.plant4j.study.Study;
import org.plant4j.study.StudyFile;
import org.plant4j.study.StudyReport;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code plant study}: runs several experiments and compares them in one report. */
@Command(
        name = "study",
        description = {
            "Compare variants of a model over training sizes and seeds.",
            "Runs every combination that a study lists, and writes a table and a report. Finished runs are reused."
        },
        footer = {"", "Examples:", "  plant study low-shot@demo", "  plant study low-shot@codiesp-d --jobs 8"})
public final class StudyCommand implements Callable<Integer> {

    @Mixin
    private final CommonOptions common = new CommonOptions();

    @Mixin
    private final JsonOption json = new JsonOption();

    @Mixin
    private final PipelineOptions pipeline = new PipelineOptions();

    @Parameters(paramLabel = "STUDY", description = "STUDY@CORPUS, such as low-shot@demo, or a YAML file.")
    private String named;

    @Option(
            names = "--jobs",
            paramLabel = "N",
            defaultValue = "1",
            description = "Number of runs at the same time, each in its own process (default: ${DEFAULT-VALUE}).")
    private int jobs;

    @Override
    public Integer call() {
        OptionCheck.atLeast(1, "--jobs", jobs);
        Study study = StudyFile.open(named, pipeline.overrides());
        List<Experiment> experiments = study.plannedRuns().stream()
                .map(Study.PlannedRun::experiment)
                .sorted(Comparator.comparing(
                        one -> !one.model().memberExperiments().isEmpty())) // after their members
                .toList();
        common.info(study.name() + ": " + experiments.size() + " runs");
        try (ExperimentRunner runner = new ExperimentRunner(common, pipeline)) {
            boolean finished = jobs == 1
                    ? runner.runAll(experiments, run -> {})
                    : parallel(study).run(experiments, runner.interrupted());
            if (!finished) {
                return runner.reportInterruption();
            }
        }
        print(StudyReport.write(study, pipeline.runs(), pipeline.commandLine(), common.progress()));
        return CommandLine.ExitCode.OK;
    }

    private ParallelRunner parallel(Study study) {
        return new ParallelRunner(
                pipeline.mainClass(),
                StudyReport.directory(pipeline.runs(), study),
                pipeline.runs(),
                jobs,
                pipeline.flags(),
                common::info);
    }

    private void print(StudyReport report) {
        if (json.enabled()) {
            common.out().println(JsonOption.pretty(report.results()));
        } else {
            common.info("");
            common.out().print(report.table().toText(common.color()));
            common.out().println(common.faint(report.caption()));
        }
        common.out().flush();
        common.info("");
        common.info("Report: " + report.htmlFile());
    }
}
