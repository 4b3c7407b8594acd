package org.plant4j.metric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TopKTest {

    @Test
    void tiesGoToTheLowerLabelIndex() {
        float[] scores = {0.2f, 0.9f, 0.5f, 0.9f, 0.5f};

        assertThat(TopK.ranking(scores)).containsExactly(1, 3, 2, 4, 0);
        assertThat(TopK.indices(scores, 3)).containsExactly(1, 3, 2);
    }

    @Test
    void negativeScoresAndBothZerosAreOrdered() {
        assertThat(TopK.ranking(new float[] {-1f, 0f, -0f, -2f, 1f, Float.NEGATIVE_INFINITY}))
                .containsExactly(4, 1, 2, 0, 3, 5);
        assertThat(TopK.ranking(new float[] {-0f, 0f})).containsExactly(0, 1);
    }

    @Test
    void topKIsAPrefixOfTheRanking() {
        Random random = new Random(7);
        float[] scores = new float[50];
        for (int i = 0; i < scores.length; i++) {
            scores[i] = random.nextInt(12) / 12f;
        }
        for (int k = 0; k <= 60; k++) {
            assertThat(TopK.indices(scores, k))
                    .containsExactly(Arrays.copyOf(TopK.ranking(scores), Math.min(k, scores.length)));
        }
    }

    @Test
    void negativeKIsRejected() {
        assertThatThrownBy(() -> TopK.indices(new float[3], -1)).hasMessage("k: -1 (expected: >= 0)");
    }
}
