package org.plant4j.prediction;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.plant4j.RankedCode;

/** The codes of one document, best first. */
public record Ranking(String documentId, List<RankedCode> codes) {

    public Ranking {
        codes = List.copyOf(codes);
    }

    /** A code in upper case, for comparisons: shared tasks write codes in lower case. */
    static String normalized(String code) {
        return code.toUpperCase(Locale.ROOT);
    }

    static Set<String> normalized(Set<String> codes) {
        return codes.stream().map(Ranking::normalized).collect(Collectors.toSet());
    }

    /**
     * Merges rankings of the same document. A code's score is the weighted mean of its scores, with 0 for rankings that do
     * not list it. Ties are ordered by code.
     */
    static Ranking weightedMean(List<Ranking> rankings, List<Double> weights, int maxCodes) {
        Map<String, String> spelling = new HashMap<>(); // by normalised code, as in the first ranking that lists it
        // Exact arithmetic, so that ties do not depend on the order of the files or on the size of the weights.
        Map<String, BigDecimal> sums = new HashMap<>();
        for (int i = 0; i < rankings.size(); i++) {
            BigDecimal weight = BigDecimal.valueOf(weights.get(i));
            for (RankedCode ranked : rankings.get(i).codes) {
                spelling.putIfAbsent(normalized(ranked.code()), ranked.code());
                sums.merge(
                        normalized(ranked.code()),
                        weight.multiply(BigDecimal.valueOf(ranked.score())),
                        BigDecimal::add);
            }
        }
        BigDecimal total = weights.stream().map(BigDecimal::valueOf).reduce(BigDecimal.ZERO, BigDecimal::add);
        return new Ranking(
                rankings.get(0).documentId,
                sums.entrySet().stream()
                        .sorted(Map.Entry.<String, BigDecimal>comparingByValue()
                                .reversed()
                                .thenComparing(Map.Entry.comparingByKey()))
                        .limit(maxCodes)
                        .map(sum -> new RankedCode(
                                spelling.getOrDefault(sum.getKey(), sum.getKey()),
                                sum.getValue()
                                        .divide(total, MathContext.DECIMAL64)
                                        .doubleValue()))
                        .toList());
    }
}
