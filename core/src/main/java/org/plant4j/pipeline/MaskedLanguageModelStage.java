package org.plant4j.pipeline;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Locale;
import org.plant4j.encoder.BertEncoder;
import org.plant4j.encoder.EncoderDirectory;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.pretrain.MaskedLanguageModel;
import org.plant4j.pretrain.MaskedLanguageModelConfig;
import org.plant4j.pretrain.MaskedLanguageModelObjective;
import org.plant4j.support.UserError;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.Engine;
import org.plant4j.text.PreparedCorpus;

/**
 * Lets a pretrained encoder go on learning from training and unlabelled text, by guessing hidden words; leaves the folder
 * of an encoder like it, and the history.
 */
public record MaskedLanguageModelStage(
        MaskedLanguageModelConfig config,
        BertEncoder.Config encoder,
        EncoderDirectory from,
        PreparedCorpus prepared,
        Compute compute,
        Pipeline.Session session,
        Path unfinished)
        implements StageCache.CachedStage<RunDirectory> {

    static final String NAME = "masked-language-model";

    /** Shared by runs of every seed, as language models are. */
    private static final long SEED = 1;

    @Override
    public String create(Path draft) {
        RunDirectory folder = new RunDirectory(unfinished);
        EncoderDirectory learned = new EncoderDirectory(unfinished);
        Engine.setSeed(SEED);
        try (MaskedLanguageModel model =
                new MaskedLanguageModel(encoder, from, prepared.vocabulary().size(), compute)) {
            Files.createDirectories(unfinished);
            MaskedLanguageModelObjective learning = new MaskedLanguageModelObjective(
                    model,
                    config,
                    prepared.vocabulary(),
                    ResumableTraining.pretrainingTexts(prepared),
                    SEED,
                    learned.weights());
            double before = learning.validate().loss();
            String told = ResumableTraining.summary(new ResumableTraining(NAME, compute, SEED, session, folder)
                    .run(config.trainer(), learning, folder.maskedModelHistory()));
            Files.copy(from.tokenizer(), learned.tokenizer(), StandardCopyOption.REPLACE_EXISTING);
            Files.copy(from.tokensFile(), learned.tokensFile(), StandardCopyOption.REPLACE_EXISTING);
            StageCache.delete(folder.checkpoint());
            Files.move(unfinished, draft, StandardCopyOption.ATOMIC_MOVE);
            return told
                    + (Double.isNaN(before) ? "" : String.format(Locale.ROOT, ", %.1f before", Math.exp(before)))
                    + (model.hasPretrainedHead()
                            ? ""
                            : "; the encoder came without a head for hidden words, it began anew");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public RunDirectory open(Path path) {
        RunDirectory folder = new RunDirectory(path);
        new EncoderDirectory(path).requireComplete();
        if (!Files.exists(folder.maskedModelHistory())) {
            throw new UserError(
                    "The encoder that went on learning is not whole",
                    path.toString(),
                    "delete it, so that it is trained again");
        }
        return folder;
    }
}
