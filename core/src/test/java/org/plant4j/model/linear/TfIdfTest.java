package org.plant4j.model.linear;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.plant4j.model.InMemoryExamples;

class TfIdfTest {

    /** Five documents; tokens 2 and 4 occur in three of them, token 3 in two, token 8 in none. */
    private final InMemoryExamples documents = new InMemoryExamples(
            List.of(
                    new int[] {2, 3, 3, 4, 1, 0},
                    new int[] {2, 4, 5},
                    new int[] {3, 5, 5, 5, 6},
                    new int[] {2, 6, 7},
                    new int[] {4, 7, 7}),
            List.of());

    @Test
    void rareTokensHaveHigherIdf() {
        TfIdf tfIdf = TfIdf.fit(documents, 9, false);
        assertThat(tfIdf.idf()[2]).isEqualTo(Math.log(6.0 / 4) + 1);
        assertThat(tfIdf.idf()[3]).isEqualTo(Math.log(6.0 / 3) + 1);
        assertThat(tfIdf.idf()[8]).isEqualTo(Math.log(6.0) + 1);
    }

    @Test
    void valuesAreCountsTimesIdfNormalized() {
        // 1 · 1.405465, 2 · 1.693147, 1 · 1.405465 divided by the norm 3.926532
        TfIdf.Vector vector = TfIdf.fit(documents, 9, false).vector(documents.tokens(0));
        assertThat(vector.tokens()).containsExactly(2, 3, 4);
        assertThat(vector.counts()).containsExactly(1, 2, 1);
        assertThat(vector.values()).containsExactly(new double[] {0.3579406, 0.8624135, 0.3579406}, within(1e-7));
    }

    @Test
    void sublinearCountsAreOnePlusLog() {
        // (1 + ln 2) · 1.693147 = 2.866747 in the middle
        TfIdf.Vector vector = TfIdf.fit(documents, 9, true).vector(documents.tokens(0));
        assertThat(vector.values()).containsExactly(new double[] {0.4028973, 0.8217953, 0.4028973}, within(1e-7));
    }

    @Test
    void aDocumentOfUnknownTokensHasNoFeatures() {
        TfIdf.Vector vector = TfIdf.fit(documents, 9, true).vector(new int[] {1, 1, 0});
        assertThat(vector.tokens()).isEmpty();
        assertThat(vector.values()).isEmpty();
    }
}
