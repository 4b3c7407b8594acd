package org.plant4j.model.ensemble;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.plant4j.model.Model;
import org.plant4j.model.TinyCorpus;
import org.plant4j.model.output.EvidenceMethod;
import org.plant4j.model.output.Prediction;
import org.plant4j.model.output.PredictionRequest;
import org.plant4j.text.Dataset;
import org.plant4j.text.LabelIndex;
import org.plant4j.text.TrainedDocuments;

class StackedModelTest {

    private static final LabelIndex LABELS = TinyCorpus.labels(4, 0);
    private static final int[] DEV = {1, 2};
    private static final float[][] NO_DESCRIPTIONS = new float[4][0];

    private final FixedModel one = new FixedModel(
            new float[] {0.9f, 0.1f, 0, 0.2f}, new float[][] {{1, 0}, {0.5f, 0.5f}, {0, 0}, {0.25f, 0.75f}});
    private final FixedModel two =
            new FixedModel(new float[] {0, 0.3f, 0.05f, 0.1f}, new float[][] {{0, 1}, {0, 1}, {1, 0}, {1, 0}});

    /** Merges by the sum of scores, and the dev document by that of the second member's alone. */
    private static LearnedMerge merge() {
        MergeRegression sum = MergeRegressionTest.sumOfScores(2);
        MergeRegression second = MergeRegressionTest.sumOfScores(2);
        second.regression().weights()[0] = 0;
        return new LearnedMerge(sum, List.of(second), new long[] {TrainedDocuments.fingerprint(DEV)});
    }

    private static StackedModel stack(int candidates, Model... members) {
        return new StackedModel(new Members(List.of(members)), candidates, merge(), LABELS);
    }

    private static float sigmoid(double logit) {
        return (float) (1 / (1 + Math.exp(-logit)));
    }

    @Test
    void labelsThatNoMemberProposesHaveScore0() {
        try (StackedModel stack = stack(1, one, two)) {
            assertThat(stack.score(List.of(new int[2]))[0])
                    .containsExactly(new float[] {sigmoid(0.9), sigmoid(0.4), 0, 0}, within(1e-6f));
        }
        try (StackedModel stack = stack(2, one, two)) {
            assertThat(stack.score(List.of(new int[2]))[0])
                    .containsExactly(new float[] {sigmoid(0.9), sigmoid(0.4), 0, sigmoid(0.3)}, within(1e-6f));
        }
        try (StackedModel stack = stack(9, one, two)) { // more than there are labels
            assertThat(stack.score(List.of(new int[2]))[0])
                    .containsExactly(
                            new float[] {sigmoid(0.9), sigmoid(0.4), sigmoid(0.05), sigmoid(0.3)}, within(1e-6f));
        }
    }

    @Test
    void aDevDocumentIsMergedByItsFold() {
        try (StackedModel stack = stack(1, one, two)) {
            float[][] scores = stack.score(List.of(DEV, new int[] {2, 1}));
            assertThat(scores[0]).containsExactly(new float[] {0.5f, sigmoid(0.3), 0, 0}, within(1e-6f));
            assertThat(scores[1]).containsExactly(new float[] {sigmoid(0.9), sigmoid(0.4), 0, 0}, within(1e-6f));
        }
    }

    @Test
    void partsOfADevDocumentAreMergedByItsFold() {
        try (StackedModel stack = stack(1, one, two)) {
            PredictionRequest parts = PredictionRequest.scores().forPartsOf(DEV);
            assertThat(stack.predict(List.of(DEV, new int[] {2}), parts))
                    .allSatisfy(prediction -> assertThat(prediction.scores())
                            .containsExactly(new float[] {0.5f, sigmoid(0.3), 0, 0}, within(1e-6f)));
        }
    }

    @Test
    void theEvidenceOfAMemberCountsByItsScoreOfTheLabel() {
        try (StackedModel stack = stack(4, one, two)) {
            float[][] evidence = stack.evidence(new int[2], 0, 1, 2, 3);
            assertThat(evidence[0]).containsExactly(1, 0); // 0.9 against 0
            assertThat(evidence[1]).containsExactly(new float[] {0.125f, 0.875f}, within(1e-6f)); // 0.1 against 0.3
            assertThat(evidence[2]).containsExactly(1, 0);
            assertThat(evidence[3]).containsExactly(new float[] {0.5f, 0.5f}, within(1e-6f)); // 0.2 against 0.1
        }
    }

    @Test
    void withoutAnyScoreMembersCountEqually() {
        FixedModel first = new FixedModel(new float[4], new float[][] {{1, 0}, {1, 0}, {0, 0}, {0, 0}});
        FixedModel second = new FixedModel(new float[4], new float[][] {{0, 1}, {0, 0}, {0, 1}, {0, 0}});
        try (StackedModel stack = stack(4, first, second)) {
            assertThat(stack.score(List.of(new int[2]))[0]).containsOnly(0);
            assertThat(stack.evidence(new int[2], 0, 1, 2, 3))
                    .isDeepEqualTo(new float[][] {{0.5f, 0.5f}, {1, 0}, {0, 1}, {0, 0}});
        }
    }

