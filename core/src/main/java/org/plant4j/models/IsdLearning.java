package org.plant4j.models;

import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.bytedeco.javacpp.FloatPointer;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptions;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.nn.Batch;
import org.plant4j.nn.Compute;
import org.plant4j.nn.Segments;
import org.plant4j.nn.SomeLabels;
import org.plant4j.nn.TransformerDecoder;

/**
 * How ISD learns (equation 15): to predict; to complete sets of labels from which one was taken, and to weed out one that
 * was added; to predict from the descriptions of a note's labels alone, the teacher; and to view the note as the teacher
 * views those.
 */
record IsdLearning(Isd network, Loss loss) {

    /** Leaves the gradients of all losses; what it returns is that of prediction alone, to be compared with dev's. */
    Tensor learn(Segments segments, Tensor targets) {
        Isd.Weights weights = network.config().weights();
        Tensor prediction;
        Tensor total;
        try (Compute.Autocast autocast = network.compute().autocast()) {
            Batch notes = segments.get(0);
            int[][] gold = gold(targets);
            Tensor codes = network.codes();
            Isd.Reading student = network.read(network.states(notes), notes.mask(), true);
            prediction = crossEntropy(student, codes, targets);
            total = prediction.mul(new Scalar(weights.prediction()));
            if (student.text().isPresent() && weights.missing() + weights.wrong() > 0) {
                total = total.add(
                        completion(gold, network.withMask(codes), student.text().get()));
            }
            if (network.config().selfDistillation()) {
                Optional<Purified> purified = Purified.of(gold, network.descriptions());
                total = purified.isEmpty() ? total : total.add(teaching(purified.get(), student, codes, targets));
            }
        }
        total.backward();
        return prediction.detach();
    }

    /** The labels of each document, rising. */
    private static int[][] gold(Tensor targets) {
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
    private Tensor crossEntropy(Isd.Reading reading, Tensor codes, Tensor targets) {
        Tensor logits = network.logits(reading, codes).add(network.bias().bias(SomeLabels.ALL));
        return loss.of(logits.to(torch.ScalarType.Float), targets, loss.positiveWeight(targets));
    }

    /** Both tasks on sets of labels (L + 1, H), each with its weight. */
    private Tensor completion(int[][] gold, Tensor vectors, TransformerDecoder.Text text) {
        Isd.Weights weights = network.config().weights();
        int labels = network.labels();
        // The step's own seed is libtorch's: so a resumed training draws what an unbroken one does.
        long seed = torch.randint(Long.MAX_VALUE, new long[] {1}, new TensorOptions(torch.ScalarType.Long))
                .item_long();
        Random random = new Random(seed);
        double scale = (double) labels / gold.length;
        return answered(CodeSets.missing(gold, labels, random), vectors, text)
                .mul(new Scalar(weights.missing() * scale))
                .add(answered(CodeSets.wrong(gold, labels, random), vectors, text)
                        .mul(new Scalar(weights.wrong() * scale)));
    }

    /** −log P of what belongs in the place of the first of each set, summed over the sets (equations 9 and 10). */
    Tensor answered(CodeSets sets, Tensor vectors, TransformerDecoder.Text text) {
        if (sets.rows().length == 0) {
            return torch.zeros(new long[] {}, network.compute().floats());
        }
        int[] lengths = Arrays.stream(sets.sets()).mapToInt(set -> set.length).toArray();
        Tensor members = vectors.index_select(0, flat(sets.sets()))
                .view(lengths.length, Arrays.stream(lengths).max().orElseThrow(), vectors.size(1)); // (R, S, H)
        Tensor first = network.decode(members, hidden(lengths), text.of(place(sets.rows())))
                .select(1, 0); // (R, H)
        Tensor likely = torch.log_softmax(Isd.votes(first, vectors).to(torch.ScalarType.Float), 1);
        return likely.gather(1, place(sets.answers()).unsqueeze(1)).sum().neg();
    }

    /** The teacher's own loss and the student's distance to it, each with its weight. */
    private Tensor teaching(Purified purified, Isd.Reading student, Tensor codes, Tensor targets) {
        Isd.Weights weights = network.config().weights();
        int documents = purified.rows().length;
        Tensor rows = place(purified.rows());
        double share = (double) documents / targets.size(0);
        Isd.Reading teacher = teacher(purified);
        Tensor learned =
                crossEntropy(teacher, codes, targets.index_select(0, rows)).mul(new Scalar(weights.teacher() * share));
        if (weights.distillation() == 0 || student.views().isEmpty()) {
            return learned;
        }
        Tensor distance = Distillation.distances(
                        student.views().get().index_select(0, rows),
                        teacher.views().orElseThrow(),
                        network.compute())
                .mean();
        return learned.add(distance.mul(new Scalar(weights.distillation() * network.labels() * share)));
    }

    /** What is read where there are only descriptions: each by itself, then one after the other. */
    private Isd.Reading teacher(Purified purified) {
        Batch descriptions = Batch.forTraining(purified.texts(), network.compute());
        Tensor states = network.states(descriptions).flatten(0, 1); // (C · N, H)
        int[] lengths =
                Arrays.stream(purified.places()).mapToInt(own -> own.length).toArray();
        Tensor joined = states.index_select(0, flat(purified.places()))
                .view(lengths.length, Arrays.stream(lengths).max().orElseThrow(), states.size(1)); // (R, N, H)
        return network.read(joined, hidden(lengths).logical_not(), true);
    }

    /** Rows padded with zeros to one length, one after the other. */
    private Tensor flat(int[][] rows) {
        int width = Arrays.stream(rows).mapToInt(row -> row.length).max().orElse(0);
        long[] flat = new long[rows.length * width];
        for (int row = 0; row < rows.length; row++) {
            for (int i = 0; i < rows[row].length; i++) {
                flat[row * width + i] = rows[row][i];
            }
        }
        return network.compute().place(Tensor.create(flat));
    }

    private Tensor place(int[] values) {
        return network.compute()
                .place(Tensor.create(Arrays.stream(values).asLongStream().toArray()));
    }

    /** (R, S): true behind the end of each row. */
    private Tensor hidden(int[] lengths) {
        int width = Arrays.stream(lengths).max().orElse(0);
        long[] behind = new long[lengths.length * width];
        for (int row = 0; row < lengths.length; row++) {
            Arrays.fill(behind, row * width + lengths[row], (row + 1) * width, 1);
        }
        return network.compute()
                .place(Tensor.create(behind, lengths.length, width))
                .gt(new Scalar(0));
    }
}
