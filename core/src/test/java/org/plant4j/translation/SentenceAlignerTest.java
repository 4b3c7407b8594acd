package org.plant4j.translation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.plant4j.translation.SentenceAligner.Aligned;

class SentenceAlignerTest {

    @Test
    void sentencesAreAlignedInOrder() {
        assertThat(SentenceAligner.align(
                        "The patient has a fever of 40.2 degrees.\nThe abdomen is soft.",
                        "El paciente tiene fiebre de 40,2 grados. El abdomen es blando."))
                .containsExactly(
                        new Aligned(
                                "The patient has a fever of 40.2 degrees.", "El paciente tiene fiebre de 40,2 grados."),
                        new Aligned("The abdomen is soft.", "El abdomen es blando."));
    }

    @Test
    void aSentenceWithoutTranslationIsLeftOut() {
        List<String> english = List.of(
                "The patient has a fever of 40.2 degrees.",
                "Chest radiography shows pneumonia.",
                "Treatment with amoxicillin for 7 days.",
                "The creatinine is 0.9 and the glucose is 117.",
                "The abdomen is soft and not painful on palpation.",
                "Radiography of the chest on day 3 is normal.",
                "The patient was discharged after 12 days of treatment.");
        List<String> spanish = new ArrayList<>(List.of(
                "El paciente tiene fiebre de 40,2 grados.",
                "La radiografía de tórax muestra neumonía.",
                "Tratamiento con amoxicilina durante 7 días.",
                "La creatinina es 0,9 y la glucosa es 117.",
                "El abdomen es blando y no doloroso a la palpación.",
                "La radiografía de tórax del día 3 es normal.",
                "El paciente fue dado de alta tras 12 días de tratamiento."));
        List<String> translations = List.copyOf(spanish);
        spanish.add(2, "Niega hábitos tóxicos ni alergias medicamentosas conocidas hasta la fecha de hoy.");
        assertThat(SentenceAligner.align(String.join("\n", english), String.join(" ", spanish)))
                .extracting(Aligned::target)
                .containsExactlyElementsOf(translations);
    }

    @Test
    void sentencesThatWereSplitAreJoined() {
        assertThat(SentenceAligner.align(
                        "Sodium 136, potassium 3.6.\nCreatinine 0.9, glucose 117.\nThe patient improved.",
                        "Sodio 136, potasio 3,6, creatinina 0,9, glucosa 117. El paciente mejora."))
                .extracting(Aligned::source)
                .containsExactly("Sodium 136, potassium 3.6. Creatinine 0.9, glucose 117.", "The patient improved.");
    }

    @Test
    void anEmptyTextHasNoSentences() {
        assertThat(SentenceAligner.align("", "El paciente mejora.")).isEmpty();
        assertThat(ParallelTexts.pairs("Fever.", "Fiebre."))
                .containsExactly(new TextPair(List.of("fever"), List.of("fiebre")));
    }
}
