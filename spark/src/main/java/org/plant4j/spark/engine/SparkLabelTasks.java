package org.plant4j.spark.engine;

import java.io.Serializable;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.plant4j.Progress;
import org.plant4j.model.LabelTasks;

/** Solves ranges of labels in tasks; each executor receives the problem once. */
record SparkLabelTasks(JavaSparkContext context) implements LabelTasks {

    /** Tasks per core. Frequent labels come first and take longer, so ranges are small enough to even this out. */
    private static final int TASKS_PER_CORE = 16;

    @Override
    public <S extends Serializable> List<S> solve(Problem<S> problem, int labels, Progress.Task progress) {
        Broadcast<Problem<S>> shared = context.broadcast(problem);
        int ranges = Math.max(1, Math.min(labels, TASKS_PER_CORE * context.defaultParallelism()));
        List<S> solutions = context.parallelize(
                        IntStream.range(0, labels).boxed().toList(), ranges)
                .map(label -> shared.value().solve(label))
                .collect(); // in the order of labels
        shared.destroy();
        progress.advance(labels);
        return solutions;
    }
}
