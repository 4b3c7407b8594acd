package org.plant4j.tensor;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.InferenceMode;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * Runs independent computations of a prediction on a CPU at the same time, each on one thread. For computations of many
 * small steps, such as an LSTM, this is faster than splitting each step over the threads of libtorch, which wait for each
 * other after every step: several times faster if other programs use the same cores.
 */
public final class ParallelTasks {

    private ParallelTasks() {}

    /** Created when first used, because only then libtorch is known to be available. */
    private static final class Workers {

        static final ExecutorService EXECUTOR =
                Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors(), Workers::thread);

        private static Thread thread(Runnable work) {
            Thread thread = new Thread(
                    () -> {
                        useOneThread();
                        work.run();
                    },
                    "plant4j-tensor");
            thread.setDaemon(true);
            return thread;
        }

        /** For operations that the current thread starts; those of other threads keep their number of threads. */
        private static synchronized void useOneThread() {
            int others = torch.get_num_threads(); // also makes libtorch initialize this thread, which it does only once
            torch.set_num_threads(1);
            // The number is also the default of threads that libtorch has not seen yet.
            CompletableFuture.runAsync(() -> torch.set_num_threads(others), task -> {
                        Thread setter = new Thread(task);
                        setter.setDaemon(true);
                        setter.start();
                    })
                    .join();
        }
    }

    /** How many tasks run at the same time. */
    public static int threads() {
        return torch.get_num_threads();
    }

    /**
     * Computes tensors, in inference mode and with the given precision. They belong to the scope of the caller. With one
     * thread of libtorch they are computed one after the other.
     */
    public static List<Tensor> compute(Compute compute, List<Supplier<Tensor>> tasks) {
        if (threads() == 1 || tasks.size() == 1) {
            return tasks.stream().map(Supplier::get).toList();
        }
        return run(tasks.stream()
                        .<Supplier<Tensor>>map(task -> () -> retained(compute, task))
                        .toList())
                .stream()
                .map(ParallelTasks::attached)
                .toList();
    }

    /**
     * Runs a task for each index below {@code count}, in inference mode and with the given precision. As many workers as
     * libtorch has threads share the indices. Each calls {@code worker} once, for a function with its own memory that it
     * uses again for every index. A task has its own scope, so that it must write its results to existing tensors.
     */
    public static void forEach(Compute compute, int count, Supplier<IntConsumer> worker) {
        AtomicInteger next = new AtomicInteger(); // a worker that other programs slow down takes fewer
        Runnable all = () -> {
            try (PointerScope scope = new PointerScope();
                    InferenceMode inference = new InferenceMode();
                    Compute.Autocast autocast = compute.autocast()) {
                IntConsumer task = worker.get();
                for (int i = next.getAndIncrement(); i < count; i = next.getAndIncrement()) {
                    try (PointerScope taskScope = new PointerScope()) {
                        task.accept(i);
                    }
                }
            }
        };
        int workers = Math.min(threads(), count);
        if (workers <= 1) {
            all.run();
        } else {
            run(Collections.<Supplier<Boolean>>nCopies(workers, () -> {
                all.run();
                return true;
            }));
        }
    }

    /** The results of all tasks, which run on the workers; waits for all of them, also after a failure. */
    private static <T> List<T> run(List<Supplier<T>> tasks) {
        List<CompletableFuture<T>> futures = tasks.stream()
                .map(task -> CompletableFuture.supplyAsync(task, Workers.EXECUTOR))
                .toList();
        List<T> results = new ArrayList<>();
        RuntimeException failure = null;
        for (CompletableFuture<T> future : futures) {
            try {
                results.add(future.join());
            } catch (CompletionException e) {
                failure = e.getCause() instanceof RuntimeException cause ? cause : e;
            }
        }
        if (failure != null) {
            throw failure;
        }
        return results;
    }

    private static Tensor retained(Compute compute, Supplier<Tensor> task) {
        try (PointerScope scope = new PointerScope();
                InferenceMode inference = new InferenceMode();
                Compute.Autocast autocast = compute.autocast()) {
            Tensor result =
                    new Tensor(task.get()); // the original may be a part of another result, which this scope frees
            result.retainReference();
            return result;
        }
    }

    /** Moves a result from the worker to the scope of this thread. */
    private static Tensor attached(Tensor result) {
        PointerScope scope = PointerScope.getInnerScope();
        if (scope != null) {
            scope.attach(result);
            result.releaseReference(); // that of the worker
        }
        return result;
    }
}
