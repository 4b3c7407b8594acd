package org.plant4j.review;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.Band;
import org.plant4j.Trait;
import org.plant4j.UserError;
import org.plant4j.encounter.SourceDocument;
import org.plant4j.review.access.AccessToken;
import org.plant4j.review.access.AccessTokenStore;
import org.plant4j.review.access.Role;
import org.plant4j.review.access.UserStore;
import org.plant4j.review.database.Database;

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
                Optional.of("2021-03-01"),
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
                                List.of(new Review.MarkedSpan("a", 6, 12)),
                                Optional.of(PresentOnAdmission.EXEMPT)),
                        new Review.Decision("R50.9", Review.Verdict.REJECTED, Optional.empty(), List.of()),
                        new Review.Decision(
                                "R05.1",
                                Review.Verdict.CHANGED,
                                Optional.of("R05"),
                                List.of(new Review.MarkedSpan("b", 0, 6), new Review.MarkedSpan("b", 9, 12)))),
                Optional.of("clear"),
                Optional.of(95),
                Optional.of(new SecondReview(
                        "r1",
                        "0a1b",
                        List.of(new SecondReview.Disagreement(Optional.of("R05"), Optional.empty(), "not coded")))));
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
            assertThat(found)
                    .isEqualTo(new StoredReview(
                            receipt.id(), receipt.at(), "ana", "doc", Optional.empty(), review("doc", TEXT)));
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
            ReviewCorpus.write(store, Map.of(), code -> true, lines::add);
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
            assertThat(store.check())
                    .isEqualTo(new ReviewCheck(1, 1, store.check().head(), List.of()));
            store.add(review("doc", "text"), "ana", "");
            assertThat(store.check().unchained()).isEqualTo(1);
            assertThat(store.check().problems()).isEmpty();
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
            List<StoredReview> page = store.list(ReviewQuery.latest(2));
            assertThat(page).extracting(StoredReview::id).containsExactly(ids.get(4), ids.get(3));
            assertThat(store.list(ReviewQuery.latest(9).before(ids.get(3))))
                    .extracting(StoredReview::id)
                    .containsExactly(ids.get(2), ids.get(1), ids.get(0));
            assertThat(store.list(ReviewQuery.latest(9).before("none"))).isEmpty();
            List<String> exported = new ArrayList<>();
            store.forEach(stored -> exported.add(stored.id()));
            assertThat(exported).isEqualTo(ids);
        }
    }

    @Test
    void aRepeatedKeyReturnsTheFirstReceiptToTheSameReviewerOnly() {
        try (ReviewStore store = ReviewStore.open(fresh(), true)) {
            ReviewReceipt first = store.add(review("doc", "text"), "ana", "key");
            assertThat(store.add(review("doc", "text"), "ana", "key")).isEqualTo(first);
            assertThatThrownBy(() -> store.add(review("doc", "other text"), "ana", "key"))
                    .isInstanceOf(KeyReusedException.class);
            assertThat(store.add(review("doc", "text"), "bea", "key").id()).isNotEqualTo(first.id());
            store.add(review("doc", "text"), "ana", "");
            store.add(review("doc", "text"), "ana", "");
            assertThat(store.list(ReviewQuery.latest(9))).hasSize(4);
        }
    }

    @Test
    void aSecondReviewSupersedesOnlyOnesOfTheSamePersonAndDocument() {
        try (ReviewStore store = ReviewStore.open(fresh(), true)) {
            ReviewReceipt first = store.add(review("doc", "text"), "ana", "");
            ReviewReceipt others = store.add(review("doc", "text"), "bea", "");
            ReviewReceipt corrected = store.add(review("doc", "text"), "ana", "");
            assertThat(first.supersedes()).isEmpty();
            assertThat(others.supersedes()).isEmpty();
            assertThat(corrected.supersedes()).contains(first.id());
            assertThat(store.add(review("other", "text"), "ana", "").supersedes())
                    .isEmpty();
            assertThat(store.find(corrected.id()).orElseThrow().supersedes()).contains(first.id());
            assertThat(store.findByFirstReviewer(
                            store.find(first.id()).orElseThrow().document()))
                    .isEqualTo(store.find(corrected.id()));
            assertThat(store.findByFirstReviewer("unknown")).isEmpty();
            assertThat(store.list(new ReviewQuery(9, Optional.empty(), Optional.of("ana"), Optional.of("doc"))))
                    .extracting(StoredReview::id)
                    .containsExactly(corrected.id(), first.id());
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
            assertThat(one.list(ReviewQuery.latest(99)))
                    .extracting(StoredReview::id)
                    .containsExactlyInAnyOrderElementsOf(ids);
            assertThat(one.check().problems()).isEmpty();
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

    /** Runs SQL after dropping the triggers, as somebody with access to the database can. */
    private static void tamper(String url, String... changes) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            boolean sqlite = url.startsWith(Database.SQLITE);
            statement.execute("DROP TRIGGER review_is_never_changed" + (sqlite ? "" : " ON review"));
            if (sqlite) {
                statement.execute("DROP TRIGGER review_is_never_deleted");
            }
            for (String change : changes) {
                assertThat(statement.executeUpdate(change)).isEqualTo(1);
            }
        }
    }

    @Test
    void theHashChainRevealsChangedDeletedAndInsertedReviews() throws SQLException {
        for (String change : List.of(
                "UPDATE review SET reviewer = 'eve' WHERE number = 2",
                "UPDATE review SET body = replace(body, 'J45.909', 'J45.901') WHERE number = 2",
                "UPDATE review SET at = '2020-01-01T00:00:00Z' WHERE number = 2",
                "DELETE FROM review WHERE number = 2")) {
            String url = fresh();
            try (ReviewStore store = ReviewStore.open(url, true)) {
                for (int i = 0; i < 4; i++) {
                    store.add(review("doc" + i, "text"), "ana", "");
                }
                assertThat(store.check().passed()).isTrue();
                tamper(url, change);
                assertThat(store.check().problems()).as(change).hasSize(1);
                assertThat(store.check().problems().get(0).number())
                        .as(change)
                        .isEqualTo(change.startsWith("DELETE") ? 3 : 2);
                store.add(review("later", "text"), "ana", ""); // continues the chain and hides nothing
                assertThat(store.check().problems()).as(change).hasSize(1);
            }
        }
    }

    @Test
    void aRemovedHashIsNotTakenForAReviewOfVersion01() throws SQLException {
        String url = fresh();
        try (ReviewStore store = ReviewStore.open(url, true)) {
            store.add(review("doc", "text"), "ana", "");
            tamper(url, "UPDATE review SET hash = NULL WHERE number = 1");
            assertThat(store.check().unchained()).isZero();
            assertThat(store.check().problems())
                    .extracting(ReviewCheck.Problem::number)
                    .containsExactly(1L);
        }
    }

    @Test
    void aRetryIsComparedWithTheRequestAndNotWithWhatWasStored() {
        try (ReviewStore store = ReviewStore.open(fresh(), true)) {
            Review request = review("doc", "text");
            Review verified = review("doc", "text verified");
            assertThat(store.findReceipt(request, "ana", "key")).isEmpty();
            ReviewReceipt first = store.add(verified, request, "ana", "key");
            assertThat(store.findReceipt(request, "ana", "key")).contains(first);
            assertThat(store.findReceipt(request, "ana", "")).isEmpty();
            assertThat(store.add(review("doc", "text verified otherwise"), request, "ana", "key"))
                    .isEqualTo(first);
            assertThatThrownBy(() -> store.findReceipt(verified, "ana", "key")).isInstanceOf(KeyReusedException.class);
        }
    }

    @Test
    void theReceiptHasTheHeadOfTheChain() {
        try (ReviewStore store = ReviewStore.open(fresh(), true)) {
            store.add(review("doc", "text"), "ana", "");
            String hash = store.add(review("doc", "text"), "ana", "").hash();
            assertThat(store.check().head()).contains(hash);
            assertThat(store.check().reviews()).isEqualTo(2);
            assertThat(store.containsHash(hash)).isTrue();
            assertThat(store.containsHash("none")).isFalse();
        }
    }

    @Test
    void anUnreadableReviewDoesNotHideTheOthers() throws SQLException {
        String url = fresh();
        try (ReviewStore store = ReviewStore.open(url, true)) {
            List<String> ids = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                ids.add(store.add(review("doc" + i, "text"), "ana", "").id());
            }
            tamper(url, "UPDATE review SET body = '{\"encounter\": ' WHERE id = '" + ids.get(1) + "'");
            assertThat(store.list(ReviewQuery.latest(2)))
                    .extracting(StoredReview::id)
                    .containsExactly(ids.get(2), ids.get(0));
            List<String> found = new ArrayList<>();
            store.forEach(stored -> found.add(stored.id()));
            assertThat(found).containsExactly(ids.get(0), ids.get(2));
            assertThat(store.find(ids.get(1))).isEmpty();
            assertThat(store.check().problems())
                    .extracting(ReviewCheck.Problem::what)
                    .contains("cannot be read");
        }
    }

    @Test
    void aNameBelongsToOneUserOrToken() {
        String url = fresh();
        Instant now = Instant.parse("2026-01-02T03:04:05Z");
        try (AccessTokenStore tokens = AccessTokenStore.open(url);
                UserStore users = UserStore.of(Database.open(url))) {
            tokens.add(new AccessToken("robot", Role.CODER, "aa11", now, Optional.empty(), Optional.empty()));
            assertThat(users.claim("https://idp", "1", "ana")).contains("ana");
            assertThat(users.claim("https://idp", "1", "anna")).contains("ana"); // renamed at the provider
            assertThat(users.claim("https://idp", "2", "ana")).isEmpty();
            assertThat(users.claim("https://other", "1", "ana")).isEmpty();
            assertThat(users.claim("https://idp", "3", "robot")).isEmpty();
            assertThat(users.claim("https://idp", "4", "local")).isEmpty();
            assertThat(catchThrowableOfType(
                                    UserError.class,
                                    () -> tokens.add(new AccessToken(
                                            "ana", Role.ADMIN, "cc", now, Optional.empty(), Optional.empty())))
                            .where())
                    .isEqualTo("ana");
        }
    }

    @Test
    void findsTokensByHashUntilTheyAreRevoked() {
        Instant now = Instant.parse("2026-01-02T03:04:05Z");
        String url = fresh();
        AccessToken ana = new AccessToken("ana", Role.CODER, "aa11", now, Optional.empty(), Optional.empty());
        AccessToken bea = new AccessToken("bea", Role.ADMIN, "bb22", now, Optional.of(now), Optional.empty());
        try (AccessTokenStore tokens = AccessTokenStore.open(url)) {
            tokens.add(ana);
            tokens.add(bea);
            assertThat(tokens.find("aa11")).contains(ana);
            assertThat(tokens.find("bb22")).contains(bea);
            assertThat(tokens.revoke("ana", now)).isTrue();
            assertThat(tokens.rotate("ana", "aa22", now, Optional.empty())).isFalse();
            assertThat(tokens.rotate("bea", "bb33", now, Optional.empty())).isTrue();
            assertThat(tokens.find("bb22")).isEmpty();
            assertThat(tokens.revoke("ana", now)).isFalse();
            assertThat(tokens.revoke("eve", now)).isFalse();
            assertThat(catchThrowableOfType(
                                    UserError.class,
                                    () -> tokens.add(new AccessToken(
                                            "ana", Role.ADMIN, "cc", now, Optional.empty(), Optional.empty())))
                            .where())
                    .isEqualTo("ana");
        }
        try (AccessTokenStore tokens = AccessTokenStore.open(url)) {
            assertThat(tokens.find("aa11")).isEmpty();
            assertThat(tokens.find("' OR ''='")).isEmpty();
            assertThat(tokens.list())
                    .containsExactly(
                            new AccessToken("ana", Role.CODER, "aa11", now, Optional.empty(), Optional.of(now)),
                            new AccessToken("bea", Role.ADMIN, "bb33", now, Optional.empty(), Optional.empty()));
        }
    }
}
