package org.plant4j.pipeline.evaluation;

import org.plant4j.Progress;
import org.plant4j.Thresholds;
import org.plant4j.experiment.Experiment;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.metric.Evaluator;
import org.plant4j.metric.Predictions;
import org.plant4j.model.LabelNetwork;
import org.plant4j.model.Model;
import org.plant4j.model.ModelConfig;
import org.plant4j.pipeline.stage.Session;
import org.plant4j.tensor.Compute;
import org.plant4j.text.PreparedCorpus;

/** Tunes thresholds, calibration and guard on dev, then evaluates test once, if it has labels. */
public final class EvaluationStage {

    private final Experiment experiment;
    private final RunDirectory directory;
    private final Session session;

    public EvaluationStage(Experiment experiment, RunDirectory directory, Session session) {
        this.experiment = experiment;
        this.directory = directory;
        this.session = session;
    }

    /** Reads the model from the run directory and writes the evaluation to another one. */
    public boolean run(PreparedCorpus prepared, RunDirectory output) {
        Compute compute = experiment.compute().open();
        Evaluator evaluator = EvaluationProtocol.evaluator(
                experiment,
                directory.readManifest().trainedDocuments(),
                prepared.labels().frequencies());
        try (Model model = model(prepared, compute, output)) {
            Thresholds thresholds;
            try (SplitScores dev = scores(model, prepared, PreparedCorpus.DEV, output)) {
                thresholds = DevValidator.thresholds(experiment, dev);
                output.write(output.thresholds(), thresholds);
                store(output, PreparedCorpus.DEV, dev, evaluator, thresholds, prepared);
            }
            output.write(output.calibration(), DevCalibration.fit(output));
            writeProfiles(prepared, output);
            if (SplitScores.hasGold(prepared.split(PreparedCorpus.TEST))) {
                try (SplitScores test = scores(model, prepared, PreparedCorpus.TEST, output)) {
                    store(output, PreparedCorpus.TEST, test, evaluator, thresholds, prepared);
                }
            }
        }
        session.listener().onStage("evaluate", "done");
        return true;
    }

    /** Those of a start run are kept. */
    private void writeProfiles(PreparedCorpus prepared, RunDirectory output) {
        boolean kept = experiment.start().isPresent();
        if (!kept || !directory.has(directory.domain())) {
            DomainTuning.tune(directory, prepared).ifPresent(profile -> output.write(output.domain(), profile));
        }
        if (!kept || !directory.has(directory.contextProfile())) {
            output.write(output.contextProfile(), ContextProfiling.profile(experiment.corpus()));
        }
    }

    /** Loads the model, with the size of shortlists that is chosen on dev if one is asked for. */
    private Model model(PreparedCorpus prepared, Compute compute, RunDirectory output) {
        ModelConfig stored = directory.modelConfig();
        double agreement = experiment.evaluation().shortlistAgreement();
        ModelConfig config = agreement == 0
                ? stored.withShortlist(0).map(scored -> experiment.model()).orElse(stored)
                : stored.withShortlist(chooseShortlist(stored, agreement, prepared, compute, output))
                        .orElseThrow();
        if (!config.equals(stored)) {
            output.write(output.model(), config);
        }
        if (agreement == 0 && directory.has(directory.shortlist())) { // chosen by an earlier evaluation
            output.write(output.shortlist(), ShortlistTuning.Choice.NONE);
        }
        return load(config, prepared, compute);
    }

    private int chooseShortlist(
            ModelConfig stored, double agreement, PreparedCorpus prepared, Compute compute, RunDirectory output) {
        try (Model model = load(stored.withShortlist(0).orElseThrow(), prepared, compute)) {
            ShortlistTuning.Choice choice = ShortlistTuning.choose(
                    (LabelNetwork<?>) model, prepared.split(PreparedCorpus.DEV), agreement, session.progress());
            output.write(output.shortlist(), choice);
            session.listener().onStage("shortlist", choice.toString());
            return choice.size();
        }
    }

    private Model load(ModelConfig config, PreparedCorpus prepared, Compute compute) {
        return config.load(directory.path(), prepared.vocabulary().size(), prepared.labels(), compute);
    }

    private SplitScores scores(Model model, PreparedCorpus prepared, String split, RunDirectory output) {
        return SplitScores.of(model, prepared.split(split), "evaluate " + split, session.progress(), output.path());
    }

    private void store(
            RunDirectory output,
            String split,
            SplitScores scores,
            Evaluator evaluator,
            Thresholds thresholds,
            PreparedCorpus prepared) {
        if (!scores.hasGold()) {
            return;
        }
        try (Progress.Task task = session.progress().start("metrics " + split, -1)) {
            evaluator.evaluate(scores.scores(), scores.gold(), thresholds).write(output.metrics(split));
        }
        Predictions.write(
                output.predictions(split),
                scores.ids(),
                prepared.labels()::code,
                scores.scores(),
                scores.gold(),
                thresholds,
                experiment.evaluation().predictionsPerDocument());
    }
}
