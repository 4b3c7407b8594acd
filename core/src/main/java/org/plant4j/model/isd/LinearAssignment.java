package org.plant4j.model.isd;

import java.util.Arrays;

/**
 * Pairs each of n workers with one of n tasks at the least cost in all, in O(n³): workers join one after the other, each
 * by the cheapest chain of swaps (Kuhn 1955; the potentials keep reduced costs from falling below 0).
 */
public final class LinearAssignment {

    private LinearAssignment() {}

    /** The task of each worker; {@code costs} has a row for each worker, one after the other, n × n in all. */
    public static int[] solve(float[] costs, int n) {
        if (costs.length != n * n) {
            throw new IllegalArgumentException("costs: " + costs.length + " (expected: " + n * n + ")");
        }
        double[] workerPotential = new double[n + 1];
        double[] taskPotential = new double[n + 1];
        int[] workerOf = new int[n + 1]; // by task; both count from 1, and task 0 stands for the one who joins
        int[] before = new int[n + 1]; // the task from which a chain came to this one
        for (int joining = 1; joining <= n; joining++) {
            workerOf[0] = joining;
            double[] slack = new double[n + 1];
            Arrays.fill(slack, Double.POSITIVE_INFINITY);
            boolean[] reached = new boolean[n + 1];
            int task = 0;
            do {
                reached[task] = true;
                int worker = workerOf[task];
                double step = Double.POSITIVE_INFINITY;
                int nearest = 0;
                for (int j = 1; j <= n; j++) {
                    if (reached[j]) {
                        continue;
                    }
                    double cost = costs[(worker - 1) * n + j - 1] - workerPotential[worker] - taskPotential[j];
                    if (cost < slack[j]) {
                        slack[j] = cost;
                        before[j] = task;
                    }
                    if (slack[j] < step) {
                        step = slack[j];
                        nearest = j;
                    }
                }
                for (int j = 0; j <= n; j++) {
                    if (reached[j]) {
                        workerPotential[workerOf[j]] += step;
                        taskPotential[j] -= step;
                    } else {
                        slack[j] -= step;
                    }
                }
                task = nearest;
            } while (workerOf[task] != 0);
            while (task != 0) { // swap along the chain
                workerOf[task] = workerOf[before[task]];
                task = before[task];
            }
        }
        int[] taskOf = new int[n];
        for (int j = 1; j <= n; j++) {
            taskOf[workerOf[j] - 1] = j - 1;
        }
        return taskOf;
    }
}
