package org.plant4j.translation;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The probabilities of target words given source words. Each word of a target text is taken for the translation of one word of
 * the source text, or of none ({@link #NULL}); the order of words does not matter. {@link IbmModel1Trainer} estimates them.
 *
 * <p>Brown, Della Pietra, Della Pietra, Mercer: The Mathematics of Statistical Machine Translation, Computational Linguistics 19,
 * 1993, Model 1.
 */
final class IbmModel1 {

    /** The empty word, which belongs to every source text. */
    static final String NULL = "";

    private final Map<String, Map<String, Double>> probabilities; // by source and target word

    IbmModel1(Map<String, Map<String, Double>> probabilities) {
        this.probabilities = probabilities;
    }

    /** The probabilities of the target words of a source word; none if it did not occur. */
    Map<String, Double> of(String source) {
        return probabilities.getOrDefault(source, Map.of());
    }

    double probability(String source, String target) {
        return of(source).getOrDefault(target, 0.0);
    }

    /** The probability that a target word is the translation of each word of a source text, or of NULL, which is the last; 0 if none can be. */
    double[] alignment(List<String> source, String target) {
        double[] alignment = IntStream.rangeClosed(0, source.size())
                .mapToDouble(i -> probability(i < source.size() ? source.get(i) : NULL, target))
                .toArray();
        double sum = Arrays.stream(alignment).sum();
        return Arrays.stream(alignment).map(value -> sum == 0 ? 0 : value / sum).toArray();
    }
}
