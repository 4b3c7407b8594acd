package org.plant4j.prediction;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The codes of one note, best first. */
public record Ranking(String documentId, List<RankedCode> codes) {

    public Ranking {
        codes = List.copyOf(codes);
    }

    /**
     * One ranking from several of the same note: a code's score is the weighted mean of its scores, 0 in a ranking that
     * does not list it. Ties go to the lower code.
     */
    static Ranking weightedMean(List<Ranking> rankings, List<Double> weights, int most) {
        Map<String, String> written = new HashMap<>(); // by key, as the first ranking that lists it writes it
        // Exact, so that ties are ties in whatever order files are named, and weights may be of any size.
        Map<String, BigDecimal> sums = new HashMap<>();
        for (int i = 0; i < rankings.size(); i++) {
            BigDecimal weight = BigDecimal.valueOf(weights.get(i));
            for (RankedCode one : rankings.get(i).codes) {
                written.putIfAbsent(one.normalizedCode(), one.code());
                sums.merge(one.normalizedCode(), weight.multiply(BigDecimal.valueOf(one.score())), BigDecimal::add);
            }
        }
        BigDecimal total = weights.stream().map(BigDecimal::valueOf).reduce(BigDecimal.ZERO, BigDecimal::add);
        return new Ranking(
                rankings.get(0).documentId,
                sums.entrySet().stream()
                        .sorted(Map.Entry.<String, BigDecimal>comparingByValue()
                                .reversed()
                                .thenComparing(Map.Entry.comparingByKey()))
                        .limit(most)
                        .map(sum -> new RankedCode(
                                written.getOrDefault(sum.getKey(), sum.getKey()),
                                sum.getValue()
                                        .divide(total, MathContext.DECIMAL64)
                                        .doubleValue()))
                        .toList());
    }
}
