package org.plant4j.model.linear;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import de.bwaldvogel.liblinear.SolverType;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.plant4j.Progress;
import org.plant4j.model.InMemoryExamples;
import org.plant4j.model.LabelTasks;

class LogisticRegressionTest {

    private static final InMemoryExamples DOCUMENTS = new InMemoryExamples(
            List.of(
                    new int[] {2, 3, 3, 4},
                    new int[] {2, 4, 5, 1},
                    new int[] {3, 5, 5, 5, 6},
                    new int[] {2, 6, 7},
                    new int[] {4, 7, 7}),
            List.of(new int[] {0}, new int[] {0, 1}, new int[] {1}, new int[] {0}, new int[] {1}));

    // docs = [[2,3,3,4],[2,4,5],[3,5,5,5,6],[2,6,7],[4,7,7]]; labels = [[0],[0,1],[1],[0],[1]]
    // X = torch.zeros(5, 6)
    // for i, d in enumerate(docs):
    //     for t in d: X[i, t - 2] += 1
    // A = X * (torch.log(6 / (1 + (X > 0).sum(0))) + 1)
    // A = torch.cat([A / A.norm(dim=1, keepdim=True), torch.ones(5, 1)], 1)
    // loss = w @ w / 2 + torch.log1p(torch.exp(-t * (A @ w))).sum()   # t = ±1; minimised by LBFGS, PyTorch 2.13,
    // float64
    @Test
    void weightsMinimizeTheLoss() {
        LinearSvm.Config config = new LogisticRegression.Config(1, false, 1e-10, 100_000, 0).linear();
        LinearSvm model =
                LinearSvm.train(config, SolverType.L2R_LR_DUAL, 8, 2, DOCUMENTS, 1, LabelTasks.LOCAL, Progress.NONE);
        assertWeights(model, 0, 0.158393, 0.5536, 0.160938, 0.15284, -0.204445, 0.09529, -0.215977);
        assertWeights(model, 1, 0.179292, -0.224188, -0.300743, 0.189151, 0.571629, -0.194038, 0.082245);
    }

    private static void assertWeights(LinearSvm model, int label, double bias, double... weights) {
        assertThat(model.bias(label)).isEqualTo((float) bias, within(2e-6f));
        for (int i = 0; i < weights.length; i++) {
            assertThat(model.weight(i + 2, label)).isEqualTo((float) weights[i], within(2e-6f));
        }
    }
}
