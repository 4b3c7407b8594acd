package org.plant4j.encounter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.plant4j.Evidence;
import org.plant4j.Span;

class EncounterTest {

    private final Encounter encounter = new Encounter(List.of(
            new SourceDocument("a", "", "one two"),
            new SourceDocument("b", "", "three"),
            new SourceDocument("c", "", "four")));

    @Test
    void aSingleDocumentIsItsOwnText() {
        assertThat(new Encounter(List.of(new SourceDocument("n", "Title", "as it is "))).text())
                .isEqualTo("as it is ");
    }

    private static Evidence in(String document, int start, String text, double weight) {
        return new Evidence(new Span(start, start + text.length()), text, weight, Set.of(), Optional.of(document));
    }

    @Test
    void evidenceFindsItsDocument() {
        int at = encounter.text().indexOf("three");
        List<Evidence> spans = encounter.byDocument(
                List.of(new Evidence(new Span(at, at + 5), "three", 0.5), new Evidence(new Span(4, 7), "two", 0.25)));
        assertThat(spans).containsExactly(in("b", 0, "three", 0.5), in("a", 4, "two", 0.25));
    }

    @Test
    void evidenceAcrossTwoDocumentsIsSplit() {
        int end = encounter.text().indexOf("three") + 5;
        List<Evidence> spans = encounter.byDocument(List.of(new Evidence(new Span(4, end), "two\n\nthree", 0.8)));
        assertThat(spans).extracting(Evidence::document).containsExactly(Optional.of("a"), Optional.of("b"));
        assertThat(spans.get(0).weight()).isEqualTo(0.3, within(1e-9)); // "two" has 3 of 8 characters
        assertThat(spans.get(1)).isEqualTo(in("b", 0, "three", 0.5));
    }

    @Test
    void aSpanOfANoteFindsItsPlaceInTheWhole() {
        Span span = encounter.toTextSpan("c", 1, 3);
        assertThat(encounter.text().substring(span.start(), span.end())).isEqualTo("ou");
    }

    @Test
    void aDocumentNeverShowsItsText() {
        assertThat(new SourceDocument("n", "Title", "secret").toString()).doesNotContain("secret");
    }
}
