package org.plant4j.app.desk;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.plant4j.corpus.Document;
import org.plant4j.corpus.demo.DemoCorpus;

class SamplesTest {

    @ParameterizedTest
    @ValueSource(strings = {"Chief Complaint:\n", "CHIEF COMPLAINT: ", "CC:\n\n", "Reason for Admission:\n"})
    void aSampleIsCalledByWhatBroughtThePatientIn(String heading) {
        assertThat(Samples.title("Admission Date: ___\n\n" + heading + "Fever and cough\n\nHPI:\nA man with gout."))
                .isEqualTo("Discharge summary: fever and cough");
    }

    @Test
    void elseByItsFirstLineThatSaysSomething() {
        assertThat(Samples.title("Name: ___ Unit No: ___ Admission Date: ___\n\nHPI:\n A man with gout.\n"))
                .isEqualTo("A man with gout.");
        assertThat(Samples.title("Name: ___\n")).isEqualTo("Discharge summary");
    }

    @Test
    void everyDemoNoteSaysWhatBroughtThePatientIn() {
        try (Stream<Document> demo = DemoCorpus.of(DemoCorpus.Part.TEST, 1).documents()) {
            assertThat(demo.limit(50).map(note -> Samples.title(note.text())))
                    .allMatch(title -> title.startsWith("Discharge summary: ") && !title.contains("___"));
        }
    }
}
