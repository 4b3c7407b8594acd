package org.plant4j.model.baseline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.UserError;

class FrequencyPriorTest {

    private final FrequencyPrior prior = FrequencyPrior.of(new int[] {4, 3, 1}, 5);

    @Test
    void everyDocumentGetsTheRelativeFrequencies() {
        assertThat(prior.score(List.of(new int[] {7, 8}, new int[0])))
                .isDeepEqualTo(new float[][] {{0.8f, 0.6f, 0.2f}, {0.8f, 0.6f, 0.2f}});
    }

    @Test
    void thereIsNoEvidence() {
        assertThat(prior.evidence(new int[] {7, 8}, new int[] {0})).isDeepEqualTo(new float[1][2]);
    }

    @Test
    void aLoadedPriorEqualsTheSavedOne(@TempDir Path directory) {
        assertThatThrownBy(() -> FrequencyPrior.load(directory)).isInstanceOf(UserError.class);
        FrequencyPrior third = FrequencyPrior.of(new int[] {1, 2}, 3);
        third.save(directory);
        FrequencyPrior loaded = FrequencyPrior.load(directory);
        assertThat(loaded.labels()).isEqualTo(2);
        assertThat(loaded.score(List.of(new int[0]))).isDeepEqualTo(third.score(List.of(new int[0])));
    }
}
