package org.plant4j.fuzz;

import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.plant4j.UserError;

/** Runs a target on many inputs, one after the other, each within a time limit. */
final class Fuzzer {

    /** A target with this many hangs is given up: the abandoned threads take time and memory from the others. */
    private static final int MAX_HANGS = 3;

    private final long seed;
    private final Duration limit;
    private final AtomicReference<Thread> worker = new AtomicReference<>(Thread.currentThread());
    private ExecutorService executor = newWorker();

    Fuzzer(long seed, Duration limit) {
        this.seed = seed;
        this.limit = limit;
    }

    /** Tests {@code count} inputs, beginning with the one of index {@code first}. */
    Tally run(FuzzTarget target, long first, long count) throws InterruptedException {
        Tally tally = new Tally(target.name());
        for (long index = first; index < first + count && tally.count(Outcome.HANG) < MAX_HANGS; index++) {
            FuzzInput input = new FuzzInput(seed, target.name(), index);
            long start = System.nanoTime();
            Future<Outcome> result = executor.submit(() -> target.test(input));
            try {
                tally.add(result.get(limit.toMillis(), TimeUnit.MILLISECONDS), System.nanoTime() - start);
            } catch (ExecutionException e) {
                Outcome outcome = outcome(e.getCause());
                tally.add(outcome, System.nanoTime() - start);
                if (outcome.isFault()) {
                    tally.addFault(recipe(outcome, target, index, input, describe(e.getCause())));
                }
            } catch (TimeoutException e) {
                tally.add(Outcome.HANG, System.nanoTime() - start);
                tally.addFault(recipe(
                        Outcome.HANG, target, index, input, frames(worker.get().getStackTrace())));
                executor.shutdownNow();
                executor = newWorker();
            }
        }
        return tally;
    }

    void close() {
        executor.shutdownNow();
    }

    private ExecutorService newWorker() {
        return Executors.newSingleThreadExecutor(task -> {
            Thread thread = new Thread(task, "fuzz");
            thread.setDaemon(true); // a hanging input must not keep the process alive
            worker.set(thread);
            return thread;
        });
    }

    private static Outcome outcome(Throwable thrown) {
        return thrown instanceof UserError
                ? Outcome.REFUSED
                : thrown instanceof SilentDifference ? Outcome.SILENT : Outcome.CRASH;
    }

    private String recipe(Outcome outcome, FuzzTarget target, long index, FuzzInput input, String problem) {
        return outcome + " " + target.name() + ", repeat with -Dfuzz.seed=" + seed + " -Dfuzz.targets=" + target.name()
                + " -Dfuzz.first=" + index + " -Dfuzz.inputs=1\n    "
                + String.join("\n    ", input.steps()) + "\n  " + problem;
    }

    private static String describe(Throwable thrown) {
        String text = FuzzInput.printable(String.valueOf(thrown));
        Throwable cause = thrown.getCause();
        return text + "\n" + frames(thrown.getStackTrace()) + (cause == null ? "" : "\n  caused by " + describe(cause));
    }

    private static String frames(StackTraceElement[] trace) {
        return Arrays.stream(trace).limit(6).map(frame -> "    at " + frame).collect(Collectors.joining("\n"));
    }
}
