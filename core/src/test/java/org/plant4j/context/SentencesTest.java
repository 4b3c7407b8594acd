package org.plant4j.context;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.plant4j.Span;

class SentencesTest {

    /** The sentence around a word. */
    private static String around(String text, String word) {
        int start = text.indexOf(word);
        Span sentence = new Sentences(text).around(new Span(start, start + word.length()));
        return text.substring(sentence.start(), sentence.end());
    }

    @Test
    void aSentenceEndsAtAFullStopASemicolonOrALine() {
        String text = "No fever. Gout; asthma! Stroke\nSepsis";
        assertThat(around(text, "fever")).isEqualTo("No fever");
        assertThat(around(text, "Gout")).isEqualTo(" Gout");
        assertThat(around(text, "asthma")).isEqualTo(" asthma");
        assertThat(around(text, "Stroke")).isEqualTo(" Stroke");
        assertThat(around(text, "Sepsis")).isEqualTo("Sepsis");
        assertThat(around(text, "fever. Gout")).isEqualTo("No fever. Gout");
        assertThat(around("", "")).isEmpty();
    }

    @Test
    void abbreviationsAndNumbersDoNotEndASentence() {
        assertThat(around("Seen by Dr. Smith for gout. Well.", "gout")).isEqualTo("Seen by Dr. Smith for gout");
        assertThat(around("Chronic H. pylori gastritis", "pylori")).isEqualTo("Chronic H. pylori gastritis");
        assertThat(around("Vitamin D. Gout", "Gout")).isEqualTo(" Gout");
        assertThat(around("A1c 12.9 on arrival", "arrival")).isEqualTo("A1c 12.9 on arrival");
        assertThat(around("Antidr. Gout", "Gout")).isEqualTo(" Gout");
    }

    @Test
    void aSentenceIsBoundedOnBothSides() {
        String text = "a ".repeat(500) + "gout" + " b".repeat(500);
        assertThat(around(text, "gout")).hasSize(400 + 4 + 400);
    }
}
