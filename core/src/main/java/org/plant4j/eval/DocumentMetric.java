package org.plant4j.eval;

import java.util.stream.IntStream;

/**
 * A metric of one document's ranking, averaged over documents. Documents without gold labels are left out of the
 * average, as trec_eval and the shared tasks do: no ranking of them is right or wrong.
 */
public interface DocumentMetric {

    String name();

    /** The value for a document that has at least one gold label. */
    double of(GoldRanks gold);

    default double of(float[] scores, LabelSet gold) {
        return of(GoldRanks.of(scores, gold));
    }

    /** The mean over documents that have gold labels; 0 where none has. */
    default double mean(float[][] scores, LabelSet[] gold) {
        GoldRanks[] ranks = IntStream.range(0, scores.length)
                .parallel()
                .mapToObj(d -> GoldRanks.of(scores[d], gold[d]))
                .toArray(GoldRanks[]::new);
        return Ratio.mean(this, ranks).value();
    }
}
