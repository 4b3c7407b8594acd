package org.plant4j.model.linear;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BalancedClusteringTest {

    private static SparseVector unit(int... indices) {
        float[] values = new float[indices.length];
        Arrays.fill(values, (float) (1 / Math.sqrt(indices.length)));
        return new SparseVector(indices, values);
    }

    @Test
    void similarVectorsAreGroupedWhateverTheStart() {
        SparseVector[] vectors = {unit(0, 1), unit(4, 5), unit(0, 2), unit(1, 2), unit(3, 4), unit(3, 5)};
        for (int seed = 0; seed < 20; seed++) {
            List<int[]> groups = new BalancedClustering(FeatureMatrix.of(vectors), 6)
                    .split(IntStream.range(0, 6).toArray(), 2, new Random(seed));
            assertThat(groups).hasSize(2).containsExactlyInAnyOrder(new int[] {0, 2, 3}, new int[] {1, 4, 5});
        }
    }

    @Test
    void sizesDifferByAtMostOneAndEveryMemberIsInOneGroup() {
        Random random = new Random(1);
        SparseVector[] vectors = IntStream.range(0, 50)
                .mapToObj(i -> unit(random.ints(3, 0, 20).distinct().sorted().toArray()))
                .toArray(SparseVector[]::new);
        int[] members = IntStream.range(3, 50).toArray();
        for (int parts : new int[] {1, 2, 3, 5, 7, 16, 47}) {
            List<int[]> groups =
                    new BalancedClustering(FeatureMatrix.of(vectors), 20).split(members, parts, new Random(2));
            assertThat(groups)
                    .hasSize(parts)
                    .allMatch(group -> group.length == 47 / parts || group.length == 47 / parts + 1);
            assertThat(groups.stream().flatMapToInt(IntStream::of).sorted().toArray())
                    .isEqualTo(members);
            assertThat(groups).allSatisfy(group -> assertThat(group).isSorted());
        }
    }

    @Test
    void equalAndEmptyVectorsCanBeSplit() {
        SparseVector[] vectors = {unit(), unit(), unit(1), unit(1), unit(1)};
        List<int[]> groups = new BalancedClustering(FeatureMatrix.of(vectors), 2)
                .split(IntStream.range(0, 5).toArray(), 2, new Random(1));
        assertThat(groups).extracting(group -> group.length).containsExactly(3, 2);
    }
}
