package org.plant4j.model.ensemble;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.plant4j.model.Model;
import org.plant4j.model.output.EvidenceMethod;
import org.plant4j.model.output.PredictionRequest;

class EnsembleTest {

    private final FixedModel one = new FixedModel(new float[] {0.2f, 0.9f}, new float[][] {{1, 0}, {0.5f, 0.5f}});
    private final FixedModel two = new FixedModel(new float[] {0.4f, 0.5f}, new float[][] {{0, 1}, {0, 0}});

    @Test
    void scoresAreTheMeanOfTheMembers() {
        try (Model ensemble = new Ensemble(List.of(one, two))) {
            float[][] scores = ensemble.score(List.of(new int[2], new int[2]));
            assertThat(scores.length).isEqualTo(2);
            assertThat(scores[0]).containsExactly(new float[] {0.3f, 0.7f}, within(1e-6f));
        }
        assertThat(one.closed()).isEqualTo(1);
        assertThat(two.closed()).isEqualTo(1);
    }

    @Test
    void evidenceIsTheMeanOfTheMembersThatHaveSome() {
        try (Model ensemble = new Ensemble(List.of(one, two))) {
            float[][] evidence = ensemble.evidence(new int[2], new int[] {1, 0});
            assertThat(evidence[0]).containsExactly(0.5f, 0.5f); // from the first member only
            assertThat(evidence[1]).containsExactly(0.5f, 0.5f);
        }
    }

    private static List<float[]> descriptionEvidence(Model model) {
        return model.predict(
                        List.of(new int[2]), PredictionRequest.evidence(1, 0).withDescriptionEvidence())
                .get(0)
                .descriptionEvidence();
    }

    @Test
    void descriptionEvidenceIsTheMeanOfTheMembersThatHaveSome() {
        float[][] nothing = new float[2][2];
        Model first = new FixedModel(
                new float[2], nothing, new float[][] {{0.25f, 0.75f}, {0, 0}}, EvidenceMethod.ATTENTION_VALUE);
        // Reads one more token of the descriptions.
        Model second = new FixedModel(
                new float[2], nothing, new float[][] {{0.25f, 0.25f, 0.5f}, {0, 0, 1}}, EvidenceMethod.ATTENTION_VALUE);
        try (Model ensemble = new Ensemble(List.of(first, one, second))) {
            List<float[]> evidence = descriptionEvidence(ensemble);
            assertThat(evidence.get(0)).containsExactly(0, 0, 1);
            assertThat(evidence.get(1)).containsExactly(0.25f, 0.5f, 0.25f);
        }
    }

    @Test
    void withoutSuchMembersThereIsNoDescriptionEvidence() {
        try (Model ensemble = new Ensemble(List.of(one, two))) {
            assertThat(descriptionEvidence(ensemble)).containsExactly(new float[0], new float[0]);
        }
    }

    @Test
    void membersMustHaveTheSameLabels() {
        Model other = new FixedModel(new float[] {0.1f}, new float[][] {{1}});
        assertThatThrownBy(() -> new Ensemble(List.of(one, other))).hasMessage("labels: 1 (expected: 2)");
    }
}
