package org.plant4j.model;

import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.plant4j.tensor.Checkpoint;

/** Starts a network from the weights of a trained one with the same settings and vocabulary, but other labels. */
public final class WarmStart {

    private WarmStart() {}

    /**
     * Loads the weights that {@link LabelNetwork#save} wrote.
     *
     * @param rows for each label of the network its row in the file, or -1 for a new label, whose weights stay as they are
     */
    public static void load(LabelNetwork<?> network, Path directory, int[] rows) {
        int[] known = IntStream.range(0, rows.length)
                .filter(label -> rows[label] >= 0)
                .toArray();
        Set<String> labelParameters = network.labelParameters().keySet();
        try (PointerScope scope = new PointerScope();
                NoGradGuard noGrad = new NoGradGuard()) {
            Tensor to = network.compute().toDevice(indices(IntStream.of(known)));
            Tensor from = indices(IntStream.of(known).map(label -> rows[label]));
            Map<String, Tensor> stored = Checkpoint.readMatching(directory.resolve(LabelNetwork.WEIGHTS), name -> true);
            network.state().forEach((name, weights) -> {
                Tensor values = Objects.requireNonNull(stored.get(name), name);
                if (labelParameters.contains(name)) {
                    Tensor selected = values.index_select(0, from).to(weights.scalar_type());
                    weights.index_copy_(0, to, network.compute().toDevice(selected));
                } else {
                    weights.copy_(values);
                }
            });
        }
    }

    private static Tensor indices(IntStream ids) {
        return Tensor.create(ids.asLongStream().toArray());
    }
}
