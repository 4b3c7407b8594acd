package org.plant4j.model.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.plant4j.model.Model;
import org.plant4j.model.output.BatchPredictor;
import org.plant4j.model.output.PredictionRequest;

class EnsembleTest {

    private final List<String> closed = new ArrayList<>();

    /** The same prediction for every document, without description evidence. */
    private Model fixed(String name, float[] scores, float[][] evidence) {
        return fixed(name, scores, evidence, new float[scores.length][0]);
    }

    private Model fixed(String name, float[] scores, float[][] evidence, float[][] descriptions) {
        return new Model() {
            @Override
            public int labels() {
                return scores.length;
            }

            @Override
            public BatchPredictor predictor(List<int[]> documents, PredictionRequest request) {
                return new BatchPredictor() {
                    @Override
                    public float[][] scores() {
                        return documents.stream()
                                .map(document -> scores.clone())
                                .toArray(float[][]::new);
                    }

                    @Override
                    public List<float[][]> evidence(List<int[]> labels) {
                        return labels.stream()
                                .map(chosen -> select(evidence, chosen).toArray(float[][]::new))
                                .toList();
                    }

                    @Override
                    public List<List<float[]>> descriptionEvidence(List<int[]> labels) {
                        return labels.stream()
                                .map(chosen -> select(descriptions, chosen).toList())
                                .toList();
                    }
                };
            }

            private Stream<float[]> select(float[][] rows, int[] labels) {
                return IntStream.of(labels).mapToObj(label -> rows[label].clone());
            }

            @Override
            public void save(Path directory) {}

            @Override
            public void close() {
                closed.add(name);
            }
        };
    }

    private final Model one = fixed("one", new float[] {0.2f, 0.9f}, new float[][] {{1, 0}, {0.5f, 0.5f}});
    private final Model two = fixed("two", new float[] {0.4f, 0.5f}, new float[][] {{0, 1}, {0, 0}});

    @Test
    void scoresAreTheMeanOfTheMembers() {
        try (Model ensemble = new Ensemble(List.of(one, two))) {
            float[][] scores = ensemble.score(List.of(new int[2], new int[2]));
            assertThat(scores.length).isEqualTo(2);
            assertThat(scores[0]).containsExactly(new float[] {0.3f, 0.7f}, within(1e-6f));
        }
        assertThat(closed).containsExactly("one", "two");
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
        Model first = fixed("first", new float[2], nothing, new float[][] {{0.25f, 0.75f}, {0, 0}});
        // Reads one more token of the descriptions.
        Model second = fixed("second", new float[2], nothing, new float[][] {{0.25f, 0.25f, 0.5f}, {0, 0, 1}});
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
        Model other = fixed("other", new float[] {0.1f}, new float[][] {{1}});
        assertThatThrownBy(() -> new Ensemble(List.of(one, other))).hasMessage("labels: 1 (expected: 2)");
    }
}
