package org.plant4j.review;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.calibration.Band;
import org.plant4j.corpus.Document;
import org.plant4j.corpus.GoldEvidence;
import org.plant4j.corpus.Span;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.corpus.format.CodeField;
import org.plant4j.corpus.format.JsonLinesCorpus;
import org.plant4j.encounter.SourceDocument;
import org.plant4j.prediction.Trait;
import org.plant4j.support.UserError;

/** Contract of every review database. */
abstract class ReviewStoreContract {

    private static final String TEXT = "Fiebre y tos ñ 😀; half a pair: \ud83d, a NUL: \0, '); DROP TABLE review; --";

    @TempDir
    Path directory;

    /** The URL of an empty database. */
    abstract String fresh();

    static Review review(String document, String text) {
        return new Review(
                Optional.of(document),
                List.of(
                        new SourceDocument("a", "Admission", "Known asthma."),
                        new SourceDocument("b", "Discharge", text)),
                "0123456789ab",
                Optional.of("The text is in another language."),
                List.of(
                        new Review.ShownCode("J45.909", 0.97, Band.SUGGEST, Set.of()),
                        new Review.ShownCode("R50.9", 0.3, Band.REVIEW, Set.of(Trait.NEGATED, Trait.FAMILY)),
                        new Review.ShownCode("R05", 0.04, Band.HIDDEN, Set.of())),
                List.of(
                        new Review.Decision(
                                "J45.909",
                                Review.Verdict.ACCEPTED,
                                Optional.empty(),
                                List.of(new Review.MarkedSpan("a", 6, 12))),
                        new Review.Decision("R50.9", Review.Verdict.REJECTED, Optional.empty(), List.of()),
                        new Review.Decision(
                                "R05.1",
                                Review.Verdict.CHANGED,
                                Optional.of("R05"),
                                List.of(new Review.MarkedSpan("b", 0, 6), new Review.MarkedSpan("b", 9, 12)))),
                Optional.of("clear"));
    }

    @Test
    void aReviewSurvivesReopening() {
        String url = fresh();
        ReviewReceipt receipt;
        try (ReviewStore store = ReviewStore.open(url, true)) {
            receipt = store.add(review("doc", TEXT), "ana", "");
            assertThat(store.find(receipt.id())).map(StoredReview::review).contains(review("doc", TEXT));
        }
        try (ReviewStore store = ReviewStore.open(url, true)) {
            StoredReview found = store.find(receipt.id()).orElseThrow();
            assertThat(found).isEqualTo(new StoredReview(receipt.id(), receipt.at(), "ana", review("doc", TEXT)));
            assertThat(store.find("none")).isEmpty();
        }
    }

