package org.plant4j.pipeline;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.rank.RankConfig;
import org.plant4j.rank.RankModel;
import org.plant4j.rank.RankingObjective;
import org.plant4j.rank.Relevance;
import org.plant4j.support.UserError;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.Engine;
import org.plant4j.text.PreparedCorpus;
import org.plant4j.text.Vocabulary;
import org.plant4j.train.Trainer;
import org.plant4j.train.TrainingHistory;

/** Teaches a ranker which tokens speak for which label; leaves a folder with the files of a ranker in a run. */
public record RankerStage(
        RankConfig config,
        RankModel.Config sizes,
        PreparedCorpus prepared,
        Relevance relevance,
        Optional<float[][]> vectors,
        Compute compute,
        Pipeline.Session session)
        implements StageCache.CachedStage<RunDirectory> {

    /** Shared by runs of every seed, as word vectors are. */
    private static final long SEED = 1;

    @Override
    public String create(Path draft) {
        try {
            Files.createDirectories(draft);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        RunDirectory folder = new RunDirectory(draft);
        Engine.setSeed(SEED);
        try (RankModel model = new RankModel(
                sizes, prepared.vocabulary().size(), prepared.labels().trainedCount(), compute)) {
            if (config.start() == RankConfig.Start.VECTORS) {
                model.setTokenVectors(vectors.orElseThrow());
            }
            RankingObjective training = new RankingObjective(model, config, relevance, frequencies(), SEED);
            Trainer.Outcome outcome = new Trainer<>(
                            training.trainer(),
                            training,
                            compute,
                            SEED,
                            folder.checkpoint(),
                            session.progress(),
                            session.stop())
                    .run();
            if (outcome.interrupted()) {
                throw new StageCache.Interrupted();
            }
            StageCache.delete(folder.checkpoint());
            model.save(folder.ranker());
            folder.write(folder.rankerConfig(), sizes);
            folder.write(folder.rankerHistory(), outcome.history());
            return summary(outcome.history().epochs());
        }
    }

    private String summary(List<TrainingHistory.Epoch> epochs) {
        TrainingHistory.Epoch last = epochs.get(epochs.size() - 1);
        String learned = String.format(Locale.ROOT, "nDCG@%d %.4f learned", config.k(), 1 - last.trainLoss());
        return config.heldOutEvery() == 0
                ? learned
                : learned + String.format(Locale.ROOT, ", %.4f on held-out words", last.devMetric());
    }

    private long[] frequencies() {
        Vocabulary vocabulary = prepared.vocabulary();
        long[] frequencies = new long[vocabulary.size()];
        for (int token = 0; token < frequencies.length; token++) {
            frequencies[token] = vocabulary.count(token);
        }
        return frequencies;
    }

    @Override
    public RunDirectory open(Path path) {
        RunDirectory folder = new RunDirectory(path);
        if (!Files.exists(folder.ranker()) || !Files.exists(folder.rankerConfig())) {
            throw new UserError("The ranker is not whole", path.toString(), "delete it, so that it is trained again");
        }
        return folder;
    }
}
