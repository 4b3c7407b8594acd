package org.plant4j.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class DomainMeasurementTest {

    @Test
    void theLanguageOfACorpusFollowsFromItsWords() {
        assertThat(
                        DomainMeasurement.languageOf(
                                List.of(
                                        "The patient was admitted with pain and fever, and he was treated for an infection of the lung.")))
                .isEqualTo("English");
        assertThat(DomainMeasurement.languageOf(List.of(
                        "El paciente ingresa por dolor y fiebre, y fue tratado de una infección en los pulmones.")))
                .isEqualTo("Spanish");
    }
}
