package org.plant4j.server.coding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.plant4j.DomainCheck;
import org.plant4j.encounter.CodedDocument;
import org.plant4j.encounter.Encounter;
import org.plant4j.encounter.SourceDocument;
import org.plant4j.server.http.ApiException;

class CodingQueueTest {

    private static final CodingQueue.Limits LIMITS = new CodingQueue.Limits(6, 4, 100, 1);

    private final List<List<String>> batches = Collections.synchronizedList(new ArrayList<>());
    private final CountDownLatch started = new CountDownLatch(1);
    private final CountDownLatch startedTwice = new CountDownLatch(2);
    private final CountDownLatch release = new CountDownLatch(1);

    /** Blocks until released; a batch with the text "bad" fails. */
    private List<CodedDocument> code(List<CodingQueue.CodingRequest> requests) {
        List<String> texts =
                requests.stream().map(request -> request.encounter().text()).toList();
        batches.add(texts);
        started.countDown();
        startedTwice.countDown();
        try {
            assertThat(release.await(10, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        if (texts.contains("bad")) {
            throw new IllegalStateException("bad");
        }
        return texts.stream()
                .map(text -> new CodedDocument(text, "", DomainCheck.IN_DOMAIN, List.of()))
                .toList();
    }

    private static CodingQueue.CodingRequest request(String text) {
        return new CodingQueue.CodingRequest(new Encounter(List.of(new SourceDocument("n", "", text))), 5);
    }

    @Test
    void documentsThatArriveDuringABatchFormTheNextOne() throws InterruptedException {
        try (CodingQueue queue = new CodingQueue(this::code, LIMITS, new ServerMetrics())) {
            CompletableFuture<CodedDocument> first = queue.submit(request("first"));
            started.await();
            List<CompletableFuture<CodedDocument>> others = new ArrayList<>();
            for (String text : List.of("a", "b", "c", "d", "e")) {
                others.add(queue.submit(request(text)));
            }
            release.countDown();
            assertThat(first.join().model()).isEqualTo("first");
            assertThat(others).extracting(each -> each.join().model()).containsExactly("a", "b", "c", "d", "e");
            assertThat(batches).containsExactly(List.of("first"), List.of("a", "b", "c", "d"), List.of("e"));
        }
    }

    @Test
    void idleThreadsShareTheDocumentsAndBusyOnesTakeNone() throws InterruptedException {
        CodingQueue.Limits limits = new CodingQueue.Limits(9, 4, 100, 2);
        try (CodingQueue queue = new CodingQueue(this::code, limits, new ServerMetrics())) {
            List<CompletableFuture<CodedDocument>> coded =
                    queue.submit(List.of(request("a"), request("b"), request("c")));
            assertThat(startedTwice.await(10, TimeUnit.SECONDS)).isTrue(); // both at the same time
            assertThat(queue.queuedDocuments()).isZero();
            queue.submit(List.of(request("d"), request("e")));
            assertThat(queue.queuedDocuments()).isEqualTo(2);
            release.countDown();
            assertThat(coded).extracting(each -> each.join().model()).containsExactly("a", "b", "c");
        }
        assertThat(batches.subList(0, 2)).containsExactlyInAnyOrder(List.of("a", "b"), List.of("c"));
        assertThat(batches.stream().flatMap(List::stream).sorted().toList()).containsExactly("a", "b", "c", "d", "e");
    }

    @Test
    void longDocumentsFormSmallBatches() throws InterruptedException {
        try (CodingQueue queue = new CodingQueue(this::code, LIMITS, new ServerMetrics())) {
            queue.submit(List.of(request("first")));
            started.await();
            queue.submit(List.of(request("x".repeat(300)), request("y".repeat(60)), request("z".repeat(40))));
            release.countDown();
        }
        assertThat(batches).extracting(List::size).containsExactly(1, 1, 2);
    }

    @Test
    void aFullQueueRejectsWithRetryAfter() throws InterruptedException {
        try (CodingQueue queue = new CodingQueue(this::code, LIMITS, new ServerMetrics())) {
            queue.submit(List.of(request("first")));
            started.await();
            queue.submit(List.of(request("a"), request("b"), request("c"), request("d")));
            ApiException problem = catchThrowableOfType(
                    ApiException.class, () -> queue.submit(List.of(request("e"), request("f"), request("g"))));
            assertThat(problem.status()).isEqualTo(429);
            assertThat(problem.retryAfter().orElse(0)).isPositive();
            assertThat(queue.queuedDocuments()).isEqualTo(4); // all or none
            queue.submit(List.of(request("e"), request("f")));
            release.countDown();
        }
    }

    @Test
    void aFailingDocumentDoesNotAffectOthersOfItsBatch() throws InterruptedException {
        try (CodingQueue queue = new CodingQueue(this::code, LIMITS, new ServerMetrics())) {
            queue.submit(List.of(request("first")));
            started.await();
            CompletableFuture<CodedDocument> good = queue.submit(request("good"));
            CompletableFuture<CodedDocument> bad = queue.submit(request("bad"));
            release.countDown();
            assertThat(good.join().model()).isEqualTo("good");
            assertThatThrownBy(bad::join).isInstanceOf(CompletionException.class);
            assertThat(queue.submit(request("later")).join().model()).isEqualTo("later");
        }
    }

    @Test
    void oneExplanationRunsAfterEachBatch() throws InterruptedException {
        CodingQueue.Limits limits = new CodingQueue.Limits(3, 2, 100, 1);
        List<CompletableFuture<String>> explanations = new ArrayList<>();
        try (CodingQueue queue = new CodingQueue(this::code, limits, new ServerMetrics())) {
            queue.submit(List.of(request("first")));
            started.await();
            for (String explanation : List.of("one", "two")) {
                explanations.add(queue.submitExplanation(
                        () -> {
                            batches.add(List.of("explanation " + explanation));
                            return explanation;
                        },
                        () -> false));
            }
            assertThat(catchThrowableOfType(
                                    ApiException.class, () -> queue.submitExplanation(() -> "three", () -> false))
                            .status())
                    .isEqualTo(429);
            queue.submit(List.of(request("a"), request("b"), request("c")));
            assertThat(queue.queuedDocuments()).isEqualTo(3);
            release.countDown();
        }
        assertThat(explanations).extracting(CompletableFuture::join).containsExactly("one", "two");
        assertThat(batches)
                .containsExactly(
                        List.of("first"),
                        List.of("a", "b"),
                        List.of("explanation one"),
                        List.of("c"),
                        List.of("explanation two"));
    }

    @Test
    void abandonedExplanationsTakeNoCapacity() throws InterruptedException {
        try (CodingQueue queue = new CodingQueue(this::code, LIMITS, new ServerMetrics())) {
            CompletableFuture<CodedDocument> first = queue.submit(request("first"));
            started.await();
            List<CompletableFuture<String>> abandoned = new ArrayList<>();
            for (int i = 0; i < 4; i++) { // as many as fit
                abandoned.add(queue.submitExplanation(() -> "abandoned", () -> true));
            }
            CompletableFuture<String> wanted = queue.submitExplanation(() -> "wanted", () -> false);
            assertThat(abandoned).allMatch(CompletableFuture::isCompletedExceptionally);
            assertThat(queue.queuedExplanations()).isEqualTo(1);
            release.countDown();
            assertThat(wanted.join()).isEqualTo("wanted");
            assertThat(first.join().model()).isEqualTo("first");
        }
    }

    @Test
    void anAbandonedExplanationIsSkipped() throws InterruptedException {
        List<String> taken = Collections.synchronizedList(new ArrayList<>());
        try (CodingQueue queue = new CodingQueue(this::code, LIMITS, new ServerMetrics())) {
            CompletableFuture<CodedDocument> first = queue.submit(request("first"));
            started.await();
            CompletableFuture<Boolean> left = queue.submitExplanation(() -> taken.add("left"), () -> true);
            CompletableFuture<Boolean> wanted = queue.submitExplanation(() -> taken.add("wanted"), () -> false);
            release.countDown();
            first.join();
            assertThat(wanted.join()).isTrue();
            assertThatThrownBy(left::join).hasCauseInstanceOf(ApiException.class);
        }
        assertThat(taken).containsExactly("wanted");
    }

    @Test
    void aFailingExplanationDoesNotAffectOthers() {
        release.countDown();
        try (CodingQueue queue = new CodingQueue(this::code, LIMITS, new ServerMetrics())) {
            CompletableFuture<String> bad = queue.submitExplanation(
                    () -> {
                        throw new IllegalStateException("bad");
                    },
                    () -> false);
            assertThatThrownBy(bad::join).isInstanceOf(CompletionException.class);
            assertThat(queue.submitExplanation(() -> "good", () -> false).join())
                    .isEqualTo("good");
        }
    }

    @Test
    void closingFinishesAcceptedDocumentsAndRejectsFurtherOnes() throws InterruptedException {
        CodingQueue queue = new CodingQueue(this::code, LIMITS, new ServerMetrics());
        queue.submit(List.of(request("first")));
        started.await();
        CompletableFuture<CodedDocument> accepted = queue.submit(request("accepted"));
        release.countDown();
        queue.close();
        assertThat(accepted.isDone()).isTrue();
        assertThat(catchThrowableOfType(ApiException.class, () -> queue.submit(request("late")))
                        .status())
                .isEqualTo(503);
    }
}
