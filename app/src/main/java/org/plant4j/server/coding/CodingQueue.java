package org.plant4j.server.coding;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.plant4j.encounter.CodedDocument;
import org.plant4j.encounter.Encounter;
import org.plant4j.server.http.ApiException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A bounded queue of documents to code. Each of its threads codes what has arrived while all were busy, so batches are
 * small when the server is idle and large under load, and no document waits for a batch to fill. Threads that are idle at
 * the same time share the documents.
 *
 * <p>Explanations have a separate queue and do not take capacity from documents. A thread runs one explanation after each
 * batch, so coding never waits for more than one of them. Closing the queue finishes everything that was accepted.
 */
public final class CodingQueue implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(CodingQueue.class);
    private static final int MAX_RETRY_SECONDS = 60;

    /** Weight of the latest measurement in the moving averages. */
    private static final double SMOOTHING = 0.2;

    /** A document, the number of codes to return for it, and whether nobody waits for them any more. */
    public record CodingRequest(Encounter encounter, int codes, BooleanSupplier abandoned) {

        public CodingRequest(Encounter encounter, int codes) {
            this(encounter, codes, () -> false);
        }
    }

    /**
     * Limits of the queue and of a batch. A single document may exceed {@code batchCharacters}.
     *
     * @param threads batches that are coded at the same time
     */
    public record Limits(int queuedDocuments, int batchDocuments, int batchCharacters, int threads) {}

    private record QueuedDocument(CodingRequest request, CompletableFuture<CodedDocument> result) {}

    private record QueuedExplanation(Runnable run, BooleanSupplier abandoned, CompletableFuture<?> result) {}

    /** A batch of documents, empty if all were abandoned, and at most one explanation; {@code last}: there is no more. */
    private record Round(List<QueuedDocument> batch, Optional<QueuedExplanation> explanation, boolean last) {}

    private final Function<List<CodingRequest>, List<CodedDocument>> coder;
    private final Limits limits;
    private final ServerMetrics metrics;
    private final Deque<QueuedDocument> documents = new ArrayDeque<>();
    private final Deque<QueuedExplanation> explanations = new ArrayDeque<>();
    private final List<Thread> threads;
    private int idle;
    private boolean closed;
    private double secondsPerDocument = 0.05;
    private double secondsPerExplanation = 0.1;

    public CodingQueue(Function<List<CodingRequest>, List<CodedDocument>> coder, Limits limits, ServerMetrics metrics) {
        this.coder = coder;
        this.limits = limits;
        this.metrics = metrics;
        this.idle = limits.threads();
        this.threads = IntStream.range(0, limits.threads())
                .mapToObj(i -> new Thread(this::processUntilClosed, "coding-" + i))
                .toList();
        threads.forEach(Thread::start);
    }

    public CompletableFuture<CodedDocument> submit(CodingRequest request) {
        return submit(List.of(request)).get(0);
    }

    /** Accepts either all documents or none. */
    public List<CompletableFuture<CodedDocument>> submit(List<CodingRequest> requests) {
        synchronized (documents) {
            requireCapacity(requests.size());
            List<CompletableFuture<CodedDocument>> results = new ArrayList<>();
            for (CodingRequest request : requests) {
                QueuedDocument queued = new QueuedDocument(request, new CompletableFuture<>());
                documents.add(queued);
                results.add(queued.result());
            }
            documents.notifyAll();
            return results;
        }
    }

    /** Queues an explanation. It is skipped if nobody waits for it any more when its turn comes. */
    public <T> CompletableFuture<T> submitExplanation(Supplier<T> explanation, BooleanSupplier abandoned) {
        CompletableFuture<T> result = new CompletableFuture<>();
        synchronized (documents) {
            requireExplanationCapacity();
            Runnable run = () -> {
                try {
                    result.complete(explanation.get());
                } catch (RuntimeException | OutOfMemoryError e) {
                    fail(result, e);
                }
            };
            explanations.add(new QueuedExplanation(run, abandoned, result));
            documents.notifyAll();
        }
        return result;
    }

    /** Rejects the request if the queue is full. Called before a body is read, it saves reading it in vain. */
    public void requireCapacity(int additional) {
        synchronized (documents) {
            if (documents.size() + additional > limits.queuedDocuments()) {
                documents.removeIf(CodingQueue::dropIfAbandoned);
            }
            requireCapacity("documents", documents.size(), additional, limits.queuedDocuments(), secondsPerDocument);
        }
    }

    /** Rejects the request if as many explanations are queued as documents fit into a batch. */
    public void requireExplanationCapacity() {
        synchronized (documents) {
            if (explanations.size() >= limits.batchDocuments()) {
                explanations.removeIf(CodingQueue::dropIfAbandoned);
            }
            requireCapacity("explanations", explanations.size(), 1, limits.batchDocuments(), secondsPerExplanation);
        }
    }

    private void requireCapacity(String what, int queued, int additional, int maximum, double secondsEach) {
        if (closed) {
            throw ApiException.shuttingDown();
        }
        if (queued + additional > maximum) {
            metrics.recordRejection();
            int seconds = (int) Math.min(MAX_RETRY_SECONDS, Math.ceil(queued * secondsEach));
            throw ApiException.tooManyRequests(
                    "The server is busy: " + queued + " " + what + " are queued", "queue", Math.max(1, seconds));
        }
    }

    public int queuedDocuments() {
        synchronized (documents) {
            return documents.size();
        }
    }

    public int queuedExplanations() {
        synchronized (documents) {
            return explanations.size();
        }
    }

    private void processUntilClosed() {
        for (Round round = next(); !round.last(); round = next()) {
            long start = System.nanoTime();
            if (!round.batch().isEmpty()) {
                process(round.batch(), start);
            }
            round.explanation().ifPresent(explanation -> process(explanation.run(), start));
            synchronized (documents) {
                idle++;
            }
        }
    }

    private void process(List<QueuedDocument> batch, long start) {
        code(batch);
        double seconds = secondsSince(start);
        metrics.recordBatch(batch.size(), seconds);
        synchronized (documents) {
            secondsPerDocument = smoothed(secondsPerDocument, seconds / batch.size() / limits.threads());
        }
    }

    private void process(Runnable explanation, long roundStart) {
        long start = System.nanoTime();
        explanation.run();
        metrics.recordExplanation(secondsSince(start));
        synchronized (documents) {
            // Includes the batch that the explanation waited for.
            secondsPerExplanation = smoothed(secondsPerExplanation, secondsSince(roundStart) / limits.threads());
        }
    }

    private static double smoothed(double average, double latest) {
        return (1 - SMOOTHING) * average + SMOOTHING * latest;
    }

    private static double secondsSince(long nanoseconds) {
        return (System.nanoTime() - nanoseconds) / 1e9;
    }

    /** Waits for work; returns an empty round once the queue is closed and drained. */
    private Round next() {
        synchronized (documents) {
            while (documents.isEmpty() && explanations.isEmpty() && !closed) {
                try {
                    documents.wait();
                } catch (InterruptedException e) {
                    closed = true; // finish what was accepted, accept no more
                }
            }
            boolean last = documents.isEmpty() && explanations.isEmpty();
            Round round = new Round(nextBatch(), nextExplanation(), last);
            idle--;
            return round;
        }
    }

    private List<QueuedDocument> nextBatch() {
        List<QueuedDocument> batch = new ArrayList<>();
        int share = (documents.size() + idle - 1) / idle;
        int characters = 0;
        for (QueuedDocument first = documents.peek();
                first != null && batch.size() < Math.min(share, limits.batchDocuments());
                first = documents.peek()) {
            if (dropIfAbandoned(first)) {
                documents.remove();
                continue;
            }
            characters += first.request().encounter().text().length();
            if (!batch.isEmpty() && characters > limits.batchCharacters()) {
                break;
            }
            batch.add(documents.remove());
        }
        return batch;
    }

    private Optional<QueuedExplanation> nextExplanation() {
        QueuedExplanation first = explanations.poll();
        while (first != null && dropIfAbandoned(first)) {
            first = explanations.poll();
        }
        return Optional.ofNullable(first);
    }

    private static boolean dropIfAbandoned(QueuedExplanation explanation) {
        return explanation.abandoned().getAsBoolean()
                && explanation.result().completeExceptionally(ApiException.clientGone());
    }

    /** Completes a document whose client has hung up. */
    private static boolean dropIfAbandoned(QueuedDocument document) {
        return document.request().abandoned().getAsBoolean()
                && document.result().completeExceptionally(ApiException.clientGone());
    }

    private void code(List<QueuedDocument> batch) {
        try {
            List<CodedDocument> coded =
                    coder.apply(batch.stream().map(QueuedDocument::request).toList());
            for (int i = 0; i < batch.size(); i++) {
                batch.get(i).result().complete(coded.get(i));
            }
        } catch (RuntimeException | OutOfMemoryError e) {
            if (batch.size() == 1) {
                fail(batch.get(0).result(), e);
            } else {
                batch.forEach(document -> code(List.of(document))); // isolate the document that fails
            }
        }
    }

    private static void fail(CompletableFuture<?> result, Throwable failure) {
        LOG.error(
                "Coding or explaining a document failed: {}", failure.getClass().getName());
        result.completeExceptionally(failure instanceof OutOfMemoryError ? outOfMemory() : failure);
    }

    private static ApiException outOfMemory() {
        return new ApiException(
                ApiException.TOO_LARGE,
                "The document needs more memory than the server has",
                "text",
                "send fewer documents at once, or start the server with more memory");
    }

    /** Accepts no more work and returns when all accepted work is done. */
    @Override
    public void close() {
        synchronized (documents) {
            closed = true;
            documents.notifyAll();
        }
        boolean interrupted = false;
        for (Thread thread : threads) {
            while (thread.isAlive()) {
                try {
                    thread.join();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
