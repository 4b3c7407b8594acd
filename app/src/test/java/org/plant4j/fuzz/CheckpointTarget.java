package org.plant4j.fuzz;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Interrupted trainings with damaged files: an error, or the weights of an uninterrupted training. */
final class CheckpointTarget implements FuzzTarget {

    private static final String MODEL = "laat";
    private static final String CHECKPOINT = "checkpoint.safetensors";

    private final TinyRuns tiny;
    private final Path interrupted;
    private final Path done;
    private final Path copy;
    private final Map<String, Long> expected;

    CheckpointTarget(Path directory) {
        tiny = TinyRuns.in(directory.resolve("tiny"));
        done = tiny.train(MODEL);
        expected = CacheTarget.checksums(done);
        interrupted = directory.resolve("interrupted");
        copy = directory.resolve("copy");
        Path checkpoint = interrupted.resolve(MODEL).resolve(CHECKPOINT);
        tiny.run(MODEL, interrupted, () -> Files.exists(checkpoint)); // stops after the first epoch
        if (!Files.exists(checkpoint)) {
            throw new IllegalStateException("the training was not interrupted");
        }
    }

    @Override
    public String name() {
        return "checkpoint";
    }

    @Override
    public Outcome test(FuzzInput input) throws IOException {
        DirectoryDamage.copy(interrupted, copy);
        Path run = copy.resolve(MODEL);
        Path file = input.chance(0.7) ? run.resolve(CHECKPOINT) : input.pick(DirectoryDamage.files(run));
        DirectoryDamage.damage(file, run, done, input);
        SilentDifference.check(expected, CacheTarget.checksums(tiny.run(MODEL, copy, () -> false)));
        return Outcome.SAME;
    }
}
