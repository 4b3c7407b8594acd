package org.plant4j.statistics;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** Percentile confidence intervals from documents drawn again with replacement; equal seeds give equal intervals. */
public record Bootstrap(int samples, double level, long seed) {

    public Bootstrap {
        if (samples < 0) {
            throw new IllegalArgumentException("samples: " + samples + " (expected: >= 0)");
        }
        if (!(level > 0 && level < 1)) {
            throw new IllegalArgumentException("level: " + level + " (expected: between 0 and 1)");
        }
    }

    /** The interval of each metric by its name; the same draws serve all of them. */
    public Map<String, Interval> intervals(List<Ratio> metrics) {
        Map<String, Interval> intervals = new LinkedHashMap<>();
        if (samples == 0 || metrics.isEmpty() || metrics.get(0).documents() == 0) {
            return intervals;
        }
        double[][] values = IntStream.range(0, samples) // (samples, metrics)
                .parallel()
                .mapToObj(sample -> resample(metrics, sample))
                .toArray(double[][]::new);
        for (int m = 0; m < metrics.size(); m++) {
            int metric = m;
            double[] sorted = Arrays.stream(values)
                    .mapToDouble(row -> row[metric])
                    .sorted()
                    .toArray();
            double tail = (1 - level) / 2;
            intervals.put(
                    metrics.get(m).name(), new Interval(quantile(sorted, tail), quantile(sorted, 1 - tail), level));
        }
        return intervals;
    }

    private double[] resample(List<Ratio> metrics, int sample) {
        int documents = metrics.get(0).documents();
        SplittableRandom random = new SplittableRandom(seed + sample); // its own, so that threads change nothing
        int[] times = new int[documents];
        for (int draw = 0; draw < documents; draw++) {
            times[random.nextInt(documents)]++;
        }
        return metrics.stream().mapToDouble(metric -> value(metric, times)).toArray();
    }

    private static double value(Ratio metric, int[] times) {
        double numerator = 0;
        double denominator = 0;
        for (int d = 0; d < times.length; d++) {
            numerator += times[d] * metric.numerator(d);
            denominator += times[d] * metric.denominator(d);
        }
        return Ratio.divide(numerator, denominator);
    }

    static double quantile(double[] sorted, double share) {
        double place = share * (sorted.length - 1);
        int below = (int) place;
        int above = Math.min(below + 1, sorted.length - 1);
        return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
    }
}
