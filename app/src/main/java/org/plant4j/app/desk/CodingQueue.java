package org.plant4j.app.desk;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Documents that wait to be coded. One thread takes what has gathered while it coded the last batch, so batches are
 * small when the desk is idle and large under load, and nobody waits for a batch to fill. The queue is bounded; closing
 * it codes what was accepted.
 *
 * <p>Closer looks at a document wait beside, where they take no place from documents to code. After each batch comes one
 * look, so that coding never waits for more than that.
 */
final class CodingQueue implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(CodingQueue.class);

    /** A document and how many codes are wanted for it. */
    record Work(Encounter document, int codes) {}

    /**
     * How much may wait and how much is coded at once: documents of the queue, documents of a batch, characters of a
     * batch (one longer document is a batch of its own).
     */
    record Limits(int waiting, int batch, int characters) {}

    private record Waiting(Work work, CompletableFuture<CodedDocument> answer) {}

    /** What is done in one go; looks are one or none. */
    private record Round(List<Waiting> batch, List<Runnable> looks) {}

    private final Function<List<Work>, List<CodedDocument>> coder;
    private final Limits limits;
    private final Metrics metrics;
    private final Deque<Waiting> waiting = new ArrayDeque<>();
    private final Deque<Runnable> looks = new ArrayDeque<>();
    private final Thread thread;
    private boolean closed;
    private double secondsADocument = 0.05;
    private double secondsALook = 0.1;

    CodingQueue(Function<List<Work>, List<CodedDocument>> coder, Limits limits, Metrics metrics) {
        this.coder = coder;
        this.limits = limits;
        this.metrics = metrics;
        this.thread = new Thread(this::codeUntilClosed, "coding");
        thread.start();
    }

    CompletableFuture<CodedDocument> submit(Work work) {
        return submit(List.of(work)).get(0);
    }

    /** Accepts all of the documents or none. */
    List<CompletableFuture<CodedDocument>> submit(List<Work> all) {
        synchronized (waiting) {
            requireRoom(all.size());
            List<CompletableFuture<CodedDocument>> answers = new ArrayList<>();
            for (Work work : all) {
                Waiting one = new Waiting(work, new CompletableFuture<>());
                waiting.add(one);
                answers.add(one.answer());
            }
            waiting.notifyAll();
            return answers;
        }
    }

    /** Takes a closer look at a document when its turn comes. */
    <T> CompletableFuture<T> submit(Supplier<T> look) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        synchronized (waiting) {
            requireRoomToLook();
            looks.add(() -> {
                if (answer.isDone()) {
                    return; // nobody waits for it any more
                }
                try {
                    answer.complete(look.get());
                } catch (RuntimeException | OutOfMemoryError e) {
                    fail(answer, e);
                }
            });
            waiting.notifyAll();
        }
        return answer;
    }

    /** Refuses when there is no place for so many; asked first, it spares the reading of what would be refused. */
    void requireRoom(int documents) {
        synchronized (waiting) {
            requireRoom("documents", waiting.size(), documents, limits.waiting(), secondsADocument);
        }
    }

    /** The same for looks, of which as many may wait as documents are coded at once. */
    void requireRoomToLook() {
        synchronized (waiting) {
            requireRoom("explanations", looks.size(), 1, limits.batch(), secondsALook);
        }
    }

    private void requireRoom(String what, int before, int more, int most, double secondsEach) {
        if (closed) {
            throw Problem.stopping();
        }
        if (before + more > most) {
            metrics.turnedAway();
            int seconds = (int) Math.min(60, Math.ceil(before * secondsEach));
            throw Problem.tooMany("The desk is busy: " + before + " " + what + " wait", "queue", Math.max(1, seconds));
        }
    }

    int size() {
        synchronized (waiting) {
            return waiting.size();
        }
    }

    int looks() {
        synchronized (waiting) {
            return looks.size();
        }
    }

    private void codeUntilClosed() {
        for (Round round = next(); !round.batch().isEmpty() || !round.looks().isEmpty(); round = next()) {
            long start = System.nanoTime();
            if (!round.batch().isEmpty()) {
                code(round.batch());
                double seconds = secondsSince(start);
                metrics.coded(round.batch().size(), seconds);
                synchronized (waiting) {
                    secondsADocument = 0.8 * secondsADocument
                            + 0.2 * seconds / round.batch().size();
                }
            }
            long look = System.nanoTime();
            for (Runnable each : round.looks()) {
                each.run();
                metrics.explained(secondsSince(look));
                synchronized (waiting) {
                    secondsALook = 0.8 * secondsALook + 0.2 * secondsSince(start); // with the batch it waited for
                }
            }
        }
    }

    private static double secondsSince(long nanoseconds) {
        return (System.nanoTime() - nanoseconds) / 1e9;
    }

    /** What waits, up to a batch, and one look; nothing when the queue is closed and empty. */
    private Round next() {
        List<Waiting> batch = new ArrayList<>();
        synchronized (waiting) {
            while (waiting.isEmpty() && looks.isEmpty() && !closed) {
                try {
                    waiting.wait();
                } catch (InterruptedException e) {
                    closed = true; // someone ends the thread: code what was accepted, take no more
                }
            }
            int characters = 0;
            for (Waiting first = waiting.peek();
                    first != null && batch.size() < limits.batch();
                    first = waiting.peek()) {
                characters += first.work().document().text().length();
                if (!batch.isEmpty() && characters > limits.characters()) {
                    break;
                }
                batch.add(waiting.remove());
            }
            return new Round(batch, looks.isEmpty() ? List.of() : List.of(looks.remove()));
        }
    }

    private void code(List<Waiting> batch) {
        try {
            List<CodedDocument> coded =
                    coder.apply(batch.stream().map(Waiting::work).toList());
            for (int i = 0; i < batch.size(); i++) {
                batch.get(i).answer().complete(coded.get(i));
            }
        } catch (RuntimeException | OutOfMemoryError e) {
            if (batch.size() == 1) {
                fail(batch.get(0).answer(), e);
            } else {
                batch.forEach(one -> code(List.of(one))); // one document shall not spoil the others
            }
        }
    }

    private static void fail(CompletableFuture<?> answer, Throwable fault) {
        LOG.error(
                "A document could not be coded or explained: {}",
                fault.getClass().getName());
        answer.completeExceptionally(fault instanceof OutOfMemoryError ? tooLarge() : fault);
    }

    private static Problem tooLarge() {
        return new Problem(
                Problem.TOO_LARGE,
                "The document takes more memory than the server has",
                "text",
                "send fewer notes at once, or give the server more memory");
    }

    /** Takes no more and returns when all that was accepted is coded. */
    @Override
    public void close() {
        synchronized (waiting) {
            closed = true;
            waiting.notifyAll();
        }
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
