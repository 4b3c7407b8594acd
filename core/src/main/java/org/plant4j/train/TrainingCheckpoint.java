package org.plant4j.train;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.bytedeco.pytorch.Tensor;
import org.plant4j.UserError;
import org.plant4j.tensor.Checkpoint;

/**
 * The file from which an interrupted training resumes: weights, optimizer state and history, with a checksum.
 *
 * @param fingerprint of the training; a checkpoint of another training is rejected
 */
public record TrainingCheckpoint(Path file, String fingerprint) implements CheckpointStore {

    /** Never written, for trainings that are not resumed. */
    public static final TrainingCheckpoint NONE = new TrainingCheckpoint(Path.of(""), "");

    static final String REMEDY = "delete the file to start from the first epoch";

    private static final String FINGERPRINT = "fingerprint";
    private static final String HISTORY = "history";
    private static final String BEST = "best_weights";

    /**
     * How far a training has come.
     *
     * @param bestWeights checksum of the file with the weights of the best epoch; empty if there is no such file
     */
    record State(TrainingHistory history, String bestWeights) {

        static final State START = new State(TrainingHistory.EMPTY, "");
    }

    @Override
    public void write(Map<String, Tensor> tensors, State state) {
        if (equals(NONE)) {
            return;
        }
        Checkpoint.writeWithChecksum(
                file,
                tensors,
                Map.of(FINGERPRINT, fingerprint, HISTORY, state.history().toJson(), BEST, state.bestWeights()));
    }

    @Override
    public Optional<State> read(Map<String, Tensor> into) {
        if (equals(NONE) || !Files.exists(file)) {
            return Optional.empty();
        }
        try {
            Map<String, String> metadata = Checkpoint.readVerified(file, into);
            if (!fingerprint.equals(metadata.get(FINGERPRINT))) {
                throw new IllegalArgumentException("it belongs to another training");
            }
            return Optional.of(new State(
                    TrainingHistory.fromJson(metadata.getOrDefault(HISTORY, "")), metadata.getOrDefault(BEST, "")));
        } catch (UserError | IllegalArgumentException e) {
            throw new UserError(
                    "Training cannot resume from its checkpoint: "
                            + (e instanceof UserError error ? error.what() : e.getMessage()),
                    file.toString(),
                    REMEDY,
                    e);
        }
    }
}
