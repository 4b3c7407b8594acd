package org.plant4j.pipeline.stage;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.plant4j.support.Hardware;

/** The seconds and the CPU seconds that each stage took. */
public record StageTimes(Map<String, Double> seconds, Map<String, Double> cpuSeconds) {

    public StageTimes() {
        this(new TreeMap<>(), new TreeMap<>());
    }

    public <T> T time(String stage, Supplier<T> work) {
        long start = System.nanoTime();
        double cpuStart = Hardware.cpuSeconds();
        T result = work.get();
        seconds.merge(stage, (System.nanoTime() - start) / 1e9, Double::sum);
        double used = Hardware.cpuSeconds() - cpuStart;
        if (!Double.isNaN(used)) {
            cpuSeconds.merge(stage, used, Double::sum);
        }
        return result;
    }
}
