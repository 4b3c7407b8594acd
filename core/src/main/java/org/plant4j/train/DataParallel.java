package org.plant4j.train;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.bytedeco.javacpp.FloatPointer;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.Progress;
import org.plant4j.distributed.ProcessGroup;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.Engine;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An objective that several processes train together: each computes the gradients of its share of every batch, and one
 * all-reduce after the last backward pass of a step adds them up. So all take the same step from the same weights.
 * Sparse gradients have the same rows in all processes and are added up one by one.
 *
 * <p>The all-reduce also adds up the loss; a flag per parameter, because one without a gradient in any process must not be
 * updated; and a flag that asks to stop, because no process may leave the others waiting. The first process validates and
 * stores the best weights.
 */
final class DataParallel<B> implements Objective<B>, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(DataParallel.class);

    private static final long SEED_DISTANCE = 7919; // between processes, so that each has its own dropout

    private static final long MAX_SEED = 1 << 24; // a float is exact up to here

    private final Objective<B> objective;
    private final ProcessGroup group;
    private final BooleanSupplier stopRequested;
    private final List<Tensor> parameters; // with dense gradients
    private final List<Tensor> sparseParameters;
    private final long elements;
    private final Tensor flat; // all gradients, then for each parameter whether it has one, then loss, stop and seed
    private boolean stop;
    private long exchangeNanos;

    DataParallel(Objective<B> objective, ProcessGroup group, BooleanSupplier stopRequested, Compute compute) {
        this.objective = objective;
        this.group = group;
        this.stopRequested = stopRequested;
        this.parameters = parameters(objective, false);
        this.sparseParameters = parameters(objective, true);
        this.elements = parameters.stream().mapToLong(Tensor::numel).sum();
        try (PointerScope scope = new PointerScope()) {
            flat = torch.zeros(new long[] {elements + parameters.size() + 3}, compute.floatOptions());
            flat.retainReference();
        }
    }

    private static List<Tensor> parameters(Objective<?> objective, boolean sparse) {
        return objective.parameterGroups().stream()
                .filter(each -> each.sparse() == sparse)
                .flatMap(each -> each.parameters().values().stream())
                .toList();
    }

    /** Trains together with the other processes of the group. */
    static <B> Trainer.Outcome train(
            ProcessGroup group,
            TrainerConfig config,
            Objective<B> objective,
            Compute compute,
            long seed,
            CheckpointStore checkpoint,
            Progress progress,
            BooleanSupplier stop) {
        try (DataParallel<B> parallel = new DataParallel<>(objective, group, stop, compute)) {
            long start = System.nanoTime();
            Trainer.Outcome outcome = new Trainer<>(
                            config,
                            parallel,
                            compute,
                            seed + SEED_DISTANCE * group.rank(),
                            new GroupCheckpoint(checkpoint, group),
                            progress,
                            () -> parallel.stop)
                    .run();
            // Includes waiting for slower processes.
            LOG.info(
                    "{}: {} s of {} s in the all-reduce of gradients",
                    objective.name(),
                    parallel.exchangeNanos / 1e9,
                    (System.nanoTime() - start) / 1e9);
            return outcome;
        }
    }

    @Override
    public String name() {
        return objective.name();
    }

    @Override
    public String formatMetric(double metric) {
        return objective.formatMetric(metric);
    }

    @Override
    public Map<String, Tensor> parameters() {
        return objective.parameters();
    }

    @Override
    public List<ParameterGroup> parameterGroups() {
        return objective.parameterGroups();
    }

    /** Whole batches; the shares are taken in {@link #trainingStep}. */
    @Override
    public List<B> batches(int epoch) {
        return objective.batches(epoch);
    }

    @Override
    public Tensor trainingStep(B batch) {
        Optional<Share<B>> share = objective.share(batch, group.rank(), group.size());
        Optional<Tensor> loss = share.map(own -> objective.trainingStep(own.batch()));
        try (NoGradGuard noGrad = new NoGradGuard()) {
            flat.zero_();
            if (share.isPresent()) {
                collect(share.get(), loss.orElseThrow());
            }
            if (stopRequested.getAsBoolean()) {
                slot(parameters.size() + 1).fill_(new Scalar(1f));
            }
            if (group.isFirst() && !sparseParameters.isEmpty()) {
                slot(parameters.size() + 2).random_(MAX_SEED);
            }
            long start = System.nanoTime();
            group.sum(flat);
            share.ifPresent(own -> sumRows(own.gradientWeight()));
            exchangeNanos += System.nanoTime() - start;
            distribute();
            return slot(parameters.size()).view(new long[] {}).clone();
        }
    }

    /** A number after the gradients. */
    private Tensor slot(int index) {
        return flat.narrow(0, elements + index, 1);
    }

    private void collect(Share<B> share, Tensor loss) {
        long start = 0;
        for (int i = 0; i < parameters.size(); i++) {
            Tensor gradient = parameters.get(i).grad();
            if (gradient.defined()) {
                flat.narrow(0, start, gradient.numel()).copy_(gradient.reshape(-1));
                slot(i).fill_(new Scalar(1f));
            }
            start += parameters.get(i).numel();
        }
        if (share.gradientWeight() != 1) {
            flat.narrow(0, 0, elements).mul_(new Scalar(share.gradientWeight()));
        }
        slot(parameters.size()).copy_(loss.detach().view(1)).mul_(new Scalar(share.lossWeight()));
    }

    /** A frozen parameter has no gradient, in no process. */
    private void sumRows(double weight) {
        for (Tensor parameter : sparseParameters) {
            if (parameter.grad().defined()) {
                group.sum(parameter.grad()._values().mul_(new Scalar(weight)));
            }
        }
    }

    /** Makes views of the summed gradients those of the parameters. */
    private void distribute() {
        float[] flags = new float[parameters.size() + 3];
        new FloatPointer(flat.narrow(0, elements, flags.length).cpu().data_ptr_float()).get(flags);
        long start = 0;
        for (int i = 0; i < parameters.size(); i++) {
            Tensor parameter = parameters.get(i);
            if (flags[i] > 0) {
                parameter
                        .mutable_grad()
                        .put(flat.narrow(0, start, parameter.numel()).view(parameter.shape()));
            }
            start += parameter.numel();
        }
        stop = flags[parameters.size() + 1] > 0;
        if (!sparseParameters.isEmpty()) {
            // The optimizer rounds rows stochastically: all processes must draw the same numbers.
            Engine.setSeed((long) flags[parameters.size() + 2]);
        }
    }

    /** The validation of the first process, so that all agree on the best epoch and on early stopping. */
    @Override
    public Validation validate() {
        String json = group.fromFirst(() -> {
            Validation own = objective.validate();
            return new TrainingHistory(List.of(
                            new TrainingHistory.Epoch(0, Double.NaN, own.loss(), own.metric(), 0, own.otherMetrics())))
                    .toJson();
        });
        TrainingHistory.Epoch epoch = TrainingHistory.fromJson(json).epochs().get(0);
        return new Validation(epoch.devLoss(), epoch.devMetric(), epoch.metrics());
    }

    @Override
    public boolean keepsBestEpoch() {
        return objective.keepsBestEpoch();
    }

    @Override
    public void saveBest() {
        if (group.isFirst()) {
            objective.saveBest();
        }
    }

    @Override
    public Optional<Path> bestWeights() {
        return group.isFirst() ? objective.bestWeights() : Optional.empty();
    }

    @Override
    public void close() {
        flat.close();
    }
}
