package org.plant4j.model;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.bytedeco.pytorch.Tensor;
import org.plant4j.support.Arguments;
import org.plant4j.tensor.Batches;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.LabelSelection;
import org.plant4j.tensor.Segments;
import org.plant4j.text.TokenEvidence;
import org.plant4j.train.AbstractObjective;
import org.plant4j.train.FineTuning;
import org.plant4j.train.Loss;
import org.plant4j.train.ParameterGroup;

/** Trains a label network to classify documents. */
public final class ClassificationObjective extends AbstractObjective<ClassificationObjective.DocumentBatch> {

    private final LabelNetwork<?> network;
    private final IntFunction<Batches> batchesByEpoch;
    private final Loss loss;
    private final double evidenceLoss;
    private final TrainingLabels labels;
    private final Validator validator;
    private Batches batches; // of the current epoch

    /**
     * The documents of a training step.
     *
     * @param own those that this process trains on
     * @param all those of all processes, for which a shortlist of labels is chosen
     */
    @SuppressWarnings("ArrayRecordComponent") // passed on, never compared
    public record DocumentBatch(int[] own, int[] all) {}

    /** Evaluates the network on dev documents and stores its best state. */
    public interface Validator {

        /** The epoch number keeps counting when training is resumed. */
        Validation validate(int epoch);

        void saveBest();

        /** The file with the weights that {@link #saveBest} stored, if any. */
        default Optional<Path> bestWeights() {
            return Optional.empty();
        }

        /** The metric that selects the best epoch, for progress lines. */
        default String metricName() {
            return "metric";
        }
    }

    public ClassificationObjective(LabelNetwork<?> network, Batches batches, FineTuning tuning, Validator validator) {
        this(network, batches, tuning, Loss.PLAIN, validator);
    }

    public ClassificationObjective(
            LabelNetwork<?> network, Batches batches, FineTuning tuning, Loss loss, Validator validator) {
        this(network, epoch -> batches, tuning, loss, 0, validator);
    }

    /** Trains all labels; see below. */
    public ClassificationObjective(
            LabelNetwork<?> network,
            IntFunction<Batches> batchesByEpoch,
            FineTuning tuning,
            Loss loss,
            double evidenceLoss,
            Validator validator) {
        this(network, batchesByEpoch, tuning, loss, evidenceLoss, TrainingLabels.ALL, validator);
    }

    /**
     * {@code batchesByEpoch} provides the documents of each epoch; it depends on the epoch only.
     *
     * @param evidenceLoss weight of the loss that pulls attention onto gold evidence; 0 for none
     * @param labels the labels that each step trains
     */
    public ClassificationObjective(
            LabelNetwork<?> network,
            IntFunction<Batches> batchesByEpoch,
            FineTuning tuning,
            Loss loss,
            double evidenceLoss,
            TrainingLabels labels,
            Validator validator) {
        super("network", network.state(), parameterGroups(network, tuning, labels));
        Arguments.check(
                labels.areAll() || evidenceLoss == 0, "evidence_loss", evidenceLoss, "0 with a shortlist of labels");
        this.network = network;
        this.batchesByEpoch = batchesByEpoch;
        this.batches = batchesByEpoch.apply(0);
        this.loss = loss;
        this.evidenceLoss = evidenceLoss;
        this.labels = labels;
        this.validator = validator;
    }

    private static List<ParameterGroup> parameterGroups(
            LabelNetwork<?> network, FineTuning tuning, TrainingLabels labels) {
        List<ParameterGroup> groups =
                tuning.parameterGroups(network.parameters(), network.encoderLayers(), network.plantedLayer());
        return labels.areAll()
                ? groups
                : groups.stream()
                        .flatMap(group ->
                                group.withSparse(network.labelParameters().keySet()).stream())
                        .toList();
    }

    @Override
    protected List<DocumentBatch> batchesOf(int epoch) {
        batches = batchesByEpoch.apply(epoch);
        return batches.epoch(epoch).stream()
                .map(documents -> new DocumentBatch(documents, documents))
                .toList();
    }

    /** A step of this process alone. */
    public Tensor trainingStep(int... documents) {
        return trainingStep(new DocumentBatch(documents, documents));
    }

    @Override
    public Tensor trainingStep(DocumentBatch batch) {
        int[] documents = batch.own;
        Compute compute = network.compute();
        Segments segments = batches.load(documents, network::inReadingOrder, network.segmentLength(), compute);
        if (!labels.areAll()) {
            return shortlistedStep(batch, segments);
        }
        Tensor targets = batches.targets(documents, network.trainedLabels(), compute);
        return evidenceLoss == 0
                ? network.computeGradients(segments, targets, loss)
                : network.computeGradients(
                        segments, targets, loss, new EvidenceLoss(evidenceLoss, evidence(documents, segments)));
    }

    @Override
    public Optional<Share<DocumentBatch>> share(DocumentBatch batch, int rank, int size) {
        Optional<Share<int[]>> share = Share.of(batch.all, rank, size);
        if (share.isEmpty() && !labels.areAll()) {
            // The gradient of every process must have the rows of the shortlist.
            share = Optional.of(new Share<>(new int[] {batch.all[0]}, 0, 0));
        }
        return share.map(
                own -> new Share<>(new DocumentBatch(own.batch(), batch.all), own.gradientWeight(), own.lossWeight()));
    }

    private Tensor shortlistedStep(DocumentBatch batch, Segments segments) {
        long seed = 31L * epoch() + Arrays.hashCode(batch.all); // depends on the step only, for exact resumption
        List<int[]> tokens = batches.tokens(batch.all, network::inReadingOrder);
        int[] chosen = labels.choose(network, tokens, batches.labels(batch.all), seed);
        return network.computeGradients(
                segments,
                batches.targets(batch.own, chosen, network.compute()),
                loss,
                LabelSelection.Shortlisted.of(chosen, network.compute()));
    }

    /** Gold evidence with positions in the order in which the network reads. */
    private List<List<TokenEvidence>> evidence(int[] documents, Segments segments) {
        List<List<TokenEvidence>> evidence = batches.evidence(documents);
        return IntStream.range(0, documents.length)
                .mapToObj(row -> evidence.get(row).stream()
                        .map(entry -> network.inReadingOrder(
                                entry, segments.documents().get(row).length))
                        .toList())
                .toList();
    }

    @Override
    public String formatMetric(double metric) {
        return String.format(Locale.ROOT, "dev %s %.2f %%", validator.metricName(), 100 * metric);
    }

    @Override
    public Validation validate() {
        return validator.validate(epoch());
    }

    @Override
    public void saveBest() {
        validator.saveBest();
    }

    @Override
    public Optional<Path> bestWeights() {
        return validator.bestWeights();
    }
}
