package org.plant4j.app.desk;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Documents that wait to be coded. One thread takes what has gathered while it coded the last batch, so batches are
 * small when the desk is idle and large under load, and nobody waits for a batch to fill. The queue is bounded; closing
 * it codes what was accepted.
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

    private final Function<List<Work>, List<CodedDocument>> coder;
    private final Limits limits;
    private final Metrics metrics;
    private final Deque<Waiting> waiting = new ArrayDeque<>();
    private final Thread thread;
    private boolean closed;
    private double secondsADocument = 0.05;

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

    /** Refuses when there is no place for so many; asked first, it spares the reading of what would be refused. */
    void requireRoom(int documents) {
        synchronized (waiting) {
            if (closed) {
                throw Problem.stopping();
            }
            if (waiting.size() + documents > limits.waiting()) {
                metrics.turnedAway();
                int seconds = (int) Math.min(60, Math.ceil(waiting.size() * secondsADocument));
                throw Problem.tooMany(
                        "The desk is busy: " + waiting.size() + " documents wait", "queue", Math.max(1, seconds));
            }
        }
    }

    int size() {
        synchronized (waiting) {
            return waiting.size();
        }
    }

    private void codeUntilClosed() {
        for (List<Waiting> batch = next(); !batch.isEmpty(); batch = next()) {
            long start = System.nanoTime();
            code(batch);
            double seconds = (System.nanoTime() - start) / 1e9;
            metrics.coded(batch.size(), seconds);
            synchronized (waiting) {
                secondsADocument = 0.8 * secondsADocument + 0.2 * seconds / batch.size();
            }
        }
    }

    /** What waits, up to a batch; nothing when the queue is closed and empty. */
    private List<Waiting> next() {
        List<Waiting> batch = new ArrayList<>();
        synchronized (waiting) {
            while (waiting.isEmpty() && !closed) {
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
        }
        return batch;
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
                LOG.error("A document could not be coded: {}", e.getClass().getName());
                batch.get(0).answer().completeExceptionally(e instanceof OutOfMemoryError ? tooLarge() : e);
            } else {
                batch.forEach(one -> code(List.of(one))); // one document shall not spoil the others
            }
        }
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
