package org.plant4j.prediction;

import java.util.Collections;
import java.util.List;
import org.plant4j.support.Arguments;

/**
 * A weighted mean of the scores that several models, the members, give a label. The weights depend on the label's number f
 * of training documents, because one member may rank rare labels better and another frequent ones:
 *
 * <pre>
 * score = Σ_m w_m(z) · score_m     w_m(z) = (1 − z) · rare_m + z · frequent_m     z = ln(1 + f) / ln(1 + maximum)
 * </pre>
 *
 * <p>Weights are not negative, so that a higher score of a member never lowers the combined score. Adding scores works better
 * than adding logits where a single member can know a label: the others' low scores then do not rule it out.
 *
 * @param members the weight of each member
 * @param maximum training documents of the most frequent label
 */
public record Stacking(List<Weight> members, int maximum) {

    /** A weight that changes with the logarithm of a label's training documents, from rare to frequent labels. */
    public record Weight(double rare, double frequent) {
        public Weight {
            Arguments.atLeast(0.0, "rare", rare);
            Arguments.atLeast(0.0, "frequent", frequent);
        }
    }

    public Stacking {
        members = List.copyOf(members);
        Arguments.check(!members.isEmpty(), "members", "none", "one or more");
        Arguments.atLeast(1, "maximum", maximum);
    }

    /** The mean of all members, regardless of frequency. */
    static Stacking mean(int memberCount, int maximum) {
        return new Stacking(
                Collections.nCopies(memberCount, new Weight(1.0 / memberCount, 1.0 / memberCount)), maximum);
    }

    /** The same weights, scaled such that scores are between 0 and 1 if those of the members are. */
    Stacking normalized() {
        double total = Math.max(
                members.stream().mapToDouble(Weight::rare).sum(),
                members.stream().mapToDouble(Weight::frequent).sum());
        return new Stacking(
                members.stream()
                        .map(weight -> new Weight(weight.rare / total, weight.frequent / total))
                        .toList(),
                maximum);
    }

    /** The combined scores of labels with the given numbers of training documents, of which this takes ln(1 + f). */
    double[] combine(List<double[]> scores, double[] logFrequencies) {
        double[] combined = new double[logFrequencies.length];
        double logMaximum = Math.log1p(maximum);
        for (int label = 0; label < combined.length; label++) {
            double z = Math.min(1, logFrequencies[label] / logMaximum);
            for (int member = 0; member < members.size(); member++) {
                Weight weight = members.get(member);
                combined[label] += ((1 - z) * weight.rare + z * weight.frequent) * scores.get(label)[member];
            }
        }
        return combined;
    }
}
