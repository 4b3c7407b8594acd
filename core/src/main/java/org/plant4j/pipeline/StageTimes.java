package org.plant4j.pipeline;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/** The seconds that each stage took. */
record StageTimes(Map<String, Double> seconds) {

    StageTimes() {
        this(new TreeMap<>());
    }

    <T> T time(String stage, Supplier<T> work) {
        long start = System.nanoTime();
        T result = work.get();
        seconds.merge(stage, (System.nanoTime() - start) / 1e9, Double::sum);
        return result;
    }
}
