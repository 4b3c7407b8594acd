package org.plant4j.model.linear;

import de.bwaldvogel.liblinear.SolverType;
import java.nio.file.Path;
import org.plant4j.model.ModelConfig;
import org.plant4j.model.TrainingContext;
import org.plant4j.tensor.Compute;
import org.plant4j.text.LabelIndex;

/**
 * One L2-regularized logistic regression per label on TF-IDF features, solved in the dual (Yu, Huang, Lin: Dual Coordinate
 * Descent Methods for Logistic Regression and Maximum Entropy Models, Machine Learning 85, 2011; LIBLINEAR). It is a {@link
 * LinearSvm} with another loss, so that a score is a probability.
 *
 * <p>The linear baseline of Mullenbach et al., NAACL 2018, with TF-IDF in place of counts.
 */
public final class LogisticRegression {

    private LogisticRegression() {}

    /** The settings are those of {@link LinearSvm.Config}. */
    public record Config(double c, boolean sublinearTf, double tolerance, int maxIterations, double prune)
            implements ModelConfig {

        public static final Config DEFAULTS = new Config(10, true, 1e-4, 1000, 0);

        public Config {
            new LinearSvm.Config(c, sublinearTf, tolerance, maxIterations, prune); // checks them
        }

        LinearSvm.Config linear() {
            return new LinearSvm.Config(c, sublinearTf, tolerance, maxIterations, prune);
        }

        @Override
        public boolean train(TrainingContext context) {
            return linear().train(context, SolverType.L2R_LR_DUAL);
        }

        @Override
        public LinearSvm load(Path directory, int vocabularySize, LabelIndex labels, Compute compute) {
            return LinearSvm.load(directory);
        }
    }
}
