package org.plant4j.model.isd;

import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.bytedeco.javacpp.FloatPointer;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptions;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.layer.TransformerDecoder;
import org.plant4j.tensor.Batch;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.LabelSelection;
import org.plant4j.tensor.Segments;
import org.plant4j.train.Loss;

/**
 * How ISD learns (equation 15): to predict; to complete sets of labels from which one was taken, and to weed out one that
 * was added; to predict from the descriptions of a note's labels alone, the teacher; and to view the note as the teacher
 * views those.
 */
public record IsdTraining(Isd network, Loss loss) {

    /** Leaves the gradients of all losses; what it returns is that of prediction alone, to be compared with dev's. */
    Tensor computeGradients(Segments segments, Tensor targets) {
        Isd.LossWeights weights = network.config().weights();
        Tensor prediction;
        Tensor total;
        try (Compute.Autocast autocast = network.compute().autocast()) {
            Batch notes = segments.get(0);
            int[][] gold = goldLabels(targets);
            Tensor codes = network.labelEmbeddings();
            Isd.Views student = network.computeViews(network.hiddenStates(notes), notes.mask(), true);
            prediction = crossEntropy(student, codes, targets);
            total = prediction.mul(new Scalar(weights.prediction()));
            if (student.memory().isPresent() && weights.missing() + weights.wrong() > 0) {
                total = total.add(completionLosses(
                        gold, network.withMask(codes), student.memory().get()));
            }
            if (network.config().selfDistillation()) {
                Optional<DescriptionDocuments> purified = DescriptionDocuments.of(gold, network.descriptions());
                total = purified.isEmpty()
                        ? total
                        : total.add(distillationLosses(purified.get(), student, codes, targets));
            }
        }
        total.backward();
        return prediction.detach();
    }

    /** The labels of each document, rising. */
    private static int[][] goldLabels(Tensor targets) {
        int documents = (int) targets.size(0);
        int labels = (int) targets.size(1);
        float[] all = new float[documents * labels];
        new FloatPointer(targets.cpu().contiguous().data_ptr_float()).get(all);
        return IntStream.range(0, documents)
                .mapToObj(document -> IntStream.range(0, labels)
                        .filter(label -> all[document * labels + label] > 0)
                        .toArray())
                .toArray(int[][]::new);
    }

    /** Equations 8 and 12. */
    private Tensor crossEntropy(Isd.Views reading, Tensor codes, Tensor targets) {
        Tensor logits = network.logits(reading, codes).add(network.bias().bias(LabelSelection.ALL));
        return loss.compute(logits.to(torch.ScalarType.Float), targets, loss.positiveWeight(targets));
    }

    /** Both tasks on sets of labels (L + 1, H), each with its weight. */
    private Tensor completionLosses(int[][] gold, Tensor vectors, TransformerDecoder.Memory text) {
        Isd.LossWeights weights = network.config().weights();
        int labels = network.labels();
        // The step's own seed is libtorch's: so a resumed training draws what an unbroken one does.
        long seed = torch.randint(Long.MAX_VALUE, new long[] {1}, new TensorOptions(torch.ScalarType.Long))
                .item_long();
        Random random = new Random(seed);
        double scale = (double) labels / gold.length;
        return completionLoss(CompletionTask.missing(gold, labels, random), vectors, text)
                .mul(new Scalar(weights.missing() * scale))
                .add(completionLoss(CompletionTask.wrong(gold, labels, random), vectors, text)
                        .mul(new Scalar(weights.wrong() * scale)));
    }

    /** −log P of what belongs in the place of the first of each set, summed over the sets (equations 9 and 10). */
    Tensor completionLoss(CompletionTask sets, Tensor vectors, TransformerDecoder.Memory text) {
        if (sets.documents().length == 0) {
            return torch.zeros(new long[] {}, network.compute().floatOptions());
        }
        int[] lengths =
                Arrays.stream(sets.labelSets()).mapToInt(set -> set.length).toArray();
        Tensor members = vectors.index_select(0, padded(sets.labelSets()))
                .view(lengths.length, Arrays.stream(lengths).max().orElseThrow(), vectors.size(1)); // (R, S, H)
        Tensor first = network.decode(members, paddingMask(lengths), text.select(indices(sets.documents())))
                .select(1, 0); // (R, H)
        Tensor likely = torch.log_softmax(Isd.scores(first, vectors).to(torch.ScalarType.Float), 1);
        return likely.gather(1, indices(sets.targets()).unsqueeze(1)).sum().neg();
    }

    /** The teacher's own loss and the student's distance to it, each with its weight. */
    private Tensor distillationLosses(DescriptionDocuments purified, Isd.Views student, Tensor codes, Tensor targets) {
        Isd.LossWeights weights = network.config().weights();
        int documents = purified.rows().length;
        Tensor rows = indices(purified.rows());
        double share = (double) documents / targets.size(0);
        Isd.Views teacher = teacherViews(purified);
        Tensor learned =
                crossEntropy(teacher, codes, targets.index_select(0, rows)).mul(new Scalar(weights.teacher() * share));
        if (weights.distillation() == 0 || student.sharedViews().isEmpty()) {
            return learned;
        }
        Tensor distance = DistillationLoss.distances(
                        student.sharedViews().get().index_select(0, rows),
                        teacher.sharedViews().orElseThrow(),
                        network.compute())
                .mean();
        return learned.add(distance.mul(new Scalar(weights.distillation() * network.labels() * share)));
    }

    /** What is read where there are only descriptions: each by itself, then one after the other. */
    private Isd.Views teacherViews(DescriptionDocuments purified) {
        Batch descriptions = Batch.forTraining(purified.descriptions(), network.compute());
        Tensor states = network.hiddenStates(descriptions).flatten(0, 1); // (C · N, H)
        int[] lengths = Arrays.stream(purified.tokenPositions())
                .mapToInt(own -> own.length)
                .toArray();
        Tensor joined = states.index_select(0, padded(purified.tokenPositions()))
                .view(lengths.length, Arrays.stream(lengths).max().orElseThrow(), states.size(1)); // (R, N, H)
        return network.computeViews(joined, paddingMask(lengths).logical_not(), true);
    }

    /** Rows padded with zeros to one length, one after the other. */
    private Tensor padded(int[][] rows) {
        int width = Arrays.stream(rows).mapToInt(row -> row.length).max().orElse(0);
        long[] flat = new long[rows.length * width];
        for (int row = 0; row < rows.length; row++) {
            for (int i = 0; i < rows[row].length; i++) {
                flat[row * width + i] = rows[row][i];
            }
        }
        return network.compute().toDevice(Tensor.create(flat));
    }

    private Tensor indices(int[] values) {
        return network.compute()
                .toDevice(Tensor.create(Arrays.stream(values).asLongStream().toArray()));
    }

    /** (R, S): true behind the end of each row. */
    private Tensor paddingMask(int[] lengths) {
        int width = Arrays.stream(lengths).max().orElse(0);
        long[] behind = new long[lengths.length * width];
        for (int row = 0; row < lengths.length; row++) {
            Arrays.fill(behind, row * width + lengths[row], (row + 1) * width, 1);
        }
        return network.compute()
                .toDevice(Tensor.create(behind, lengths.length, width))
                .gt(new Scalar(0));
    }
}
