package org.plant4j.server.coding;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.plant4j.encounter.CodedDocument;
import org.plant4j.encounter.Encounter;
import org.plant4j.server.http.ApiException;
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
public final class CodingQueue implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(CodingQueue.class);

    /** A document and how many codes are wanted for it. */
    public record CodingRequest(Encounter encounter, int codes) {}

    /**
     * How much may wait and how much is coded at once: documents of the queue, documents of a batch, characters of a
     * batch (one longer document is a batch of its own).
     */
    public record Limits(int queuedDocuments, int batchDocuments, int batchCharacters) {}

    private record QueuedDocument(CodingRequest request, CompletableFuture<CodedDocument> result) {}

    /** What is done in one go; looks are one or none. */
    private record Round(List<QueuedDocument> batch, List<Runnable> explanations) {}

    private final Function<List<CodingRequest>, List<CodedDocument>> coder;
    private final Limits limits;
    private final ServerMetrics metrics;
    private final Deque<QueuedDocument> documents = new ArrayDeque<>();
    private final Deque<Runnable> explanations = new ArrayDeque<>();
    private final Thread thread;
    private boolean closed;
    private double secondsPerDocument = 0.05;
    private double secondsPerExplanation = 0.1;

    public CodingQueue(Function<List<CodingRequest>, List<CodedDocument>> coder, Limits limits, ServerMetrics metrics) {
        this.coder = coder;
        this.limits = limits;
        this.metrics = metrics;
        this.thread = new Thread(this::processUntilClosed, "coding");
        thread.start();
    }

    public CompletableFuture<CodedDocument> submit(CodingRequest work) {
        return submit(List.of(work)).get(0);
    }

    /** Accepts all of the documents or none. */
    public List<CompletableFuture<CodedDocument>> submit(List<CodingRequest> all) {
        synchronized (documents) {
            requireCapacity(all.size());
            List<CompletableFuture<CodedDocument>> answers = new ArrayList<>();
            for (CodingRequest work : all) {
                QueuedDocument one = new QueuedDocument(work, new CompletableFuture<>());
                documents.add(one);
                answers.add(one.result());
            }
            documents.notifyAll();
            return answers;
        }
    }

    /** Takes a closer look at a document when its turn comes. */
    public <T> CompletableFuture<T> submit(Supplier<T> look) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        synchronized (documents) {
            requireExplanationCapacity();
            explanations.add(() -> {
                if (answer.isDone()) {
                    return; // nobody waits for it any more
                }
                try {
                    answer.complete(look.get());
                } catch (RuntimeException | OutOfMemoryError e) {
                    fail(answer, e);
                }
            });
            documents.notifyAll();
        }
        return answer;
    }

    /** Refuses when there is no place for so many; asked first, it spares the reading of what would be refused. */
    public void requireCapacity(int documents) {
        synchronized (this.documents) {
            requireCapacity(
                    "documents", this.documents.size(), documents, limits.queuedDocuments(), secondsPerDocument);
        }
    }

    /** The same for looks, of which as many may wait as documents are coded at once. */
    public void requireExplanationCapacity() {
        synchronized (documents) {
            requireCapacity("explanations", explanations.size(), 1, limits.batchDocuments(), secondsPerExplanation);
        }
    }

    private void requireCapacity(String what, int before, int more, int most, double secondsEach) {
        if (closed) {
            throw ApiException.shuttingDown();
        }
        if (before + more > most) {
            metrics.recordRejection();
            int seconds = (int) Math.min(60, Math.ceil(before * secondsEach));
            throw ApiException.tooManyRequests(
                    "The desk is busy: " + before + " " + what + " wait", "queue", Math.max(1, seconds));
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
        for (Round round = next();
                !round.batch().isEmpty() || !round.explanations().isEmpty();
                round = next()) {
            long start = System.nanoTime();
            if (!round.batch().isEmpty()) {
                code(round.batch());
                double seconds = secondsSince(start);
                metrics.recordBatch(round.batch().size(), seconds);
                synchronized (documents) {
                    secondsPerDocument = 0.8 * secondsPerDocument
                            + 0.2 * seconds / round.batch().size();
                }
            }
            long look = System.nanoTime();
            for (Runnable each : round.explanations()) {
                each.run();
                metrics.recordExplanation(secondsSince(look));
                synchronized (documents) {
                    secondsPerExplanation =
                            0.8 * secondsPerExplanation + 0.2 * secondsSince(start); // with the batch it waited for
                }
            }
        }
    }

    private static double secondsSince(long nanoseconds) {
        return (System.nanoTime() - nanoseconds) / 1e9;
    }

    /** What waits, up to a batch, and one look; nothing when the queue is closed and empty. */
    private Round next() {
        List<QueuedDocument> batch = new ArrayList<>();
        synchronized (documents) {
            while (documents.isEmpty() && explanations.isEmpty() && !closed) {
                try {
                    documents.wait();
                } catch (InterruptedException e) {
                    closed = true; // someone ends the thread: code what was accepted, take no more
                }
            }
            int characters = 0;
            for (QueuedDocument first = documents.peek();
                    first != null && batch.size() < limits.batchDocuments();
                    first = documents.peek()) {
                characters += first.request().encounter().text().length();
                if (!batch.isEmpty() && characters > limits.batchCharacters()) {
                    break;
                }
                batch.add(documents.remove());
            }
            return new Round(batch, explanations.isEmpty() ? List.of() : List.of(explanations.remove()));
        }
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

    private static ApiException tooLarge() {
        return new ApiException(
                ApiException.TOO_LARGE,
                "The document takes more memory than the server has",
                "text",
                "send fewer notes at once, or give the server more memory");
    }

    /** Takes no more and returns when all that was accepted is coded. */
    @Override
    public void close() {
        synchronized (documents) {
            closed = true;
            documents.notifyAll();
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
