package org.plant4j.statistics;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.plant4j.Interval;
import org.plant4j.support.Arguments;

/**
 * Percentile bootstrap: confidence intervals from resampling documents with replacement. The intervals are deterministic
 * for a given seed. With 0 samples there are no intervals.
 */
public record Bootstrap(int samples, double level, long seed) {

    public Bootstrap {
        Arguments.atLeast(0, "samples", samples);
        Arguments.check(level > 0 && level < 1, "level", level, "between 0 and 1");
    }

    /** The interval of each metric by name. All metrics share the same samples. */
    public Map<String, Interval> intervals(List<Ratio> metrics) {
        Map<String, Interval> intervals = new LinkedHashMap<>();
        if (samples == 0 || metrics.isEmpty() || metrics.get(0).documents() == 0) {
            return intervals;
        }
        double[][] values = IntStream.range(0, samples) // (samples, metrics)
                .parallel()
                .mapToObj(sample -> resample(metrics, sample))
                .toArray(double[][]::new);
        double tail = (1 - level) / 2;
        for (int m = 0; m < metrics.size(); m++) {
            int metric = m;
            double[] sorted = Arrays.stream(values)
                    .mapToDouble(row -> row[metric])
                    .sorted()
                    .toArray();
            intervals.put(
                    metrics.get(m).name(), new Interval(quantile(sorted, tail), quantile(sorted, 1 - tail), level));
        }
        return intervals;
    }

    private double[] resample(List<Ratio> metrics, int sample) {
        int documents = metrics.get(0).documents();
        // One generator per sample: the result does not depend on the number of threads.
        SplittableRandom random = new SplittableRandom(seed + sample);
        int[] counts = new int[documents];
        for (int draw = 0; draw < documents; draw++) {
            counts[random.nextInt(documents)]++;
        }
        return metrics.stream().mapToDouble(metric -> value(metric, counts)).toArray();
    }

    private static double value(Ratio metric, int[] counts) {
        double numerator = 0;
        double denominator = 0;
        for (int d = 0; d < counts.length; d++) {
            numerator += counts[d] * metric.numerator(d);
            denominator += counts[d] * metric.denominator(d);
        }
        return Ratio.divide(numerator, denominator);
    }

    /** The quantile of sorted values, linearly interpolated. */
    static double quantile(double[] sorted, double probability) {
        double position = probability * (sorted.length - 1);
        int below = (int) position;
        int above = Math.min(below + 1, sorted.length - 1);
        return sorted[below] + (position - below) * (sorted[above] - sorted[below]);
    }
}
