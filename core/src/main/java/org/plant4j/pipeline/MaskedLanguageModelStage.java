package org.plant4j.pipeline;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Locale;
import org.plant4j.UserError;
import org.plant4j.encoder.BertEncoder;
import org.plant4j.encoder.EncoderDirectory;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.pipeline.stage.ResumableTraining;
import org.plant4j.pipeline.stage.Session;
import org.plant4j.pipeline.stage.StageCache;
import org.plant4j.pretrain.MaskedLanguageModel;
import org.plant4j.pretrain.MaskedLanguageModelConfig;
import org.plant4j.pretrain.MaskedLanguageModelObjective;
import org.plant4j.support.FileTree;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.Engine;
import org.plant4j.text.PreparedCorpus;

/**
 * Pretrains an encoder further on the training and the unlabelled text, by masked language modelling. The result is the
 * directory of an encoder with the training history.
 */
final class MaskedLanguageModelStage implements StageCache.CachedStage<RunDirectory> {

    static final String NAME = "masked-language-model";

    /** The same for all runs, so that runs with different seeds share the encoder. */
    private static final long SEED = 1;

    private final MaskedLanguageModelConfig config;
    private final BertEncoder.Config encoder;
    private final EncoderDirectory from;
    private final PreparedCorpus prepared;
    private final Compute compute;
    private final Session session;
    private final Path unfinished;

    MaskedLanguageModelStage(
            MaskedLanguageModelConfig config,
            BertEncoder.Config encoder,
            EncoderDirectory from,
            PreparedCorpus prepared,
            Compute compute,
            Session session,
            Path unfinished) {
        this.config = config;
        this.encoder = encoder;
        this.from = from;
        this.prepared = prepared;
        this.compute = compute;
        this.session = session;
        this.unfinished = unfinished;
    }

    @Override
    public String create(Path draft) {
        RunDirectory directory = new RunDirectory(unfinished);
        EncoderDirectory trained = new EncoderDirectory(unfinished);
        Engine.setSeed(SEED);
        try (MaskedLanguageModel model =
                new MaskedLanguageModel(encoder, from, prepared.vocabulary().size(), compute)) {
            Files.createDirectories(unfinished);
            MaskedLanguageModelObjective objective = new MaskedLanguageModelObjective(
                    model,
                    config,
                    prepared.vocabulary(),
                    ResumableTraining.pretrainingTexts(prepared),
                    SEED,
                    trained.weights());
            double before = Double.parseDouble(session.group()
                    .fromFirst(() -> Double.toString(objective.validate().loss())));
            String summary = ResumableTraining.summary(new ResumableTraining(NAME, compute, SEED, session, directory)
                    .run(config.trainer(), objective, directory.maskedModelHistory()));
            Files.copy(from.tokenizer(), trained.tokenizer(), StandardCopyOption.REPLACE_EXISTING);
            Files.copy(from.tokensFile(), trained.tokensFile(), StandardCopyOption.REPLACE_EXISTING);
            FileTree.delete(directory.checkpoint());
            Files.move(unfinished, draft, StandardCopyOption.ATOMIC_MOVE);
            return summary
                    + (Double.isNaN(before) ? "" : String.format(Locale.ROOT, ", %.1f before", Math.exp(before)))
                    + (model.hasPretrainedHead() ? "" : "; the encoder has no pretrained head, a new one was trained");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public boolean isTrainedTogether() {
        return true;
    }

    @Override
    public RunDirectory open(Path path) {
        RunDirectory directory = new RunDirectory(path);
        new EncoderDirectory(path).requireComplete();
        if (!Files.exists(directory.maskedModelHistory())) {
            throw new UserError(
                    "The further pretrained encoder is incomplete",
                    path.toString(),
                    "delete it; it will be trained again");
        }
        return directory;
    }
}