    @Test
    void withoutKeepTextNoDocumentTextIsWritten() throws SQLException {
        String url = fresh();
        try (ReviewStore store = ReviewStore.open(url, false)) {
            ReviewReceipt receipt = store.add(review("doc", "unmistakable"), "ana", "");
            Review kept = store.find(receipt.id()).orElseThrow().review();
            assertThat(kept.documents())
                    .containsExactly(
                            new SourceDocument("a", "Admission", ""), new SourceDocument("b", "Discharge", ""));
            assertThat(kept.decisions()).isEqualTo(review("doc", "").decisions());
            List<String> lines = new ArrayList<>();
            ReviewCorpus.write(store, lines::add);
            assertThat(lines).isEmpty();
        }
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                var row = statement.executeQuery("SELECT body FROM review")) {
            assertThat(row.next()).isTrue();
            assertThat(row.getString(1)).doesNotContain("unmistakable", "asthma");
        }
    }

    @Test
    void aReviewStoredByVersion01IsRead() throws SQLException {
        String url = fresh();
        try (ReviewStore store = ReviewStore.open(url, true);
                Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.executeUpdate("INSERT INTO review (id, at, reviewer, version, document, body) VALUES"
                    + " ('r', '2026-01-02T03:04:05Z', 'ana', 'v', 'doc', '{\"document\": \"doc\", \"notes\":"
                    + " [{\"id\": \"a\", \"title\": \"\", \"text\": \"Gout.\"}], \"version\": \"v\","
                    + " \"shown\": [{\"code\": \"M10.9\", \"probability\": 0.5, \"band\": \"review\"}],"
                    + " \"decisions\": [{\"code\": \"M10.9\", \"decision\": \"added\", \"from\": null,"
                    + " \"evidence\": [{\"note\": \"a\", \"start\": 0, \"end\": 4}]}], \"comment\": null}')");
            Review review = store.find("r").orElseThrow().review();
            assertThat(review.encounter()).contains("doc");
            assertThat(review.documents()).containsExactly(new SourceDocument("a", "", "Gout."));
            assertThat(review.outOfDomain()).isEmpty();
            assertThat(review.shown()).containsExactly(new Review.ShownCode("M10.9", 0.5, Band.REVIEW, Set.of()));
            assertThat(review.decisions().get(0).evidence()).containsExactly(new Review.MarkedSpan("a", 0, 4));
        }
    }

    @Test
    void listsNewestFirstInPages() {
        try (ReviewStore store = ReviewStore.open(fresh(), true)) {
            List<String> ids = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                ids.add(store.add(review("doc" + i, "text"), "ana", "").id());
            }
            List<StoredReview> page = store.list(2, Optional.empty());
            assertThat(page).extracting(StoredReview::id).containsExactly(ids.get(4), ids.get(3));
            assertThat(store.list(9, Optional.of(ids.get(3))))
                    .extracting(StoredReview::id)
                    .containsExactly(ids.get(2), ids.get(1), ids.get(0));
            assertThat(store.list(9, Optional.of("none"))).isEmpty();
            List<String> exported = new ArrayList<>();
            store.forEach(stored -> exported.add(stored.id()));
            assertThat(exported).isEqualTo(ids);
        }
    }

    @Test
    void aRepeatedKeyReturnsTheFirstReceiptToTheSameReviewerOnly() {
        try (ReviewStore store = ReviewStore.open(fresh(), true)) {
            ReviewReceipt first = store.add(review("doc", "text"), "ana", "key");
            assertThat(store.add(review("other", "text"), "ana", "key")).isEqualTo(first);
            assertThat(store.add(review("doc", "text"), "bea", "key").id()).isNotEqualTo(first.id());
            store.add(review("doc", "text"), "ana", "");
            store.add(review("doc", "text"), "ana", "");
            assertThat(store.list(9, Optional.empty())).hasSize(4);
        }
    }

    @Test
    void concurrentWritersLoseNothingAndAKeyIsStoredOnce() throws Exception {
        String url = fresh();
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try (ReviewStore one = ReviewStore.open(url, true);
                ReviewStore two = ReviewStore.open(url, true)) {
            List<Future<ReviewReceipt>> receipts = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                int number = i;
                ReviewStore store = i % 2 == 0 ? one : two;
                receipts.add(threads.submit(() -> store.add(review("doc", "text"), "ana", "key" + number / 2)));
            }
            Set<String> ids = new HashSet<>();
            for (Future<ReviewReceipt> receipt : receipts) {
                ids.add(receipt.get().id());
            }
            assertThat(ids).hasSize(20);
            assertThat(one.list(99, Optional.empty()))
                    .extracting(StoredReview::id)
                    .containsExactlyInAnyOrderElementsOf(ids);
        } finally {
            threads.shutdown();
        }
    }

    @Test
    void aReviewCannotBeChangedOrDeleted() throws SQLException {
        String url = fresh();
        try (ReviewStore store = ReviewStore.open(url, true)) {
            store.add(review("doc", "text"), "ana", "");
        }
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            for (String change : List.of("UPDATE review SET reviewer = 'eve'", "DELETE FROM review")) {
                assertThatThrownBy(() -> statement.execute(change)).hasMessageContaining("only ever added");
            }
        }
    }

    @Test
    void exportsACorpusWithTheLatestReviewOfEachDocument() throws Exception {
        Path file = directory.resolve("reviews.jsonl");
        try (ReviewStore store = ReviewStore.open(fresh(), true)) {
            store.add(review("doc", "Fiebre y tos."), "ana", "");
            store.add(review("doc", "Fiebre y tos."), "bea", "");
            Review rejected = new Review(
                    Optional.empty(),
                    List.of(new SourceDocument("a", "", "Nothing.")),
                    "v",
                    Optional.empty(),
                    List.of(),
                    List.of(),
                    Optional.empty());
            store.add(rejected, "ana", "");
            List<String> lines = new ArrayList<>();
            ReviewCorpus.write(store, lines::add);
            assertThat(lines).hasSize(1);
            Files.write(file, lines);
        }
        List<Document> read = new JsonLinesCorpus(file, CodeField.REQUIRED, BadRowHandler.fail())
                .documents()
                .toList();
        String text = "Known asthma.\n\nFiebre y tos.";
        assertThat(read)
                .containsExactly(new Document(
                        "doc",
                        text,
                        Set.of("J45.909", "R05.1"),
                        List.of(
                                new GoldEvidence("J45.909", List.of(new Span(6, 12))),
                                new GoldEvidence("R05.1", List.of(new Span(15, 21))),
                                new GoldEvidence("R05.1", List.of(new Span(24, 27))))));
        assertThat(text.substring(6, 12) + text.substring(15, 21) + text.substring(24, 27))
                .isEqualTo("asthmaFiebretos");
    }

    @Test
    void findsTokensByHashUntilTheyAreRevoked() {
        Instant now = Instant.parse("2026-01-02T03:04:05Z");
        String url = fresh();
        AccessToken ana = new AccessToken("ana", Role.CODER, "aa11", now, Optional.empty());
        AccessToken bea = new AccessToken("bea", Role.ADMIN, "bb22", now, Optional.empty());
        try (AccessTokenStore tokens = AccessTokenStore.open(url)) {
            tokens.add(ana);
            tokens.add(bea);
            assertThat(tokens.find("aa11")).contains(ana);
            assertThat(tokens.find("bb22")).contains(bea);
            assertThat(tokens.revoke("ana", now)).isTrue();
            assertThat(tokens.revoke("ana", now)).isFalse();
            assertThat(tokens.revoke("eve", now)).isFalse();
            assertThat(catchThrowableOfType(
                                    UserError.class,
                                    () -> tokens.add(new AccessToken("ana", Role.ADMIN, "cc", now, Optional.empty())))
                            .where())
                    .isEqualTo("ana");
        }
        try (AccessTokenStore tokens = AccessTokenStore.open(url)) {
            assertThat(tokens.find("aa11")).isEmpty();
            assertThat(tokens.find("' OR ''='")).isEmpty();
            assertThat(tokens.list())
                    .containsExactly(new AccessToken("ana", Role.CODER, "aa11", now, Optional.of(now)), bea);
        }
    }
}
