package org.plant4j.pipeline;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.pretrain.LanguageModel;
import org.plant4j.pretrain.LanguageModelConfig;
import org.plant4j.pretrain.LanguageModelObjective;
import org.plant4j.support.UserError;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.Engine;
import org.plant4j.text.PreparedCorpus;
import org.plant4j.train.TrainingHistory;

/**
 * Learns a language model from training and unlabelled text, in one direction; leaves a folder with its weights and
 * history. It takes long, so what is unfinished stays in a folder of its own, from which the next session goes on.
 */
public record LanguageModelStage(
        LanguageModelConfig config,
        boolean backward,
        PreparedCorpus prepared,
        Compute compute,
        Pipeline.Session session,
        Path unfinished)
        implements StageCache.CachedStage<RunDirectory> {

    static final String NAME = "language-model";

    /** Shared by runs of every seed, as word vectors are. */
    private static final long SEED = 1;

    /** Its settings, and the contents of the files that it starts from. */
    static Fingerprint fingerprint(Fingerprint print, LanguageModelConfig config) {
        print.add(config);
        config.start()
                .ifPresent(start -> print.addFiles(Path.of(start.weights())).addFiles(Path.of(start.vocabulary())));
        return print;
    }

    @Override
    public String create(Path draft) {
        RunDirectory folder = new RunDirectory(unfinished);
        String told;
        Engine.setSeed(SEED);
        try (LanguageModel model =
                new LanguageModel(config, prepared.vocabulary().size(), compute)) {
            String known = config.start()
                    .map(start -> model.loadPretrained(start, prepared.vocabulary()) + " words known, ")
                    .orElse("");
            Files.createDirectories(unfinished);
            told = known + ResumableTraining.summary(learn(model, folder));
            StageCache.delete(folder.checkpoint());
            Files.move(unfinished, draft, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return told;
    }

    private TrainingHistory learn(LanguageModel model, RunDirectory folder) {
        try (LanguageModelObjective learning = new LanguageModelObjective(
                model, config, ResumableTraining.pretrainingTexts(prepared), backward, SEED, folder.languageModel())) {
            return new ResumableTraining(NAME, compute, SEED, session, folder)
                    .run(config.trainer(), learning, folder.languageModelHistory());
        }
    }

    @Override
    public RunDirectory open(Path path) {
        RunDirectory folder = new RunDirectory(path);
        if (!Files.exists(folder.languageModel()) || !Files.exists(folder.languageModelHistory())) {
            throw new UserError(
                    "The language model is not whole", path.toString(), "delete it, so that it is trained again");
        }
        return folder;
    }
}
