package org.plant4j.train;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.Progress;
import org.plant4j.UserError;
import org.plant4j.distributed.ProcessGroup;
import org.plant4j.distributed.SingleProcess;
import org.plant4j.support.Sha256;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.Engine;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The training loop of all objectives. Each step has its own random seed and each epoch ends with a checkpoint, so that an
 * interrupted training resumes after its last epoch and ends with the same weights.
 */
public final class Trainer<B> {

    private static final Logger LOG = LoggerFactory.getLogger(Trainer.class);

    /** Steps between reads of the loss, which stays on the device: each read makes the GPU wait. */
    private static final int STEPS_BETWEEN_LOSS_CHECKS = 16;

    private final TrainerConfig config;
    private final Objective<B> objective;
    private final Compute compute;
    private final long seed;
    private final CheckpointStore checkpoint;
    private final Progress progress;
    private final BooleanSupplier stop;

    /** {@code stop} is polled before each step. */
    public Trainer(
            TrainerConfig config,
            Objective<B> objective,
            Compute compute,
            long seed,
            TrainingCheckpoint checkpoint,
            Progress progress,
            BooleanSupplier stop) {
        this(config, objective, compute, seed, (CheckpointStore) checkpoint, progress, stop);
    }

    Trainer(
            TrainerConfig config,
            Objective<B> objective,
            Compute compute,
            long seed,
            CheckpointStore checkpoint,
            Progress progress,
            BooleanSupplier stop) {
        Compute.requireTrainable(compute.precision(), "precision");
        this.config = config;
        this.objective = objective;
        this.compute = compute;
        this.seed = seed;
        this.checkpoint = checkpoint;
        this.progress = progress;
        this.stop = stop;
    }

    /** The result of a training; an interrupted one can be resumed from its checkpoint. */
    public record Outcome(TrainingHistory history, boolean interrupted) {}

    /** Trains together with the other processes of a group, which all make this call; alone in a group of one. */
    public Outcome run(ProcessGroup group) {
        return group == SingleProcess.INSTANCE
                ? run()
                : DataParallel.train(group, config, objective, compute, seed, checkpoint, progress, stop);
    }

    public Outcome run() {
        try (AdamW optimizer = new AdamW(objective.parameterGroups(), config.clip(), config.beta1(), config.beta2())) {
            TrainingCheckpoint.State state =
                    checkpoint.read(checkpointTensors(optimizer)).orElse(TrainingCheckpoint.State.START);
            TrainingHistory history = state.history();
            String bestWeights = state.bestWeights();
            boolean bestIsMissing = !bestWeights.equals(bestWeightsChecksum(history));
            int first = history.epochs().size();
            if (first > 0) {
                LOG.info("resumed after epoch {} from {}", first, checkpoint.file());
            }
            int stepsInEpoch = objective.batches(first).size();
            try (Progress.Task task =
                    progress.start(objective.name(), (long) stepsInEpoch * (config.epochs() - first))) {
                for (int epoch = first; epoch < config.epochs() && !patienceExhausted(history); epoch++) {
                    long start = System.nanoTime();
                    double loss = trainEpoch(epoch, optimizer, history, task);
                    if (stop.getAsBoolean()) {
                        return interrupted(history);
                    }
                    Objective.Validation validation = objective.validate();
                    double seconds = (System.nanoTime() - start) / 1e9;
                    history = history.with(new TrainingHistory.Epoch(
                            epoch, loss, validation.loss(), validation.metric(), seconds, validation.otherMetrics()));
                    LOG.info(
                            "epoch {}: loss {}, dev loss {}, dev metric {}, {} s",
                            epoch + 1,
                            loss,
                            validation.loss(),
                            validation.metric(),
                            seconds);
                    task.milestone(epochSummary(history));
                    if (history.best().orElseThrow().epoch() == epoch) {
                        objective.saveBest();
                        bestWeights = bestWeightsChecksum(history);
                        bestIsMissing = false;
                    }
                    requireBestWeights(bestIsMissing);
                    checkpoint.write(checkpointTensors(optimizer), new TrainingCheckpoint.State(history, bestWeights));
                }
            }
            requireBestWeights(bestIsMissing);
            return new Outcome(history, false);
        }
    }

    /** The checksum of the stored weights of the best epoch; empty if there are none. */
    private String bestWeightsChecksum(TrainingHistory history) {
        return history.epochs().isEmpty()
                ? ""
                : objective.bestWeights().filter(Files::exists).map(Sha256::of).orElse("");
    }

