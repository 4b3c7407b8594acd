package org.plant4j.pipeline.stage;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.tensor.Compute;
import org.plant4j.text.PreparedCorpus;
import org.plant4j.text.TokenStore;
import org.plant4j.train.Objective;
import org.plant4j.train.Trainer;
import org.plant4j.train.TrainerConfig;
import org.plant4j.train.TrainingCheckpoint;
import org.plant4j.train.TrainingHistory;

/** Trains a stage on text with checkpoints in a work directory, from which an interrupted training resumes. */
public final class ResumableTraining {

    private final String stage;
    private final Compute compute;
    private final long seed;
    private final Session session;
    private final RunDirectory workDirectory;

    public ResumableTraining(String stage, Compute compute, long seed, Session session, RunDirectory workDirectory) {
        this.stage = stage;
        this.compute = compute;
        this.seed = seed;
        this.session = session;
        this.workDirectory = workDirectory;
    }

    /** The training and the unlabelled text; documents of dev and test are in neither. */
    public static List<TokenStore> pretrainingTexts(PreparedCorpus prepared) {
        return Stream.of(PreparedCorpus.TRAIN, PreparedCorpus.UNLABELLED)
                .filter(prepared::hasSplit)
                .map(prepared::split)
                .toList();
    }

    /** Trains and writes the history to a file. */
    public <B> TrainingHistory run(TrainerConfig config, Objective<B> objective, Path history) {
        if (Files.exists(workDirectory.checkpoint())) {
            session.listener().onStage(stage, "resumed from " + workDirectory.checkpoint());
        }
        Trainer.Outcome outcome = new Trainer<>(
                        config,
                        objective,
                        compute,
                        seed,
                        new TrainingCheckpoint(workDirectory.checkpoint(), workDirectory.name()),
                        session.progress(),
                        session.stop())
                .run(session.group());
        if (outcome.interrupted()) {
            throw new StageCache.Interrupted();
        }
        workDirectory.write(history, outcome.history());
        return outcome.history();
    }

    /** A short summary for the log. */
    public static String summary(TrainingHistory history) {
        TrainingHistory.Epoch best = history.best().orElseThrow();
        return Double.isNaN(best.devLoss())
                ? history.epochs().size() + " epochs, no held-out text"
                : String.format(Locale.ROOT, "perplexity %.1f on held-out text", Math.exp(best.devLoss()));
    }
}
