package org.plant4j.train;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.bytedeco.pytorch.Tensor;

/** Where a {@link Trainer} stores its state. */
interface CheckpointStore {

    void write(Map<String, Tensor> tensors, TrainingCheckpoint.State state);

    /** Reads the tensors; empty if there is no checkpoint. */
    Optional<TrainingCheckpoint.State> read(Map<String, Tensor> into);

    /** The file, for messages. */
    Path file();
}
