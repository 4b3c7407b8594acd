package org.plant4j.translation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CognatesTest {

    @ParameterizedTest
    @CsvSource({
        "pneumonia, neumonía",
        "schizophrenia, esquizofrenia",
        "psoriasis, psoriasis",
        "hypertrophy, hipertrofia",
        "resection, resección",
        "laparoscopic, laparoscópico"
    })
    void relativesAreSpeltAlike(String english, String spanish) {
        assertThat(Spelling.ofEnglish(english)).isEqualTo(Spelling.of(spanish));
    }

    /** The longest common subsequence of colelitias and colelitiasi has ten letters. */
    @Test
    void similarityCountsCommonLetters() {
        assertThat(Spelling.similarity("colelitias", "colelitiasi")).isCloseTo(20.0 / 21, within(1e-12));
        assertThat(Spelling.similarity("abc", "xyz")).isZero();
    }

    @Test
    void theMostSimilarWordIsTheCognate() {
        Cognates cognates = new Cognates(List.of("neumonic", "neumoni", "neumotorax", "rinon"));
        assertThat(cognates.of("pneumonia")).contains("neumoni");
        assertThat(cognates.of("pneumothorax")).contains("neumotorax");
        assertThat(cognates.of("kidney")).isEmpty();
        assertThat(cognates.of("of")).isEmpty();
    }
}
