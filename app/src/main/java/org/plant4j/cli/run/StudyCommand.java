package org.plant4j.cli.run;

import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import org.plant4j.cli.option.CommonOptions;
import org.plant4j.cli.option.JsonOption;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.experiment.Experiment;
import org.plant4j.study.Study;
import org.plant4j.study.StudyFile;
import org.plant4j.study.StudyReport;
import org.plant4j.support.UserError;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code plant study}: the paper's experiments, over variants, sizes and seeds. */
@Command(
        name = "study",
        description = {
            "Run every variant, size and seed of a study, and answer its question in a table and a report.",
            "What is done already is reused; an interrupted study goes on."
        },
        footer = {
            "",
            "Examples:",
            "  plant study demo-low-shot",
            "  plant study experiments/codiesp-d/low-shot.yaml --jobs 8"
        })
public final class StudyCommand implements Callable<Integer> {

    @Mixin
    private final CommonOptions common = new CommonOptions();

    @Mixin
    private final JsonOption json = new JsonOption();

    @Mixin
    private final PipelineOptions pipeline = new PipelineOptions();

    @Parameters(
            paramLabel = "STUDY",
            description = "A YAML file, or a packaged study: demo-low-shot, demo-overfitting, demo-rare-codes, "
                    + "demo-interpretability, demo-stateful.")
    private String named;

    @Option(
            names = "--jobs",
            paramLabel = "N",
            defaultValue = "1",
            description = "Runs in flight at once, each a program of its own (default: ${DEFAULT-VALUE}).")
    private int jobs;

    @Override
    public Integer call() {
        if (jobs < 1) {
            throw new UserError(jobs + " jobs do nothing", "--jobs", "use 1 or more");
        }
        Study study = StudyFile.open(named, pipeline.overrides());
        List<Experiment> experiments = study.plannedRuns().stream()
                .map(Study.PlannedRun::experiment)
                .sorted(Comparator.comparing(
                        one -> !one.model().memberExperiments().isEmpty())) // after their members
                .toList();
        common.info(study.name() + ": " + experiments.size() + " runs");
        try (InterruptHandler interruption = new InterruptHandler(common)) {
            if (!run(study, experiments, interruption)) {
                common.info("Interrupted. The same command goes on where it stopped.");
                return InterruptHandler.EXIT;
            }
        }
        StudyReport report = StudyReport.write(study, pipeline.runs(), pipeline.commandLine(), common.progress());
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
        return CommandLine.ExitCode.OK;
    }

    private boolean run(Study study, List<Experiment> experiments, InterruptHandler interruption) {
        if (jobs > 1) {
            return new ParallelRunner(
                            pipeline.mainClass(),
                            StudyReport.directory(pipeline.runs(), study),
                            pipeline.runs(),
                            jobs,
                            pipeline.flags(),
                            common::info)
                    .run(experiments, interruption);
        }
        BadRowHandler badRows = pipeline.badRows();
        for (Experiment experiment : experiments) {
            if (interruption.getAsBoolean() || !pipeline.run(experiment, common, badRows, interruption)) {
                return false;
            }
        }
        common.info(badRows);
        return true;
    }
}
