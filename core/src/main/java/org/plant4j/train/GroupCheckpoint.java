package org.plant4j.train;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.bytedeco.pytorch.Tensor;
import org.plant4j.distributed.ProcessGroup;

/**
 * The checkpoint of several processes: the first one reads and writes the file, and all start from its state. So training can
 * resume with any number of processes.
 */
record GroupCheckpoint(CheckpointStore checkpoint, ProcessGroup group) implements CheckpointStore {

    @Override
    public void write(Map<String, Tensor> tensors, TrainingCheckpoint.State state) {
        if (group.isFirst()) {
            checkpoint.write(tensors, state);
        }
    }

    /** Replaces the tensors by those of the first process, also if there is no checkpoint. */
    @Override
    public Optional<TrainingCheckpoint.State> read(Map<String, Tensor> into) {
        Optional<Optional<TrainingCheckpoint.State>> own = group.onFirst(() -> checkpoint.read(into));
        String history = group.fromFirst(() -> own.flatMap(state -> state)
                .map(state -> state.history().toJson())
                .orElse(""));
        into.values().forEach(group::broadcast);
        return own.orElseGet(() -> history.isEmpty()
                ? Optional.empty()
                // The first process alone stores the best weights, so it alone checks them.
                : Optional.of(new TrainingCheckpoint.State(TrainingHistory.fromJson(history), "")));
    }

    @Override
    public Path file() {
        return checkpoint.file();
    }
}
