package org.plant4j.pipeline;

import java.nio.file.Path;
import java.util.function.Consumer;
import org.plant4j.Progress;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.pipeline.stage.Session;
import org.plant4j.tensor.DirectExit;

/** A process that trains the model of {@link KilledTrainingIT} and prints a line after each stage and epoch. */
final class TrainingProcess {

    /** Distinguishes events from log lines. */
    static final String EVENT = "event: ";

    private TrainingProcess() {}

    public static void main(String[] args) {
        DirectExit.enable(); // as the command line does
        new Pipeline(
                        KilledTrainingIT.experiment(new TinyExperiment(Path.of(args[0]))),
                        Path.of(args[1]),
                        session(event -> System.out.println(EVENT + event)))
                .run();
    }

    /** Reports stages and epochs; the weights and the checkpoint of an epoch are written after its report. */
    static Session session(Consumer<String> report) {
        Progress epochs = (name, total) -> new Progress.Task() {
            @Override
            public void advance(long steps) {}

            @Override
            public void message(String message) {}

            @Override
            public void milestone(String message) {
                report.accept(name + " " + message.replaceAll(" · .*", ""));
            }

            @Override
            public void close() {}
        };
        return new Session(
                "a test",
                BadRowHandler.fail(),
                false,
                epochs,
                () -> false,
                (stage, outcome) -> report.accept(stage + " done"));
    }
}
