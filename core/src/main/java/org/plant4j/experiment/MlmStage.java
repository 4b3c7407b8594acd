package org.plant4j.experiment;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Locale;
import org.plant4j.UserError;
import org.plant4j.lm.MaskedModel;
import org.plant4j.lm.MaskedModelling;
import org.plant4j.lm.MlmConfig;
import org.plant4j.nn.BertEncoder;
import org.plant4j.nn.Compute;
import org.plant4j.nn.EncoderFolder;
import org.plant4j.nn.Engine;
import org.plant4j.predict.RunFolder;
import org.plant4j.text.PreparedCorpus;

/**
 * Lets a pretrained encoder go on learning from training and unlabelled text, by guessing hidden words; leaves the folder
 * of an encoder like it, and the history.
 */
record MlmStage(
        MlmConfig config,
        BertEncoder.Config encoder,
        EncoderFolder from,
        PreparedCorpus prepared,
        Compute compute,
        Pipeline.Session session,
        Path unfinished)
        implements StageCache.Artefact<RunFolder> {

    static final String NAME = "mlm";

    /** Shared by runs of every seed, as language models are. */
    private static final long SEED = 1;

    @Override
    public String make(Path draft) {
        RunFolder folder = new RunFolder(unfinished);
        EncoderFolder learned = new EncoderFolder(unfinished);
        Engine.seed(SEED);
        try (MaskedModel model =
                new MaskedModel(encoder, from, prepared.vocabulary().size(), compute)) {
            Files.createDirectories(unfinished);
            MaskedModelling learning = new MaskedModelling(
                    model, config, prepared.vocabulary(), LongTraining.texts(prepared), SEED, learned.weights());
            double before = learning.validate().loss();
            String told = LongTraining.told(new LongTraining(NAME, compute, SEED, session, folder)
                    .run(config.trainer(), learning, folder.maskedModelHistory()));
            Files.copy(from.tokenizer(), learned.tokenizer(), StandardCopyOption.REPLACE_EXISTING);
            Files.copy(from.piecesFile(), learned.piecesFile(), StandardCopyOption.REPLACE_EXISTING);
            StageCache.delete(folder.checkpoint());
            Files.move(unfinished, draft, StandardCopyOption.ATOMIC_MOVE);
            return told
                    + (Double.isNaN(before) ? "" : String.format(Locale.ROOT, ", %.1f before", Math.exp(before)))
                    + (model.knewHead() ? "" : "; the encoder came without a head for hidden words, it began anew");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public RunFolder open(Path path) {
        RunFolder folder = new RunFolder(path);
        new EncoderFolder(path).whole();
        if (!Files.exists(folder.maskedModelHistory())) {
            throw new UserError(
                    "The encoder that went on learning is not whole",
                    path.toString(),
                    "delete it, so that it is trained again");
        }
        return folder;
    }
}
