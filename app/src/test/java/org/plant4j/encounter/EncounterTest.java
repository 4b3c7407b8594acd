package org.plant4j.encounter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.plant4j.corpus.Span;
import org.plant4j.prediction.WeightedSpan;

class EncounterTest {

    private final Encounter encounter =
            new Encounter(List.of(new Note("a", "", "one two"), new Note("b", "", "three"), new Note("c", "", "four")));

    @Test
    void aSingleNoteIsItsOwnText() {
        assertThat(new Encounter(List.of(new Note("n", "Title", "as it is "))).text())
                .isEqualTo("as it is ");
    }

    @Test
    void evidenceFindsItsNote() {
        int at = encounter.text().indexOf("three");
        List<NoteSpan> spans = encounter.byNote(
                List.of(new WeightedSpan(new Span(at, at + 5), 0.5), new WeightedSpan(new Span(4, 7), 0.25)));
        assertThat(spans).containsExactly(new NoteSpan("b", 0, 5, 0.5), new NoteSpan("a", 4, 7, 0.25));
    }

    @Test
    void evidenceOverABorderIsParted() {
        int end = encounter.text().indexOf("three") + 5;
        List<NoteSpan> spans = encounter.byNote(List.of(new WeightedSpan(new Span(4, end), 0.8)));
        assertThat(spans).extracting(NoteSpan::note).containsExactly("a", "b");
        assertThat(spans.get(0).weight()).isEqualTo(0.3, within(1e-9)); // "two" has 3 of 8 characters
        assertThat(spans.get(1)).isEqualTo(new NoteSpan("b", 0, 5, 0.5));
    }

    @Test
    void aSpanOfANoteFindsItsPlaceInTheWhole() {
        Span span = encounter.toTextSpan("c", 1, 3);
        assertThat(encounter.text().substring(span.start(), span.end())).isEqualTo("ou");
    }

    @Test
    void aNoteNeverShowsItsText() {
        assertThat(new Note("n", "Title", "secret").toString()).doesNotContain("secret");
    }
}
