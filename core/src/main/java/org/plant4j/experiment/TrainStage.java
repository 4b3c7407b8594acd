package org.plant4j.experiment;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.plant4j.corpus.CodeBook;
import org.plant4j.models.Classification;
import org.plant4j.models.Described;
import org.plant4j.models.FrequencyPrior;
import org.plant4j.models.LabelNetwork;
import org.plant4j.models.Linear;
import org.plant4j.models.Model;
import org.plant4j.models.NetworkConfig;
import org.plant4j.nn.Batches;
import org.plant4j.nn.Engine;
import org.plant4j.predict.RunFolder;
import org.plant4j.text.Examples;
import org.plant4j.text.PreparedCorpus;
import org.plant4j.text.TokenStore;
import org.plant4j.text.Tokenizer;
import org.plant4j.train.History;
import org.plant4j.train.Trainer;

/** Learns a model of either kind from a prepared corpus and leaves it in the run's folder. */
record TrainStage(Experiment experiment, RunFolder folder, Pipeline.Session session) {

    /** False where it was interrupted. */
    boolean network(
            NetworkConfig config,
            PreparedCorpus prepared,
            Optional<float[][]> vectors,
            Optional<Path> start,
            Planting planting) {
        Engine.seed(experiment.seed());
        try (LabelNetwork network = config.build(
                prepared.vocabulary().size(),
                prepared.labels(),
                experiment.compute().open())) {
            vectors.ifPresent(network.embedding()::start);
            start.ifPresent(network::start);
            planting.into(network);
            if (network instanceof Described described) {
                described.describe(descriptions(prepared));
            }
            if (experiment.training().priorBias()) {
                network.startFromPrior(
                        prepared.labels().frequencies(), prepared.train().size());
            }
            return learn(network, prepared.learning(), prepared.part(Pipeline.DEV));
        }
    }

    /** What the codes mean, in the run's own words; nothing for a code of which its book knows nothing. */
    private List<int[]> descriptions(PreparedCorpus prepared) {
        CodeBook book = CodeBook.read(folder.codeBook());
        try (Tokenizer tokenizer = folder.openTokenizer()) {
            return prepared.labels().codes().stream()
                    .limit(prepared.labels().size())
                    .map(code -> prepared.vocabulary()
                            .ids(tokenizer.tokenize(book.describe(code).orElse(""))))
                    .toList();
        }
    }

    /** A model that is no network learns in one go. */
    boolean plain(PreparedCorpus prepared) {
        int words = prepared.vocabulary().size();
        int labels = prepared.labels().size();
        try (Model model = experiment.model() instanceof Linear.Config linear
                ? Linear.train(linear, words, labels, prepared.learning(), experiment.seed(), session.progress())
                : FrequencyPrior.of(
                        prepared.labels().frequencies(), prepared.train().size())) {
            model.save(folder.path());
            session.listener().stage("train", labels + " codes");
            return true;
        }
    }

    private boolean learn(LabelNetwork network, Examples examples, TokenStore dev) {
        Experiment.Training training = experiment.training();
        Batches batches = new Batches(examples, training.batchDocuments(), training.batchTokens(), experiment.seed());
        Classification objective = new Classification(
                network, batches, training.tuning(), training.loss(), new DevJudge(network, dev, experiment, folder));
        if (Files.exists(folder.checkpoint())) {
            session.listener().stage("train", "resumed from " + folder.checkpoint());
        }
        Trainer.Outcome outcome = new Trainer<>(
                        training.trainer(),
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
                .ifPresent(
                        best -> session.listener().stage("train", told(outcome.history(), best, Scoring.hasGold(dev))));
        return !outcome.interrupted();
    }

    private String told(History history, History.Epoch best, boolean measured) {
        String epochs = history.epochs().size() + " epochs";
        return measured
                ? "best of " + epochs + ": " + (best.epoch() + 1) + ", dev "
                        + experiment.training().metric()
                        + String.format(Locale.ROOT, " %.4f", best.devMetric())
                : epochs + "; the last is kept, as there are no coded dev documents to choose by";
    }
}