    /**
     * A training that was killed after it stored the weights of an epoch and before the checkpoint of this epoch resumes with
     * other weights than those of the checkpoint's best epoch. Repeating the epoch stores them again, otherwise they are lost.
     */
    private void requireBestWeights(boolean missing) {
        if (missing) {
            throw new UserError(
                    "Training cannot resume: the weights of its best epoch are missing or damaged",
                    objective.bestWeights().map(Path::toString).orElse(""),
                    "delete " + checkpoint.file() + " to start from the first epoch");
        }
    }

    private Map<String, Tensor> checkpointTensors(AdamW optimizer) {
        Map<String, Tensor> all = new LinkedHashMap<>();
        objective.parameters().forEach((name, tensor) -> all.put("weights." + name, tensor));
        optimizer.state().forEach((name, tensor) -> all.put("optimizer." + name, tensor));
        return all;
    }

    private boolean patienceExhausted(TrainingHistory history) {
        int done = history.epochs().size();
        return done > 0 && done - 1 - history.best().orElseThrow().epoch() >= config.patience();
    }

    private Outcome interrupted(TrainingHistory history) {
        if (history.epochs().isEmpty()) {
            objective.saveBest(); // no epoch was validated: store the current weights
        }
        LOG.info("interrupted after epoch {}", history.epochs().size());
        return new Outcome(history, true);
    }

    /** Trains one epoch and returns the mean loss of its steps. */
    private double trainEpoch(int epoch, AdamW optimizer, TrainingHistory history, Progress.Task task) {
        List<B> batches = objective.batches(epoch);
        objective.parameterGroups().forEach(group -> group.setTrainable(epoch));
        LearningRateSchedule schedule = config.schedule();
        try (PointerScope epochScope = new PointerScope()) {
            Tensor sum = torch.zeros(new long[] {}, compute.floatOptions());
            int steps = 0;
            for (B batch : batches) {
                if (stop.getAsBoolean()) {
                    break;
                }
                // A seed per step makes resumed training exact without storing the state of the random generators.
                Engine.setSeed(seed * 1_000_003 + (long) epoch * batches.size() + steps);
                double progress = (epoch + (double) steps / batches.size()) / config.epochs();
                step(batch, optimizer, schedule.factor(progress), config.weightDecayScale(progress), sum);
                steps++;
                task.advance(1);
                if (steps % STEPS_BETWEEN_LOSS_CHECKS == 0) {
                    task.message(summary(history, meanLoss(sum, steps, epoch)));
                }
            }
            return steps == 0 ? Double.NaN : meanLoss(sum, steps, epoch);
        }
    }

    private void step(B batch, AdamW optimizer, double factor, double decayScale, Tensor sum) {
        try (PointerScope scope = new PointerScope()) { // frees every tensor created in the step
            optimizer.zeroGradients();
            Tensor loss = objective.trainingStep(batch);
            optimizer.step(factor, decayScale);
            try (NoGradGuard noGrad = new NoGradGuard()) {
                sum.add_(loss.detach());
            }
        }
    }

    private double meanLoss(Tensor sum, int steps, int epoch) {
        double mean = sum.item_double() / steps;
        if (!Double.isFinite(mean)) {
            throw new UserError(
                    "The loss is NaN or infinite",
                    "epoch " + (epoch + 1) + ", within " + STEPS_BETWEEN_LOSS_CHECKS + " steps before step " + steps,
                    "lower training.learning_rate, or set compute.precision: float32");
        }
        return mean;
    }

    /** The last finished epoch. */
    private String epochSummary(TrainingHistory history) {
        TrainingHistory.Epoch last = history.epochs().get(history.epochs().size() - 1);
        String summary = summary(last.epoch() + 1, last.trainLoss(), history);
        return objective.keepsBestEpoch() && hasMetric(last)
                ? summary + " (best epoch " + (history.best().orElseThrow().epoch() + 1) + ")"
                : summary;
    }

    /** The running epoch. */
    private String summary(TrainingHistory history, double loss) {
        return summary(Math.min(history.epochs().size() + 1, config.epochs()), loss, history);
    }

    private String summary(int number, double loss, TrainingHistory history) {
        String summary = String.format(Locale.ROOT, "epoch %d/%d · loss %.4f", number, config.epochs(), loss);
        int done = history.epochs().size();
        return done > 0 && hasMetric(history.epochs().get(done - 1))
                ? summary + " · "
                        + objective.formatMetric(history.epochs().get(done - 1).devMetric())
                : summary;
    }

    private static boolean hasMetric(TrainingHistory.Epoch epoch) {
        return Double.isFinite(epoch.devLoss());
    }
}
