package org.plant4j.server.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.plant4j.Document;
import org.plant4j.corpus.Split;
import org.plant4j.corpus.demo.DemoCorpus;

class SampleNotesTest {

    @ParameterizedTest
    @ValueSource(strings = {"Chief Complaint:\n", "CHIEF COMPLAINT: ", "CC:\n\n", "Reason for Admission:\n"})
    void titleIsTheChiefComplaint(String heading) {
        assertThat(SampleNotes.title("Admission Date: ___\n\n" + heading + "Fever and cough\n\nHPI:\nA man with gout."))
                .isEqualTo("Discharge summary: fever and cough");
    }

    @Test
    void titleFallsBackToTheFirstLineWithContent() {
        assertThat(SampleNotes.title("Name: ___ Unit No: ___ Admission Date: ___\n\nHPI:\n A man with gout.\n"))
                .isEqualTo("A man with gout.");
        assertThat(SampleNotes.title("Name: ___\n")).isEqualTo("Discharge summary");
    }

    @Test
    void everyDemoNoteHasAChiefComplaint() {
        try (Stream<Document> demo = new DemoCorpus(Split.TEST, 1).documents()) {
            assertThat(demo.limit(50).map(note -> SampleNotes.title(note.text())))
                    .allMatch(title -> title.startsWith("Discharge summary: ") && !title.contains("___"));
        }
    }
}