    @Test
    void membersScoreADocumentOnceAndAreClosed() {
        Prediction prediction;
        try (StackedModel stack = stack(2, one, two)) {
            prediction = stack.predict(
                            List.of(new int[2]),
                            PredictionRequest.evidenceFor(scores -> new int[] {1})
                                    .withDescriptionEvidence())
                    .get(0);
        }
        assertThat(prediction.evidence()[0]).containsExactly(new float[] {0.125f, 0.875f}, within(1e-6f));
        assertThat(List.of(one.scored(), two.scored(), one.closed(), two.closed()))
                .containsOnly(1);
    }

    /** The mocked evidence of the second method of a member is its first, squared. */
    @Test
    void aMemberUsesItsDefaultUnlessItSupportsTheChosenMethod() {
        FixedModel network = new FixedModel(
                new float[] {0.5f, 0, 0, 0},
                new float[][] {{0.5f, 0.25f}, {0, 0}, {0, 0}, {0, 0}},
                NO_DESCRIPTIONS,
                EvidenceMethod.ATTENTION_PHRASE,
                EvidenceMethod.ATTENTION);
        FixedModel linear = new FixedModel(
                new float[] {0.5f, 0, 0, 0},
                new float[][] {{1, 0}, {0, 0}, {0, 0}, {0, 0}},
                NO_DESCRIPTIONS,
                EvidenceMethod.GRADIENT_INPUT);
        try (StackedModel stack = stack(4, linear, network)) {
            assertThat(stack.evidenceMethods())
                    .containsExactly(
                            EvidenceMethod.ATTENTION_PHRASE, EvidenceMethod.ATTENTION, EvidenceMethod.GRADIENT_INPUT);
            assertThat(stack.evidence(new int[2], 0)[0])
                    .containsExactly(new float[] {1.5f / 1.75f, 0.25f / 1.75f}, within(1e-6f));
            float[][] attention = stack.predict(
                            List.of(new int[2]),
                            PredictionRequest.evidence(0).withEvidenceMethod(EvidenceMethod.ATTENTION))
                    .get(0)
                    .evidence();
            assertThat(attention[0]).containsExactly(new float[] {1.25f / 1.3125f, 0.0625f / 1.3125f}, within(1e-6f));
        }
    }

    /** The first member is right about each of ten documents, the second wrong. */
    @Test
    void membersAreMergedByARegressionFittedOnDev() {
        FixedModel right = new FixedModel(new float[] {0.6f, 0.2f, 0.2f, 0.2f}, new float[4][0]);
        FixedModel wrong = new FixedModel(new float[] {0.1f, 0.1f, 0.9f, 0.1f}, new float[4][0]);
        Members members = new Members(List.of(right, wrong));
        LearnedMerge learned = StackedModel.learn(members, dev(10), LABELS, 4);
        assertThat(learned.folds()).hasSize(5);
        assertThat(learned.documents()).hasSize(9); // one document has no labels
        try (StackedModel stack = new StackedModel(members, 4, learned, LABELS)) {
            float[][] scores = stack.score(List.of(new int[] {0}, new int[] {77}));
            for (float[] row : scores) {
                assertThat(row[0]).isGreaterThan(0.8f);
                assertThat(row[2]).isLessThan(0.2f);
            }
        }
    }

    /** Document i has the single token i and label 0, the last one no label. */
    private static Dataset dev(int size) {
        return new Dataset() {
            @Override
            public int size() {
                return size;
            }

            @Override
            public int[] tokens(int document) {
                return new int[] {document};
            }

            @Override
            public int[] labels(int document) {
                return document == size - 1 ? new int[0] : new int[] {0};
            }
        };
    }

    @Test
    void withoutAChosenMethodEachMemberUsesItsDefault() {
        float[][] evidence = {{0.5f, 0.25f}, {0, 0}, {0, 0}, {0, 0}};
        float[] scores = {0.5f, 0, 0, 0};
        FixedModel first = new FixedModel(scores, evidence, NO_DESCRIPTIONS, EvidenceMethod.ATTENTION_PHRASE);
        FixedModel second = new FixedModel(
                scores,
                evidence,
                NO_DESCRIPTIONS,
                EvidenceMethod.ATTENTION_VALUE,
                EvidenceMethod.ATTENTION_PHRASE); // supports the default of the first, but it is not its own
        try (StackedModel stack = stack(4, first, second)) {
            assertThat(stack.evidence(new int[2], 0)[0]).containsExactly(new float[] {2 / 3f, 1 / 3f}, within(1e-6f));
        }
    }

    @Test
    void theMergeMustBeOfAsManyMembers() {
        assertThatThrownBy(() -> stack(1, one, two, one))
                .hasMessage("members: 3 (expected: 2, as many as the merge was learned from)");
    }
}
