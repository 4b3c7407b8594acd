package org.plant4j.pipeline;

import java.nio.file.Path;
import org.plant4j.distributed.GroupSettings;
import org.plant4j.distributed.PeerFailure;
import org.plant4j.distributed.ProcessGroup;

/** One process of the group of {@link GroupTrainingIT}: {@code DIRECTORY RUNS RANK SIZE RENDEZVOUS EPOCHS}. */
final class GroupTrainingProcess {

    static final int EXIT_PEER_FAILURE = 75;

    private GroupTrainingProcess() {}

    public static void main(String[] args) {
        try (ProcessGroup group = GroupSettings.of(Integer.parseInt(args[2]), Integer.parseInt(args[3]))
                .join(args[4])) {
            new Pipeline(
                            GroupTrainingIT.experiment(new TinyExperiment(Path.of(args[0])), args[5]),
                            Path.of(args[1]),
                            TrainingProcess.session(event -> System.out.println(TrainingProcess.EVENT + event))
                                    .withGroup(group))
                    .run();
        } catch (PeerFailure e) {
            System.exit(EXIT_PEER_FAILURE);
        }
    }
}
