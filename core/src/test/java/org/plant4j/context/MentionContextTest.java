package org.plant4j.context;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.plant4j.Span;
import org.plant4j.Trait;

/** The mention of each sentence is in brackets. */
class MentionContextTest {

    private static Set<Trait> traits(String marked) {
        String text = marked.replace("[", "").replace("]", "");
        int start = marked.indexOf('[');
        return MentionContext.of(text).traits(new Span(start, marked.indexOf(']') - 1));
    }

    /** Checks the text with each kind of line end. */
    private static void check(String marked, String expected) {
        checkTraits(marked, expected);
        if (marked.contains("\n")) {
            checkTraits(marked.replace("\n", "\r\n"), expected);
            checkTraits(marked.replace("\n", "\r"), expected);
        }
    }

    private static void checkTraits(String marked, String expected) {
        String found = traits(marked).stream().map(Trait::key).sorted().collect(Collectors.joining(" "));
        assertThat(found).as(marked).isEqualTo(expected.equals("-") ? "" : expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            The patient has [pneumonia] on the right.               | -
            There is no evidence of [pneumonia].                    | negated
            She denies fever, chills or [chest pain].               | negated
            Chest CT without [pulmonary embolism].                  | negated
            The scan was negative for [deep vein thrombosis].       | negated
            [Pulmonary embolism] was ruled out by CT.               | negated
            Ruled out for [myocardial infarction] with troponins.   | negated
            [Sepsis] was considered and excluded.                   | hypothetical negated
            Initial concern for [sepsis], but workup was negative.  | hypothetical negated
            [Meningitis] was considered but thought unlikely.       | hypothetical negated
            Question of [stroke] raised in the ED, not confirmed.   | hypothetical negated
            Low suspicion for [endocarditis] at this time.          | negated
            The CT did not show [appendicitis].                     | negated
            No [fever] but has pneumonia.                           | negated
            No fever but has [pneumonia].                           | -
            No fever. The patient has [pneumonia].                  | -
            No fever; [pneumonia] on chest film.                    | -
            No increase in [pleural effusion] since last week.      | -
            Not only [asthma] but also COPD was treated.            | -
            The patient tolerated [surgery] without difficulty.     | -
            Gram negative [bacteremia] was treated.                 | -
            No change in the [lung nodule].                         | -
            The [pain] did not improve with ibuprofen.              | -
            Non-small cell [lung cancer] was diagnosed.             | -
            There is no doubt that he has [gout].                   | -
            Mother with [breast cancer].                            | family
            Her father died of [myocardial infarction].             | family
            Family history of [diabetes] in two uncles.             | family
            There was [colon cancer] in her brother.                | family
            Mother reports that he has had [fever].                 | -
            He lives with his mother and has [asthma].              | -
            No family history of [stroke].                          | family negated
            Return if you develop [shortness of breath].            | hypothetical
            CT of the head to rule out [hemorrhage].                | hypothetical
            [Pneumonia] cannot be excluded.                         | hypothetical
            She may have [pyelonephritis].                          | hypothetical
            He has a history of [stroke].                           | historical
            S/p [appendectomy] as a child.                          | historical
            No history of [seizures].                               | historical negated
            The differential included [sepsis] and PE, neither of which was supported. | hypothetical negated
            """)
    void english(String sentence, String expected) {
        check(sentence, expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            El paciente presenta [neumonía] en el lado derecho.            | -
            El paciente no presenta [neumonía].                            | negated
            Paciente sin [fiebre] ni dolor de cabeza.                      | negated
            Paciente sin fiebre ni [cefalea] en la consulta.               | negated
            Niega [dolor torácico] y disnea de esfuerzo.                   | negated
            No se observa [derrame pleural] en la radiografía.             | negated
            En la TC no se aprecian [adenopatías] de tamaño significativo. | negated
            Se descarta [tromboembolismo pulmonar] por la TC.              | negated
            La [tuberculosis] fue descartada con el cultivo.               | negated
            La exploración descarta la presencia de [metástasis].          | negated
            Ausencia de [edemas] en las extremidades.                      | negated
            El estudio fue negativo para [brucelosis].                     | negated
            No hay evidencia de [recidiva] en el momento actual.           | negated
            Sin fiebre, pero con [tos] productiva.                         | -
            No fiebre. Presenta [tos] y expectoración.                     | -
            No refiere fiebre aunque tiene [artralgias].                   | -
            No solo la [diabetes] sino también la obesidad.                | -
            Sin cambios en la [lesión hepática] desde la última visita.    | -
            El [dolor] no cede con la analgesia.                           | -
            El [dolor] no mejoró con el tratamiento.                       | -
            Diagnosticado de linfoma no Hodgkin con [adenopatías].         | -
            Sin embargo presenta [ictericia] en la piel.                   | -
            No aumento del [nódulo] en los controles.                      | -
            Antecedentes familiares de [cáncer de mama].                   | family
            Madre con [diabetes mellitus] y padre hipertenso.              | family
            El padre falleció de [infarto de miocardio].                   | family
            Dos hermanos con [asma bronquial].                             | family
            Cáncer de colon y [glaucoma] en la madre.                      | family
            La madre refiere que el niño tiene [fiebre] desde ayer.        | -
            Sin antecedentes familiares de [epilepsia].                    | family negated
            Antecedentes personales de [hipertensión arterial].            | historical
            Con antecedentes de [ictus] en el año 2003.                    | historical
            Paciente intervenido de [hernia inguinal].                     | historical
            Ingresa por fiebre, a descartar [endocarditis].                | hypothetical
            Acudir a urgencias si presenta [fiebre] o dolor.               | hypothetical
            Ante la sospecha de [apendicitis] se realiza una ecografía.    | hypothetical
            No se puede descartar [malignidad] en la lesión.               | hypothetical
            Probable [neumonía] en el lóbulo inferior.                     | hypothetical
            """)
    void spanish(String sentence, String expected) {
        check(sentence, expected);
    }

    @Test
    void aTriggerInsideTheSpanIsNotPartOfTheMention() {
        check("On exam there is [no pneumonia] to be seen.", "negated");
        check("[Sepsis was considered and excluded].", "hypothetical negated");
        check("[no] pneumonia", "-");
    }

    @Test
    void aMentionThatIsOnlyPartlyInScopeIsNotNegated() {
        check("The patient had [pain but no fever] today.", "-");
    }

    @Test
    void aHeadingGivesItsTraitToTheSectionBelow() {
        check("Family History:\nAsthma.\n[COPD], stroke.\nSocial History:\nsmokes", "family");
        check("Family History:\nAsthma.\nAssessment:\n[COPD] flare", "-");
        check("Family History:\nAsthma.\n\n[COPD] flare was treated", "-");
        check("Antecedentes familiares:\nmadre hipertensa\n[asma] de la infancia", "family historical");
        check("Allergies: none\nFamily History: [asthma]", "family");
        check("Family History: none\nThe [asthma] was treated", "-");
        check("PMH:\n- [Hypertension]\n- Asthma", "historical");
    }

    @Test
    void aSentenceContinuesOnTheNextLineIfTheLineIsWrapped() {
        String line = "The computed tomography of the chest shows no evidence of\n";
        check(line + "[pulmonary embolism] or pneumonia", "negated");
        check("no tobacco\n[hypertension]", "-");
        check(line + "- [Hypertension]", "-");
    }

    @Test
    void termsOfOtherLanguagesAreNotActive() {
        check("There is pain over the SI joint and [arthritis] of the hip.", "-");
        check("Si hay dolor o [fiebre] acudir a la consulta.", "hypothetical");
        check("Las lesiones de la piel son [melanomas] de la espalda.", "-");
        check("No [fiebre]", "negated");
    }

    @Test
    void aScopeExtendsIntoShortListItemsButNotIntoClauses() {
        check("No fever, cough, weight loss, [night sweats].", "negated");
        check("Without fever, the chest X-ray shows an [infiltrate].", "-");
        check("No fever, the abdomen was tender, [vomiting].", "-");
        check("Sin antecedentes de interés, que consulta por [astenia].", "-");
        check("Las serologías de VHB, VHC y [VIH] fueron negativas.", "negated");
        check("Stable (no fever), [cough] persists.", "-");
    }

    @Test
    void fullStopsInNumbersAndAbbreviationsDoNotEndASentence() {
        check("No sign of H. pylori or [gastritis] per Dr. Smith.", "negated");
        check("Without fever above 38.5 C or [chills].", "negated");
        check("No prior diagnosis of hepatitis C. [Anemia] was stable.", "-");
    }

    @Test
    void theWorkIsBoundedInALongTextWithoutPunctuation() {
        String text = "no " + "word ".repeat(200_000) + "[pneumonia] " + "word ".repeat(200_000);
        assertThat(traits(text)).isEmpty();
    }

    @Test
    void acceptsAnyTextAndRejectsSpansOutsideIt() {
        assertThat(MentionContext.of("").traits(new Span(0, 0))).isEmpty();
        assertThat(MentionContext.of("𝒳 \uD800 \u0301").traits(new Span(1, 2))).isEmpty();
        assertThatThrownBy(() -> MentionContext.of("no").traits(new Span(1, 3)))
                .hasMessageStartingWith("end of span: 3");
    }

    @Test
    void theResourcesHaveTermsForEveryTraitAndRole() {
        for (Language language : Language.ALL) {
            assertThat(language.terms().stream().flatMap(term -> term.trait().stream()))
                    .containsAll(EnumSet.complementOf(EnumSet.of(Trait.TYPICAL)));
            assertThat(language.terms().stream().map(Term::role))
                    .contains(
                            Term.Role.FORWARD, Term.Role.BACKWARD, Term.Role.HEADING, Term.Role.PSEUDO, Term.Role.END);
            assertThat(language.terms())
                    .allSatisfy(term -> assertThat(term.words())
                            .isNotEmpty()
                            .noneMatch(word -> word.contains("{") || word.contains("|")));
            assertThat(language.functionWords()).hasSizeGreaterThan(100);
        }
    }
}
