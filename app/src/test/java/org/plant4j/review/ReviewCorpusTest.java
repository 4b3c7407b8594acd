package org.plant4j.review;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.Document;
import org.plant4j.GoldEvidence;
import org.plant4j.Span;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.corpus.format.CodeField;
import org.plant4j.corpus.format.JsonLinesCorpus;
import org.plant4j.encounter.SourceDocument;
import org.plant4j.review.database.Database;

class ReviewCorpusTest {

    @TempDir
    Path directory;

    @Test
    void exportsOneLinePerDocumentWithItsCodesAndEvidence() throws Exception {
        Path file = directory.resolve("reviews.jsonl");
        try (ReviewStore store = ReviewStore.open(Database.SQLITE + directory.resolve("reviews.db"), true)) {
            store.add(ReviewStoreContract.review("doc", "Fiebre y tos."), "ana", "");
            store.add(ReviewStoreContract.review("doc", "Fiebre y tos."), "bea", "");
            Review rejected = new Review(
                    Optional.empty(),
                    Optional.empty(),
                    List.of(new SourceDocument("a", "", "Nothing.")),
                    "v",
                    Optional.empty(),
                    List.of(),
                    List.of(),
                    Optional.empty());
            store.add(rejected, "ana", "");
            List<String> lines = new ArrayList<>();
            ReviewCorpus.write(store, Map.of(), code -> true, lines::add);
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

    private static Review review(Optional<String> id, String text, String code) {
        return new Review(
                id,
                Optional.empty(),
                List.of(new SourceDocument("a", "", text)),
                "v",
                Optional.empty(),
                List.of(),
                List.of(new Review.Decision(code, Review.Verdict.ADDED, Optional.empty(), List.of())),
                Optional.empty());
    }

    private static List<String> export(InMemoryReviewStore store) {
        List<String> lines = new ArrayList<>();
        ReviewCorpus.write(store, Map.of(), code -> true, lines::add);
        return lines;
    }

    @Test
    void aCorrectionReplacesTheReviewButAnotherPersonDoesNot() {
        InMemoryReviewStore store = new InMemoryReviewStore();
        store.add(review(Optional.of("doc"), "Gout.", "M10.9"), "ana", "");
        store.add(review(Optional.of("doc"), "Gout.", "M10.00"), "ana", "");
        store.add(review(Optional.of("doc"), "Gout, poisoned.", "I10"), "eve", "");
        assertThat(export(store)).containsExactly("{\"id\":\"doc\",\"text\":\"Gout.\",\"codes\":[\"M10.00\"]}");
    }

    @Test
    void codesThatNoModelShouldSuggestAreLeftOut() {
        InMemoryReviewStore store = new InMemoryReviewStore();
        store.add(review(Optional.of("heading"), "Gallstones.", "K80.0"), "ana", "");
        store.add(review(Optional.of("code"), "Gout.", "M10.9"), "ana", "");
        List<String> lines = new ArrayList<>();
        ReviewCorpus.write(store, Map.of(), code -> !code.equals("K80.0"), lines::add);
        assertThat(lines).containsExactly("{\"id\":\"code\",\"text\":\"Gout.\",\"codes\":[\"M10.9\"]}");
    }

    @Test
    void theSameTextWithoutAnIdIsOneDocument() {
        InMemoryReviewStore store = new InMemoryReviewStore();
        store.add(review(Optional.empty(), "Gout.", "M10.9"), "ana", "");
        store.add(review(Optional.empty(), "Gout.", "M10.00"), "ana", "");
        store.add(review(Optional.empty(), "Asthma.", "J45.909"), "ana", "");
        // printf Gout. | sha256sum
        assertThat(export(store)).hasSize(2).first().asString().startsWith("{\"id\":\"text-d52f39c7165dfce17dd1a1a9\"");
    }
}
