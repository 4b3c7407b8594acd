package org.plant4j.cli.bench;

import java.util.Optional;
import java.util.Random;
import org.plant4j.model.LabelNetwork;
import org.plant4j.rank.RankModel;
import org.plant4j.rank.Relevance;

/** Random relevant tokens for each label, with falling gains. */
final class SyntheticRelevance {

    private SyntheticRelevance() {}

    static Relevance of(BenchShape shape, int relevant) {
        int real = shape.vocabulary() - 2;
        int kept = Math.min(relevant, real);
        float[] gains = new float[kept];
        for (int i = 0; i < kept; i++) {
            gains[i] = 1f / (i + 1);
        }
        Random random = new Random(2);
        int[][] tokens = new int[shape.labels()][kept];
        float[][] shared = new float[shape.labels()][];
        for (int label = 0; label < shape.labels(); label++) {
            int start = random.nextInt(real);
            int stride = 1
                    + random.nextInt(
                            Math.max(1, real / kept)); // at most one pass over the vocabulary, so that no token repeats
            for (int i = 0; i < kept; i++) {
                tokens[label][i] = 2 + (int) ((start + (long) i * stride) % real);
            }
            shared[label] = gains;
        }
        return new Relevance(tokens, shared);
    }

    /** Plants an untrained ranker: training it would not change the time of a step. */
    static void plantInto(LabelNetwork<?> network, Optional<RankModel.Config> ranker, BenchShape shape, int relevant) {
        Optional<RankModel> untrained =
                ranker.map(config -> new RankModel(config, shape.vocabulary(), shape.labels(), network.compute()));
        try {
            network.plant(of(shape, relevant), untrained);
        } finally {
            untrained.ifPresent(RankModel::close);
        }
    }
}
