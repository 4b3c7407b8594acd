package org.plant4j.model;

import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.plant4j.Progress;

/**
 * Solves a problem for each label, in this process or on a cluster. Problems and solutions are serializable, so that they
 * can travel.
 */
public interface LabelTasks {

    /** A problem whose labels are independent of each other; thread-safe. */
    @FunctionalInterface
    interface Problem<S extends Serializable> extends Serializable {
        S solve(int label);
    }

    /** The solutions of labels 0 to {@code labels - 1}. */
    <S extends Serializable> List<S> solve(Problem<S> problem, int labels, Progress.Task progress);

    /** Solves labels in parallel, in the common pool or the pool of the caller. */
    LabelTasks LOCAL = new LabelTasks() {
        @Override
        @SuppressWarnings("unchecked") // an array of S, written by index
        public <S extends Serializable> List<S> solve(Problem<S> problem, int labels, Progress.Task progress) {
            Serializable[] solutions = new Serializable[labels];
            IntStream.range(0, labels).parallel().forEach(label -> {
                solutions[label] = problem.solve(label);
                synchronized (progress) {
                    progress.advance(1);
                }
            });
            return (List<S>) Arrays.asList(solutions);
        }
    };
}
