package org.plant4j.statistics;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * The mean of one metric over several pairs of runs on the same documents, such as one pair per seed. A swap exchanges a
 * document's results in all pairs at once, so documents stay the unit of randomization.
 */
public record PairedMean(List<PairedStatistic> pairs) implements PairedStatistic {

    public PairedMean {
        pairs = List.copyOf(pairs);
    }

    @Override
    public String name() {
        return pairs.get(0).name();
    }

    @Override
    public double first() {
        return mean(PairedStatistic::first);
    }

    @Override
    public double second() {
        return mean(PairedStatistic::second);
    }

    @Override
    public double difference(long[] swapped) {
        return mean(pair -> pair.difference(swapped));
    }

    private double mean(ToDoubleFunction<PairedStatistic> value) {
        return pairs.stream().mapToDouble(value).sum() / pairs.size();
    }
}
