package org.plant4j.app;

import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import org.plant4j.UserError;
import org.plant4j.corpus.BadRows;
import org.plant4j.experiment.Experiment;
import org.plant4j.models.Average;
import org.plant4j.study.Study;
import org.plant4j.study.StudyFile;
import org.plant4j.study.StudyReport;
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
final class StudyCommand implements Callable<Integer> {

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
        List<Experiment> experiments = study.cells().stream()
                .map(Study.Cell::experiment)
                .sorted(Comparator.comparing(one -> one.model() instanceof Average.Config)) // after their members
                .toList();
        common.say(study.name() + ": " + experiments.size() + " runs");
        try (Interruption interruption = new Interruption(common)) {
            if (!run(study, experiments, interruption)) {
                common.say("Interrupted. The same command goes on where it stopped.");
                return Interruption.EXIT;
            }
        }
        StudyReport report = StudyReport.write(study, pipeline.runs(), pipeline.line(), common.progress());
        if (json.wanted()) {
            common.out().println(JsonOption.text(report.results()));
        } else {
            common.say("");
            common.out().print(report.table().toText(common.colour()));
            common.out().println(common.faint(report.caption()));
        }
        common.out().flush();
        common.say("");
        common.say("Report: " + report.page());
        return CommandLine.ExitCode.OK;
    }

    private boolean run(Study study, List<Experiment> experiments, Interruption interruption) {
        if (jobs > 1) {
            return new ChildRuns(
                            StudyReport.folder(pipeline.runs(), study),
                            pipeline.runs(),
                            jobs,
                            pipeline.flags(),
                            common::say)
                    .run(experiments, interruption);
        }
        BadRows badRows = pipeline.badRows();
        for (Experiment experiment : experiments) {
            if (interruption.getAsBoolean() || !pipeline.run(experiment, common, badRows, interruption)) {
                return false;
            }
        }
        common.say(badRows);
        return true;
    }
}
