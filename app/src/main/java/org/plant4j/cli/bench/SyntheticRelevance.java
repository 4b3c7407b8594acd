package org.plant4j.cli.bench;

import java.util.Optional;
import java.util.Random;
import org.plant4j.model.PlantableNetwork;
import org.plant4j.rank.RankModel;
import org.plant4j.rank.Relevance;
import org.plant4j.tensor.Compute;

/** What a benchmark plants: random words for each label, each less telling than the one before. */
final class SyntheticRelevance {

    private SyntheticRelevance() {}

    static Relevance of(BenchShape shape, int relevant) {
        int real = shape.words() - 2;
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
            int stride =
                    1 + random.nextInt(Math.max(1, real / kept)); // once round at most, so that no word comes twice
            for (int i = 0; i < kept; i++) {
                tokens[label][i] = 2 + (int) ((start + (long) i * stride) % real);
            }
            shared[label] = gains;
        }
        return new Relevance(tokens, shared);
    }

    /** With a ranker that has learned nothing: that changes no time. */
    static void plantInto(
            PlantableNetwork network, RankModel.Config ranker, BenchShape shape, int relevant, Compute compute) {
        try (RankModel unlearned = new RankModel(ranker, shape.words(), shape.labels(), compute)) {
            network.plant(of(shape, relevant), Optional.of(unlearned));
        }
    }
}
