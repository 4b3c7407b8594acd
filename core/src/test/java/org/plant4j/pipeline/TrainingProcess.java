package org.plant4j.pipeline;

import java.nio.file.Path;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.support.Progress;

/** A process that trains the model of {@link KilledTrainingIT} and prints each stage and epoch. */
final class TrainingProcess {

    private TrainingProcess() {}

    public static void main(String[] args) {
        new Pipeline(
                        KilledTrainingIT.experiment(new TinyExperiment(Path.of(args[0]))),
                        Path.of(args[1]),
                        new Pipeline.Session(
                                "a test",
                                BadRowHandler.fail(),
                                false,
                                Progress.NONE,
                                () -> false,
                                (stage, outcome) -> System.out.println(stage)))
                .run();
    }
}
