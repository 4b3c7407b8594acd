package org.plant4j.pipeline;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.plant4j.UserError;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.pipeline.stage.Fingerprint;
import org.plant4j.pipeline.stage.ResumableTraining;
import org.plant4j.pipeline.stage.Session;
import org.plant4j.pipeline.stage.StageCache;
import org.plant4j.pretrain.LanguageModel;
import org.plant4j.pretrain.LanguageModelConfig;
import org.plant4j.pretrain.LanguageModelObjective;
import org.plant4j.support.FileTree;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.Engine;
import org.plant4j.text.PreparedCorpus;
import org.plant4j.train.TrainingHistory;

/**
 * Trains a language model on the training and the unlabelled text, in one direction. The result is a directory with its
 * weights and history.
 */
final class LanguageModelStage implements StageCache.CachedStage<RunDirectory> {

    static final String NAME = "language-model";

    /** The same for all runs, so that runs with different seeds share the language model. */
    private static final long SEED = 1;

    private final LanguageModelConfig config;
    private final boolean backward;
    private final PreparedCorpus prepared;
    private final Compute compute;
    private final Session session;
    private final Path unfinished;

    LanguageModelStage(
            LanguageModelConfig config,
            boolean backward,
            PreparedCorpus prepared,
            Compute compute,
            Session session,
            Path unfinished) {
        this.config = config;
        this.backward = backward;
        this.prepared = prepared;
        this.compute = compute;
        this.session = session;
        this.unfinished = unfinished;
    }

    /** Adds the settings and the contents of the files that it starts from. */
    static Fingerprint fingerprint(Fingerprint print, LanguageModelConfig config) {
        print.add(config);
        config.start()
                .ifPresent(start -> print.addFiles(Path.of(start.weights())).addFiles(Path.of(start.vocabulary())));
        return print;
    }

    @Override
    public String create(Path draft) {
        RunDirectory directory = new RunDirectory(unfinished);
        String summary;
        Engine.setSeed(SEED);
        try (LanguageModel model =
                new LanguageModel(config, prepared.vocabulary().size(), compute)) {
            String known = config.start()
                    .map(start ->
                            model.loadPretrained(start, prepared.vocabulary()) + " tokens with pretrained embeddings, ")
                    .orElse("");
            Files.createDirectories(unfinished);
            summary = known + ResumableTraining.summary(train(model, directory));
            FileTree.delete(directory.checkpoint());
            Files.move(unfinished, draft, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return summary;
    }

    private TrainingHistory train(LanguageModel model, RunDirectory directory) {
        try (LanguageModelObjective objective = new LanguageModelObjective(
                model,
                config,
                ResumableTraining.pretrainingTexts(prepared),
                backward,
                SEED,
                directory.languageModel())) {
            return new ResumableTraining(NAME, compute, SEED, session, directory)
                    .run(config.trainer(), objective, directory.languageModelHistory());
        }
    }

    @Override
    public boolean isTrainedTogether() {
        return true;
    }

    @Override
    public RunDirectory open(Path path) {
        RunDirectory directory = new RunDirectory(path);
        if (!Files.exists(directory.languageModel()) || !Files.exists(directory.languageModelHistory())) {
            throw new UserError(
                    "The language model is incomplete", path.toString(), "delete it; it will be trained again");
        }
        return directory;
    }
}
