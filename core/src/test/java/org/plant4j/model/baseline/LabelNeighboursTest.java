package org.plant4j.model.baseline;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.plant4j.model.InMemoryExamples;

class LabelNeighboursTest {

    /** Label 0 has 3 documents, 2 with label 1 and 1 with label 2; label 3 has one alone; label 4 is not trained. */
    @Test
    void neighboursAreTheMostFrequentCompanions() {
        InMemoryExamples examples = new InMemoryExamples(
                List.of(new int[] {2}, new int[] {2}, new int[] {2}, new int[] {2}),
                List.of(new int[] {0, 1}, new int[] {0, 1, 2}, new int[] {0, 4}, new int[] {3}));
        LabelNeighbours two = LabelNeighbours.of(examples, 4, 2);
        assertThat(two.ids()).containsExactly(0, 1, 2, 1, 0, 2, 2, 0, 1, 3, 3, 3);
        assertThat(two.weights())
                .containsExactly(
                        new float[] {3f / 6, 2f / 6, 1f / 6, 2f / 5, 2f / 5, 1f / 5, 1f / 3, 1f / 3, 1f / 3, 1, 0, 0});
        assertThat(LabelNeighbours.of(examples, 4, 1).ids()).containsExactly(0, 1, 1, 0, 2, 0, 3, 3);
    }
}
