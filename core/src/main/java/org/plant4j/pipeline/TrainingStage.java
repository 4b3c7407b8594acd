package org.plant4j.pipeline;

import java.nio.file.Files;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.plant4j.Progress;
import org.plant4j.UserError;
import org.plant4j.experiment.Experiment;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.experiment.RunManifest;
import org.plant4j.experiment.TrainingSettings;
import org.plant4j.model.ClassificationObjective;
import org.plant4j.model.LabelNetwork;
import org.plant4j.model.LabelTasks;
import org.plant4j.model.MemberCombiner;
import org.plant4j.model.Model;
import org.plant4j.model.NetworkInputs;
import org.plant4j.model.TrainingContext;
import org.plant4j.pipeline.evaluation.DevValidator;
import org.plant4j.pipeline.evaluation.SplitScores;
import org.plant4j.pipeline.stage.Session;
import org.plant4j.pipeline.stage.StageTimes;
import org.plant4j.tensor.Batches;
import org.plant4j.tensor.Compute;
import org.plant4j.text.Dataset;
import org.plant4j.text.LabelIndex;
import org.plant4j.text.PreparedCorpus;
import org.plant4j.text.TokenStore;
import org.plant4j.text.Vocabulary;
import org.plant4j.train.Trainer;
import org.plant4j.train.TrainingCheckpoint;
import org.plant4j.train.TrainingHistory;

/** Trains a model on a prepared corpus and stores it in the run directory. */
final class TrainingStage implements TrainingContext {

    private final Experiment experiment;
    private final RunDirectory directory;
    private final Session session;
    private final PreparedCorpus prepared;
    private final PretrainingInputs inputs;
    private final LabelTasks labelTasks;
    private final StageTimes times;
    private final Predicate<MemberCombiner> ensemble;

    /** {@code ensemble} trains the members of an ensemble, combines and stores them; false if interrupted. */
    TrainingStage(
            Experiment experiment,
            RunDirectory directory,
            Session session,
            PreparedCorpus prepared,
            PretrainingInputs inputs,
            LabelTasks labelTasks,
            StageTimes times,
            Predicate<MemberCombiner> ensemble) {
        this.experiment = experiment;
        this.directory = directory;
        this.session = session;
        this.prepared = prepared;
        this.inputs = inputs;
        this.labelTasks = labelTasks;
        this.times = times;
        this.ensemble = ensemble;
    }

    @Override
    public Vocabulary vocabulary() {
        return prepared.vocabulary();
    }

    @Override
    public LabelIndex labels() {
        return prepared.labels();
    }

    @Override
    public Dataset trainingData() {
        return prepared.trainingData();
    }

    @Override
    public Dataset devData() {
        return prepared.split(PreparedCorpus.DEV);
    }

    @Override
    public int documentCount() {
        return prepared.train().size();
    }

    @Override
    public long seed() {
        return experiment.seed();
    }

    @Override
    public Compute compute() {
        return experiment.compute().open();
    }

    @Override
    public Progress progress() {
        return session.progress();
    }

    @Override
    public LabelTasks labelTasks() {
        return labelTasks;
    }

    @Override
    public NetworkInputs networkInputs() {
        return inputs.forNetwork(directory);
    }

    @Override
    public boolean fit(LabelNetwork<?> network) {
        if (experiment.training().priorBias()) {
            network.initializeBias(priors(), documentCount());
        }
        StartRun.of(experiment).ifPresent(start -> {
            start.load(network, labels());
            session.listener().onStage("start", start.summary(labels()));
        });
        return times.time(
                RunManifest.NETWORK_STAGE, () -> fit(network, trainingData(), prepared.split(PreparedCorpus.DEV)));
    }

    /** Training documents by label. Those of a run that training starts from count too, but their bias is loaded from it. */
    private int[] priors() {
        return Arrays.stream(labels().frequencies())
                .map(frequency -> Math.min(frequency, documentCount()))
                .toArray();
    }

    @Override
    public boolean fitInOneStep(Supplier<? extends Model> training) {
        return session.group().decide(() -> {
            try (Model model = times.time(RunManifest.MODEL_STAGE, training::get)) {
                directory.add(staging -> model.save(staging.path()));
                session.listener().onStage(RunManifest.MODEL_STAGE, labels().size() + " labels");
                return true;
            }
        });
    }

    @Override
    public boolean trainMembers(MemberCombiner combiner) {
        return times.time(RunManifest.MODEL_STAGE, () -> ensemble.test(combiner));
    }

    private boolean fit(LabelNetwork<?> network, Dataset examples, TokenStore dev) {
        TrainingSettings training = experiment.training();
        ClassificationObjective objective = new ClassificationObjective(
                network,
                epoch -> batches(examples, epoch),
                training.fineTuning(),
                training.loss(),
                evidenceLoss(network, examples),
                training.trainingLabels(),
                new DevValidator(network, dev, experiment, directory));
        if (Files.exists(directory.checkpoint())) {
            session.listener().onStage(objective.name(), "resumed from " + directory.checkpoint());
        }
        Trainer.Outcome outcome = new Trainer<>(
                        training.trainerConfig(),
                        objective,
                        network.compute(),
                        experiment.seed(),
                        new TrainingCheckpoint(
                                directory.checkpoint(), directory.readManifest().fingerprint()),
                        session.progress(),
                        session.stop())
                .run(session.group());
        if (session.group().isFirst()) {
            directory.add(directory.history(), outcome.history());
        }
        outcome.history()
                .best()
                .ifPresent(best -> session.listener()
                        .onStage(objective.name(), summary(outcome.history(), best, SplitScores.hasGold(dev))));
        return !outcome.interrupted();
    }

    private double evidenceLoss(LabelNetwork<?> network, Dataset examples) {
        double weight = experiment.training().evidenceLoss();
        if (weight > 0 && !network.supportsEvidenceLoss()) {
            throw new UserError(
                    "The model has no attention that evidence could supervise",
                    "training.evidence_loss",
                    "set training.evidence_loss: 0");
        }
        boolean hasEvidence = IntStream.range(0, examples.size())
                .anyMatch(document -> !examples.evidence(document).isEmpty());
        if (weight > 0 && !hasEvidence) {
            throw new UserError(
                    "No training document has gold evidence",
                    "training.evidence_loss",
                    "set training.evidence_loss: 0, or provide documents with evidence (docs/corpora.md)");
        }
        return weight;
    }

    private Batches batches(Dataset examples, int epoch) {
        TrainingSettings training = experiment.training();
        long seed = experiment.seed();
        return new Batches(
                training.partialDocumentSampling().sample(examples, seed, epoch),
                training.batchSize(),
                training.maxBatchTokens(),
                seed);
    }

    private String summary(TrainingHistory history, TrainingHistory.Epoch best, boolean devHasLabels) {
        int epochs = history.epochs().size();
        return devHasLabels
                ? "best epoch " + (best.epoch() + 1) + " of " + epochs + ", dev "
                        + experiment.training().selectionMetric()
                        + String.format(Locale.ROOT, " %.2f %%", 100 * best.devMetric())
                : "epoch " + epochs + " kept, the last one: dev has no labels to select the best epoch";
    }
}
