package org.plant4j.pipeline;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.plant4j.corpus.codeset.CodeSet;
import org.plant4j.experiment.Experiment;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.model.ClassificationObjective;
import org.plant4j.model.DescriptionAware;
import org.plant4j.model.LabelNetwork;
import org.plant4j.model.Model;
import org.plant4j.model.NetworkConfig;
import org.plant4j.model.baseline.FrequencyPrior;
import org.plant4j.model.linear.LinearSvm;
import org.plant4j.tensor.Batches;
import org.plant4j.tensor.Engine;
import org.plant4j.text.Dataset;
import org.plant4j.text.PreparedCorpus;
import org.plant4j.text.TokenStore;
import org.plant4j.text.Tokenizer;
import org.plant4j.train.Trainer;
import org.plant4j.train.TrainingHistory;

/** Learns a model of either kind from a prepared corpus and leaves it in the run's folder. */
public record TrainingStage(Experiment experiment, RunDirectory folder, Pipeline.Session session) {

    /** False where it was interrupted. */
    boolean trainNetwork(
            NetworkConfig config,
            PreparedCorpus prepared,
            Optional<float[][]> vectors,
            Optional<Path> start,
            Planting planting) {
        Engine.setSeed(experiment.seed());
        try (LabelNetwork<?> network = config.build(
                prepared.vocabulary().size(),
                prepared.labels(),
                experiment.compute().open())) {
            vectors.ifPresent(network.embedding()::setVectors);
            start.ifPresent(network::loadPretrained);
            planting.into(network);
            if (network instanceof DescriptionAware described) {
                described.setDescriptions(descriptions(prepared));
            }
            if (experiment.training().priorBias()) {
                network.initializeBias(
                        prepared.labels().frequencies(), prepared.train().size());
            }
            return learn(network, prepared.trainingData(), prepared.split(Pipeline.DEV));
        }
    }

    /** What the codes mean, in the run's own words; nothing for a code of which its book knows nothing. */
    private List<int[]> descriptions(PreparedCorpus prepared) {
        CodeSet book = CodeSet.read(folder.codeBook());
        try (Tokenizer tokenizer = folder.openTokenizer()) {
            return prepared.labels().codes().stream()
                    .limit(prepared.labels().size())
                    .map(code -> prepared.vocabulary()
                            .ids(tokenizer.tokenize(book.describe(code).orElse(""))))
                    .toList();
        }
    }

    /** A model that is no network learns in one go. */
    boolean trainClosedForm(PreparedCorpus prepared) {
        int words = prepared.vocabulary().size();
        int labels = prepared.labels().size();
        try (Model model = experiment.model() instanceof LinearSvm.Config linear
                ? LinearSvm.train(linear, words, labels, prepared.trainingData(), experiment.seed(), session.progress())
                : FrequencyPrior.of(
                        prepared.labels().frequencies(), prepared.train().size())) {
            model.save(folder.path());
            session.listener().onStage("model", labels + " codes");
            return true;
        }
    }

    private boolean learn(LabelNetwork<?> network, Dataset examples, TokenStore dev) {
        Experiment.TrainingSettings training = experiment.training();
        Batches batches = new Batches(examples, training.batchDocuments(), training.batchTokens(), experiment.seed());
        ClassificationObjective objective = new ClassificationObjective(
                network,
                batches,
                training.fineTuning(),
                training.loss(),
                new DevValidator(network, dev, experiment, folder));
        if (Files.exists(folder.checkpoint())) {
            session.listener().onStage(objective.name(), "resumed from " + folder.checkpoint());
        }
        Trainer.Outcome outcome = new Trainer<>(
                        training.trainerConfig(),
                        objective,
                        network.compute(),
                        experiment.seed(),
                        folder.checkpoint(),
                        session.progress(),
                        session.stop())
                .run();
        folder.write(folder.history(), outcome.history());
        outcome.history()
                .best()
                .ifPresent(best -> session.listener()
                        .onStage(objective.name(), summary(outcome.history(), best, SplitScores.hasGold(dev))));
        return !outcome.interrupted();
    }

    private String summary(TrainingHistory history, TrainingHistory.Epoch best, boolean measured) {
        String epochs = history.epochs().size() + " epochs";
        return measured
                ? "best of " + epochs + ": " + (best.epoch() + 1) + ", dev "
                        + experiment.training().metric()
                        + String.format(Locale.ROOT, " %.4f", best.devMetric())
                : epochs + "; the last is kept, as there are no coded dev documents to choose by";
    }
}
