package org.plant4j.model.isd;

import java.util.Arrays;
import org.plant4j.support.Arguments;

/**
 * The linear assignment problem: assigns each of n rows to one of n columns at the least total cost, in O(n³), by
 * shortest augmenting paths (Hungarian method, Kuhn 1955). Equivalent to SciPy's {@code linear_sum_assignment};
 * libtorch has no such operator.
 */
final class LinearAssignment {

    // Rows and columns count from 1. Column 0 is a sentinel that is assigned to the row being added.
    private final float[] costs; // n × n, row by row
    private final int n;
    private final double[] rowPotential;
    private final double[] columnPotential;
    private final int[] rowOf; // by column, 0 if the column is free
    private final int[] previous; // by column, the column before it on the shortest path

    private LinearAssignment(float[] costs, int n) {
        this.costs = costs;
        this.n = n;
        rowPotential = new double[n + 1];
        columnPotential = new double[n + 1];
        rowOf = new int[n + 1];
        previous = new int[n + 1];
    }

    /** The column of each row; {@code costs} is an n × n matrix, row by row. */
    static int[] solve(float[] costs, int n) {
        Arguments.check(costs.length == n * n, "costs", costs.length, "" + n * n);
        LinearAssignment assignment = new LinearAssignment(costs, n);
        for (int row = 1; row <= n; row++) {
            assignment.augment(assignment.shortestPath(row));
        }
        return assignment.columns();
    }

    /** Dijkstra's search from a new row over reduced costs; returns the free column at the end of the path. */
    private int shortestPath(int newRow) {
        rowOf[0] = newRow;
        double[] distance = new double[n + 1];
        Arrays.fill(distance, Double.POSITIVE_INFINITY);
        boolean[] visited = new boolean[n + 1];
        int column = 0;
        do {
            visited[column] = true;
            relax(column, distance, visited);
            int nearest = nearest(distance, visited);
            updatePotentials(distance[nearest], distance, visited);
            column = nearest;
        } while (rowOf[column] != 0);
        return column;
    }

    /** Shortens the distances of unvisited columns through the row assigned to this column. */
    private void relax(int column, double[] distance, boolean[] visited) {
        int row = rowOf[column];
        for (int j = 1; j <= n; j++) {
            if (!visited[j]) {
                double reduced = costs[(row - 1) * n + j - 1] - rowPotential[row] - columnPotential[j];
                if (reduced < distance[j]) {
                    distance[j] = reduced;
                    previous[j] = column;
                }
            }
        }
    }

    private int nearest(double[] distance, boolean[] visited) {
        int nearest = 0;
        for (int j = 1; j <= n; j++) {
            if (!visited[j] && (nearest == 0 || distance[j] < distance[nearest])) {
                nearest = j;
            }
        }
        return nearest;
    }

    /** Keeps reduced costs non-negative, and zero along the path. */
    private void updatePotentials(double step, double[] distance, boolean[] visited) {
        for (int j = 0; j <= n; j++) {
            if (visited[j]) {
                rowPotential[rowOf[j]] += step;
                columnPotential[j] -= step;
            } else {
                distance[j] -= step;
            }
        }
    }

    /** Reassigns the columns along the path that ends at a free column. */
    private void augment(int freeColumn) {
        for (int column = freeColumn; column != 0; column = previous[column]) {
            rowOf[column] = rowOf[previous[column]];
        }
    }

    private int[] columns() {
        int[] columns = new int[n];
        for (int j = 1; j <= n; j++) {
            columns[rowOf[j] - 1] = j - 1;
        }
        return columns;
    }
}
