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
import org.plant4j.encounter.CodedDocument;
import org.plant4j.encounter.Encounter;
import org.plant4j.encounter.Note;
import org.plant4j.server.http.ApiException;

class CodingQueueTest {

    private static final CodingQueue.Limits LIMITS = new CodingQueue.Limits(6, 4, 100);

    private final List<List<String>> batches = Collections.synchronizedList(new ArrayList<>());
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch mayGo = new CountDownLatch(1);

    /** Holds the first batch until told; a text "bad" spoils the batch it is in. */
    private List<CodedDocument> code(List<CodingQueue.CodingRequest> works) {
        List<String> texts = works.stream().map(work -> work.encounter().text()).toList();
        batches.add(texts);
        begun.countDown();
        try {
            assertThat(mayGo.await(10, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        if (texts.contains("bad")) {
            throw new IllegalStateException("bad");
        }
        return texts.stream()
                .map(text -> new CodedDocument(text, "", List.of()))
                .toList();
    }

    private static CodingQueue.CodingRequest work(String text) {
        return new CodingQueue.CodingRequest(new Encounter(List.of(new Note("n", "", text))), 5);
    }

    @Test
    void whatGathersWhileABatchIsCodedIsTheNextBatch() throws InterruptedException {
        try (CodingQueue queue = new CodingQueue(this::code, LIMITS, new ServerMetrics())) {
            CompletableFuture<CodedDocument> first = queue.submit(work("first"));
            begun.await();
            List<CompletableFuture<CodedDocument>> others = new ArrayList<>();
            for (String text : List.of("a", "b", "c", "d", "e")) {
                others.add(queue.submit(work(text)));
            }
            mayGo.countDown();
            assertThat(first.join().model()).isEqualTo("first");
            assertThat(others).extracting(each -> each.join().model()).containsExactly("a", "b", "c", "d", "e");
            assertThat(batches).containsExactly(List.of("first"), List.of("a", "b", "c", "d"), List.of("e"));
        }
    }

    @Test
    void longDocumentsMakeSmallBatches() throws InterruptedException {
        try (CodingQueue queue = new CodingQueue(this::code, LIMITS, new ServerMetrics())) {
            queue.submit(List.of(work("first")));
            begun.await();
            queue.submit(List.of(work("x".repeat(300)), work("y".repeat(60)), work("z".repeat(40))));
            mayGo.countDown();
        }
        assertThat(batches).extracting(List::size).containsExactly(1, 1, 2);
    }

    @Test
    void pastItsLimitTheQueueTurnsAwayAndSaysWhenToComeAgain() throws InterruptedException {
        try (CodingQueue queue = new CodingQueue(this::code, LIMITS, new ServerMetrics())) {
            queue.submit(List.of(work("first")));
            begun.await();
            queue.submit(List.of(work("a"), work("b"), work("c"), work("d")));
            ApiException problem = catchThrowableOfType(
                    ApiException.class, () -> queue.submit(List.of(work("e"), work("f"), work("g"))));
            assertThat(problem.status()).isEqualTo(429);
            assertThat(problem.retryAfter().orElse(0)).isPositive();
            assertThat(queue.queuedDocuments()).isEqualTo(4); // all of them or none
            queue.submit(List.of(work("e"), work("f")));
            mayGo.countDown();
        }
    }

    @Test
    void oneBadDocumentDoesNotSpoilTheOthers() throws InterruptedException {
        try (CodingQueue queue = new CodingQueue(this::code, LIMITS, new ServerMetrics())) {
            queue.submit(List.of(work("first")));
            begun.await();
            CompletableFuture<CodedDocument> good = queue.submit(work("good"));
            CompletableFuture<CodedDocument> bad = queue.submit(work("bad"));
            mayGo.countDown();
            assertThat(good.join().model()).isEqualTo("good");
            assertThatThrownBy(bad::join).isInstanceOf(CompletionException.class);
            assertThat(queue.submit(work("later")).join().model()).isEqualTo("later");
        }
    }

    @Test
    void looksTakeNoPlaceFromCodingAndComeOneAfterEachBatch() throws InterruptedException {
        CodingQueue.Limits limits = new CodingQueue.Limits(3, 2, 100);
        List<CompletableFuture<String>> looks = new ArrayList<>();
        try (CodingQueue queue = new CodingQueue(this::code, limits, new ServerMetrics())) {
            queue.submit(List.of(work("first")));
            begun.await();
            for (String look : List.of("one", "two")) {
                looks.add(queue.submitExplanation(() -> {
                    batches.add(List.of("look " + look));
                    return look;
                }));
            }
            assertThat(catchThrowableOfType(ApiException.class, () -> queue.submitExplanation(() -> "three"))
                            .status())
                    .isEqualTo(429);
            queue.submit(List.of(work("a"), work("b"), work("c")));
            assertThat(queue.queuedDocuments()).isEqualTo(3);
            mayGo.countDown();
        }
        assertThat(looks).extracting(CompletableFuture::join).containsExactly("one", "two");
        assertThat(batches)
                .containsExactly(
                        List.of("first"), List.of("a", "b"), List.of("look one"), List.of("c"), List.of("look two"));
    }

    @Test
    void aLookThatNobodyWaitsForIsNotTaken() throws InterruptedException {
        List<String> taken = Collections.synchronizedList(new ArrayList<>());
        try (CodingQueue queue = new CodingQueue(this::code, LIMITS, new ServerMetrics())) {
            CompletableFuture<CodedDocument> first = queue.submit(work("first"));
            begun.await();
            CompletableFuture<Boolean> left = queue.submitExplanation(() -> taken.add("left"));
            CompletableFuture<Boolean> wanted = queue.submitExplanation(() -> taken.add("wanted"));
            left.cancel(false);
            mayGo.countDown();
            first.join();
            assertThat(wanted.join()).isTrue();
        }
        assertThat(taken).containsExactly("wanted");
    }

    @Test
    void aLookThatFailsHarmsNoOther() {
        mayGo.countDown();
        try (CodingQueue queue = new CodingQueue(this::code, LIMITS, new ServerMetrics())) {
            CompletableFuture<String> bad = queue.submitExplanation(() -> {
                throw new IllegalStateException("bad");
            });
            assertThatThrownBy(bad::join).isInstanceOf(CompletionException.class);
            assertThat(queue.submitExplanation(() -> "good").join()).isEqualTo("good");
        }
    }

    @Test
    void closingFinishesWhatWasAcceptedAndTakesNoMore() throws InterruptedException {
        CodingQueue queue = new CodingQueue(this::code, LIMITS, new ServerMetrics());
        queue.submit(List.of(work("first")));
        begun.await();
        CompletableFuture<CodedDocument> accepted = queue.submit(work("accepted"));
        mayGo.countDown();
        queue.close();
        assertThat(accepted.isDone()).isTrue();
        assertThat(catchThrowableOfType(ApiException.class, () -> queue.submit(work("late")))
                        .status())
                .isEqualTo(503);
    }
}
