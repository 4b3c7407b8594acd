package org.plant4j.pipeline;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.plant4j.UserError;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.pipeline.stage.Session;
import org.plant4j.pipeline.stage.StageCache;
import org.plant4j.rank.RankConfig;
import org.plant4j.rank.RankModel;
import org.plant4j.rank.RankingObjective;
import org.plant4j.rank.Relevance;
import org.plant4j.support.FileTree;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.Engine;
import org.plant4j.text.PreparedCorpus;
import org.plant4j.text.Vocabulary;
import org.plant4j.train.Trainer;
import org.plant4j.train.TrainingCheckpoint;
import org.plant4j.train.TrainingHistory;

/** Trains a ranker of tokens per label. The result is a directory with the files of a ranker in a run. */
final class RankerStage implements StageCache.CachedStage<RunDirectory> {

    private final RankConfig config;
    private final RankModel.Config sizes;
    private final PreparedCorpus prepared;
    private final Relevance relevance;
    private final Optional<float[][]> vectors;
    private final Compute compute;
    private final long seed;
    private final Session session;

    RankerStage(
            RankConfig config,
            RankModel.Config sizes,
            PreparedCorpus prepared,
            Relevance relevance,
            Optional<float[][]> vectors,
            Compute compute,
            long seed,
            Session session) {
        this.config = config;
        this.sizes = sizes;
        this.prepared = prepared;
        this.relevance = relevance;
        this.vectors = vectors;
        this.compute = compute;
        this.seed = seed;
        this.session = session;
    }

    @Override
    public String create(Path draft) {
        try {
            Files.createDirectories(draft);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        RunDirectory directory = new RunDirectory(draft);
        Engine.setSeed(seed);
        try (RankModel model = new RankModel(
                sizes, prepared.vocabulary().size(), prepared.labels().trainedCount(), compute)) {
            if (config.start() == RankConfig.Start.VECTORS) {
                model.setTokenVectors(vectors.orElseThrow());
            }
            RankingObjective training = new RankingObjective(model, config, relevance, frequencies(), seed);
            Trainer.Outcome outcome = new Trainer<>(
                            training.trainer(),
                            training,
                            compute,
                            seed,
                            new TrainingCheckpoint(directory.checkpoint(), directory.name()),
                            session.progress(),
                            session.stop())
                    .run(session.group());
            if (outcome.interrupted()) {
                throw new StageCache.Interrupted();
            }
            FileTree.delete(directory.checkpoint());
            model.save(directory.ranker());
            directory.write(directory.rankerConfig(), sizes);
            directory.write(directory.rankerHistory(), outcome.history());
            return summary(outcome.history().epochs());
        }
    }

    private String summary(List<TrainingHistory.Epoch> epochs) {
        TrainingHistory.Epoch last = epochs.get(epochs.size() - 1);
        String summary = String.format(
                Locale.ROOT, "nDCG@%d %.2f %% on training tokens", config.k(), 100 * (1 - last.trainLoss()));
        return config.heldOutEvery() == 0 || Double.isNaN(last.devMetric())
                ? summary
                : summary + String.format(Locale.ROOT, ", %.2f %% on held-out tokens", 100 * last.devMetric());
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
    public boolean isTrainedTogether() {
        return true;
    }

    @Override
    public RunDirectory open(Path path) {
        RunDirectory directory = new RunDirectory(path);
        if (!Files.exists(directory.ranker()) || !Files.exists(directory.rankerConfig())) {
            throw new UserError("The ranker is incomplete", path.toString(), "delete it; it will be trained again");
        }
        return directory;
    }
}
