package org.plant4j.model.linear;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Partitions vectors of unit length into groups of equal size by spherical 2-means, applied recursively (Prabhu et al.,
 * Parabel, WWW 2018, section 3.1): vectors are assigned to the two means by the difference of their cosines, as many to
 * each as the sizes require.
 */
final class BalancedClustering {

    private static final int MAX_ITERATIONS = 20;
    private static final double MIN_IMPROVEMENT = 1e-4;

    private final FeatureMatrix vectors;
    private final int dimensions;

    BalancedClustering(FeatureMatrix vectors, int dimensions) {
        this.vectors = vectors;
        this.dimensions = dimensions;
    }

    /** Groups the given members into {@code parts} groups whose sizes differ by at most one; ascending in each group. */
    List<int[]> split(int[] members, int parts, Random random) {
        if (parts == 1) {
            int[] group = members.clone();
            Arrays.sort(group);
            return List.of(group);
        }
        int leftParts = parts / 2;
        // Sizes of the groups: the first (size mod parts) have one more.
        int leftSize = members.length / parts * leftParts + Math.min(members.length % parts, leftParts);
        int[] ordered = bisect(members, leftSize, random);
        List<int[]> groups = new ArrayList<>(split(Arrays.copyOf(ordered, leftSize), leftParts, random));
        groups.addAll(split(Arrays.copyOfRange(ordered, leftSize, ordered.length), parts - leftParts, random));
        return groups;
    }

    /** Orders the members so that the first {@code leftSize} are one cluster and the others the second. */
    private int[] bisect(int[] members, int leftSize, Random random) {
        double[] difference = new double[dimensions];
        vectors.addTo(difference, members[random.nextInt(members.length)], 1);
        vectors.addTo(difference, leastSimilar(members, difference, random), -1);
        int[] ordered = members;
        double before = Double.NEGATIVE_INFINITY;
        for (int iteration = 0; iteration < MAX_ITERATIONS; iteration++) {
            ordered = order(ordered, difference);
            double[] left = sum(Arrays.copyOf(ordered, leftSize));
            double[] right = sum(Arrays.copyOfRange(ordered, leftSize, ordered.length));
            double leftNorm = norm(left);
            double rightNorm = norm(right);
            // The sum of the cosines between members and the mean of their cluster.
            double objective = leftNorm + rightNorm;
            if (objective - before <= MIN_IMPROVEMENT * objective) {
                break;
            }
            before = objective;
            for (int i = 0; i < dimensions; i++) {
                difference[i] = left[i] / Math.max(leftNorm, 1e-12) - right[i] / Math.max(rightNorm, 1e-12);
            }
        }
        return ordered;
    }

    /** The member with the smallest product with a vector; a random one of several. */
    private int leastSimilar(int[] members, double[] direction, Random random) {
        double smallest = Double.POSITIVE_INFINITY;
        int least = members[0];
        int ties = 0;
        for (int member : members) {
            double product = vectors.dot(member, direction);
            ties = product < smallest ? 1 : product == smallest ? ties + 1 : ties;
            if (product < smallest || (product == smallest && random.nextInt(ties) == 0)) {
                smallest = product;
                least = member;
            }
        }
        return least;
    }

    /** Sorts members by descending product with a vector; equal products by id. */
    private int[] order(int[] members, double[] direction) {
        double[] products = new double[members.length];
        IntStream.range(0, members.length).parallel().forEach(i -> products[i] = vectors.dot(members[i], direction));
        return IntStream.range(0, members.length)
                .boxed()
                .sorted((a, b) -> products[a] == products[b]
                        ? Integer.compare(members[a], members[b])
                        : Double.compare(products[b], products[a]))
                .mapToInt(i -> members[i])
                .toArray();
    }

    private double[] sum(int[] members) {
        double[] sum = new double[dimensions];
        for (int member : members) {
            vectors.addTo(sum, member, 1);
        }
        return sum;
    }

    private static double norm(double[] vector) {
        double squares = 0;
        for (double value : vector) {
            squares += value * value;
        }
        return Math.sqrt(squares);
    }
}
