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
import org.plant4j.layer.transformer.TransformerDecoder;
import org.plant4j.tensor.Batch;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.LabelSelection;
import org.plant4j.tensor.Segments;
import org.plant4j.train.Loss;

/**
 * The losses of ISD (equation 15): cross-entropy of the labels; completion of label sets from which a label was
 * removed, and detection of one that was added; cross-entropy of a teacher that reads only the descriptions of a
 * document's labels; and the distance of the document's views to the teacher's.
 */
final class IsdTraining {

    private final Isd network;
    private final Loss loss;

    IsdTraining(Isd network, Loss loss) {
        this.network = network;
        this.loss = loss;
    }

    /**
     * Accumulates the gradients of all losses. Returns the cross-entropy of the labels alone, which is comparable with
     * the dev loss.
     */
    Tensor computeGradients(Segments segments, Tensor targets) {
        Isd.LossWeights weights = network.config().weights();
        Tensor prediction;
        Tensor total;
        try (Compute.Autocast autocast = network.compute().autocast()) {
            Batch batch = segments.get(0);
            int[][] gold = goldLabels(targets);
            Tensor labelEmbeddings = network.labelEmbeddings();
            Isd.Views student = network.computeViews(network.hiddenStates(batch), batch.mask(), true);
            prediction = crossEntropy(student, labelEmbeddings, targets);
            total = prediction.mul(new Scalar(weights.prediction()));
            if (student.memory().isPresent() && weights.missing() + weights.wrong() > 0) {
                total = total.add(completionLosses(
                        gold,
                        network.withMask(labelEmbeddings),
                        student.memory().get()));
            }
            if (network.config().selfDistillation()) {
                Optional<DescriptionDocuments> descriptionDocuments =
                        DescriptionDocuments.of(gold, network.descriptions());
                total = descriptionDocuments.isEmpty()
                        ? total
                        : total.add(distillationLosses(descriptionDocuments.get(), student, labelEmbeddings, targets));
            }
        }
        total.backward();
        return prediction.detach();
    }

    /** The labels of each document in ascending order. */
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
    private Tensor crossEntropy(Isd.Views views, Tensor labelEmbeddings, Tensor targets) {
        Tensor logits =
                network.logits(views, labelEmbeddings).add(network.bias().bias(LabelSelection.ALL));
        return loss.compute(logits.to(torch.ScalarType.Float), targets, loss.positiveWeight(targets));
    }

    /** Weighted losses of both label set tasks; {@code embeddings} (L + 1, H) end with that of the mask. */
    private Tensor completionLosses(int[][] gold, Tensor embeddings, TransformerDecoder.Memory memory) {
        Isd.LossWeights weights = network.config().weights();
        int labels = network.labels();
        // libtorch is seeded by the trainer for each step, so that resumed training draws the same numbers.
        long seed = torch.randint(Long.MAX_VALUE, new long[] {1}, new TensorOptions(torch.ScalarType.Long))
                .item_long();
        Random random = new Random(seed);
        double scale = (double) labels / gold.length;
        return completionLoss(CompletionTask.missing(gold, labels, random), embeddings, memory)
                .mul(new Scalar(weights.missing() * scale))
                .add(completionLoss(CompletionTask.wrong(gold, labels, random), embeddings, memory)
                        .mul(new Scalar(weights.wrong() * scale)));
    }

    /**
     * Negative log-likelihood of the target as the first element of each set, summed over the sets (equations 9 and
     * 10).
     */
    Tensor completionLoss(CompletionTask sets, Tensor embeddings, TransformerDecoder.Memory memory) {
        if (sets.documents().length == 0) {
            return torch.zeros(new long[] {}, network.compute().floatOptions());
        }
        int[] lengths =
                Arrays.stream(sets.labelSets()).mapToInt(set -> set.length).toArray();
        Tensor members = embeddings
                .index_select(0, padded(sets.labelSets()))
                .view(lengths.length, Arrays.stream(lengths).max().orElseThrow(), embeddings.size(1)); // (R, S, H)
        Tensor first = network.decode(members, paddingMask(lengths), memory.select(indices(sets.documents())))
                .select(1, 0); // (R, H)
        Tensor logProbabilities =
                torch.log_softmax(Isd.scores(first, embeddings).to(torch.ScalarType.Float), 1);
        return logProbabilities
                .gather(1, indices(sets.targets()).unsqueeze(1))
                .sum()
                .neg();
    }

    /** Weighted losses of the teacher and of the student's distance to it. */
    private Tensor distillationLosses(
            DescriptionDocuments descriptionDocuments, Isd.Views student, Tensor labelEmbeddings, Tensor targets) {
        Isd.LossWeights weights = network.config().weights();
        int documents = descriptionDocuments.rows().length;
        Tensor rows = indices(descriptionDocuments.rows());
        double fraction = (double) documents / targets.size(0);
        Isd.Views teacher = teacherViews(descriptionDocuments);
        Tensor teacherLoss = crossEntropy(teacher, labelEmbeddings, targets.index_select(0, rows))
                .mul(new Scalar(weights.teacher() * fraction));
        if (weights.distillation() == 0 || student.sharedViews().isEmpty()) {
            return teacherLoss;
        }
        Tensor distance = DistillationLoss.distances(
                        student.sharedViews().get().index_select(0, rows),
                        teacher.sharedViews().orElseThrow(),
                        network.compute())
                .mean();
        return teacherLoss.add(distance.mul(new Scalar(weights.distillation() * network.labels() * fraction)));
    }

    /** Views of the teacher: descriptions are encoded one by one, and their hidden states concatenated. */
    private Isd.Views teacherViews(DescriptionDocuments descriptionDocuments) {
        Batch descriptions = Batch.forTraining(descriptionDocuments.descriptions(), network.compute());
        Tensor states = network.hiddenStates(descriptions).flatten(0, 1); // (C · N, H)
        int[] lengths = Arrays.stream(descriptionDocuments.tokenPositions())
                .mapToInt(positions -> positions.length)
                .toArray();
        Tensor joined = states.index_select(0, padded(descriptionDocuments.tokenPositions()))
                .view(lengths.length, Arrays.stream(lengths).max().orElseThrow(), states.size(1)); // (R, N, H)
        return network.computeViews(joined, paddingMask(lengths).logical_not(), true);
    }

    /** Rows padded with zeros to equal length, flattened. */
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

    /** (R, S): true at padding. */
    private Tensor paddingMask(int[] lengths) {
        int width = Arrays.stream(lengths).max().orElse(0);
        long[] padding = new long[lengths.length * width];
        for (int row = 0; row < lengths.length; row++) {
            Arrays.fill(padding, row * width + lengths[row], (row + 1) * width, 1);
        }
        return network.compute()
                .toDevice(Tensor.create(padding, lengths.length, width))
                .gt(new Scalar(0));
    }
}
