package org.plant4j.experiment;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.plant4j.UserError;
import org.plant4j.lm.LanguageModel;
import org.plant4j.lm.LanguageModelling;
import org.plant4j.lm.LmConfig;
import org.plant4j.nn.Compute;
import org.plant4j.nn.Engine;
import org.plant4j.predict.RunFolder;
import org.plant4j.text.PreparedCorpus;
import org.plant4j.train.History;

/**
 * Learns a language model from training and unlabelled text, in one direction; leaves a folder with its weights and
 * history. It takes long, so what is unfinished stays in a folder of its own, from which the next session goes on.
 */
record LmStage(
        LmConfig config,
        boolean backward,
        PreparedCorpus prepared,
        Compute compute,
        Pipeline.Session session,
        Path unfinished)
        implements StageCache.Artefact<RunFolder> {

    static final String NAME = "lm";

    /** Shared by runs of every seed, as word vectors are. */
    private static final long SEED = 1;

    /** Its settings, and the contents of the files that it starts from. */
    static Fingerprint fingerprint(Fingerprint print, LmConfig config) {
        print.add(config);
        config.start()
                .ifPresent(start -> print.addFiles(Path.of(start.weights())).addFiles(Path.of(start.vocabulary())));
        return print;
    }

    @Override
    public String make(Path draft) {
        RunFolder folder = new RunFolder(unfinished);
        String told;
        Engine.seed(SEED);
        try (LanguageModel model =
                new LanguageModel(config, prepared.vocabulary().size(), compute)) {
            String known = config.start()
                    .map(start -> model.start(start, prepared.vocabulary()) + " words known, ")
                    .orElse("");
            Files.createDirectories(unfinished);
            told = known + LongTraining.told(learn(model, folder));
            StageCache.delete(folder.checkpoint());
            Files.move(unfinished, draft, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return told;
    }

    private History learn(LanguageModel model, RunFolder folder) {
        try (LanguageModelling learning = new LanguageModelling(
                model, config, LongTraining.texts(prepared), backward, SEED, folder.languageModel())) {
            return new LongTraining(NAME, compute, SEED, session, folder)
                    .run(config.trainer(), learning, folder.languageModelHistory());
        }
    }

    @Override
    public RunFolder open(Path path) {
        RunFolder folder = new RunFolder(path);
        if (!Files.exists(folder.languageModel()) || !Files.exists(folder.languageModelHistory())) {
            throw new UserError(
                    "The language model is not whole", path.toString(), "delete it, so that it is trained again");
        }
        return folder;
    }
}
