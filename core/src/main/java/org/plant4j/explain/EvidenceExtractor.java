package org.plant4j.explain;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.plant4j.Evidence;
import org.plant4j.Span;
import org.plant4j.context.Clause;
import org.plant4j.context.MentionContext;
import org.plant4j.metric.TopK;
import org.plant4j.support.Arguments;
import org.plant4j.text.TokenizedText;

/**
 * Extracts the evidence of a label, as phrases, from its token weights.
 *
 * <p>The heaviest tokens are widened, one after the other, until the phrases hold {@code mass} of the total weight. A phrase
 * grows within its clause, across function words, by words with at least {@code neighbourWeight} of the weight of its
 * heaviest word. A number after a phrase belongs to it, and so does one before a unit. Function words and numbers are no
 * evidence on their own; generic words such as "acute" get the nearest other word of their clause.
 */
public final class EvidenceExtractor {

    /**
     * How much the heaviest token counts if it starts no phrase. In "former smoker" it may be "former", which is a term of
     * the context; the phrase "smoker" then has less weight, but is the evidence.
     */
    private static final double SKIPPED_WEIGHT = 0.2;

    private final double mass;
    private final int maxPhrases;
    private final double minRelativeWeight;
    private final double neighbourWeight;
    private final int maxWords;

    /**
     * Creates an extractor.
     *
     * @param minRelativeWeight the minimum weight of the heaviest token of a phrase, relative to that of the first phrase
     * @param maxWords the maximum number of words of a phrase
     */
    public EvidenceExtractor(
            double mass, int maxPhrases, double minRelativeWeight, double neighbourWeight, int maxWords) {
        Arguments.check(mass > 0 && mass <= 1, "mass", mass, "above 0, at most 1");
        this.mass = mass;
        this.maxPhrases = Arguments.atLeast(1, "maxPhrases", maxPhrases);
        this.minRelativeWeight = Arguments.fraction("minRelativeWeight", minRelativeWeight);
        this.neighbourWeight = Arguments.fraction("neighbourWeight", neighbourWeight);
        this.maxWords = Arguments.atLeast(1, "maxWords", maxWords);
    }

    /**
     * 80 % of the weight, at most 10 phrases of at most 12 words. The heaviest token of a phrase has at least 30 % of the
     * weight of that of the first phrase, further words at least 1 % of the weight of its heaviest word:
     * little enough that the neighbours of a word, which share its weight by {@code attention-phrase}, are shown with it.
     */
    public static EvidenceExtractor standard() {
        return new EvidenceExtractor(0.8, 10, 0.3, 0.01, 12);
    }

    /** The phrases by descending weight, ties by position. Empty if all weights are 0. */
    public List<Evidence> extract(float[] weights, TokenizedText tokens, String text) {
        return extract(weights, tokens, MentionContext.of(text));
    }

    /** As above, for one of several labels of a text. */
    public List<Evidence> extract(float[] weights, TokenizedText tokens, MentionContext context) {
        TokenWeights.check(weights, tokens.size());
        SpanWeights spanWeights = new SpanWeights(weights, tokens);
        double largest = SKIPPED_WEIGHT * largest(weights);
        int[] order = heaviest(weights, minRelativeWeight * largest);
        List<Span> phrases = new ArrayList<>();
        double missing = mass * spanWeights.total();
        for (int heaviest : order) {
            float weight = weights[heaviest];
            // Tolerate rounding errors: ten weights of 0.1 sum to a mass of 1.
            boolean enough = missing <= 1e-6 * spanWeights.total();
            if (enough || weight == 0 || weight < minRelativeWeight * largest || phrases.size() == maxPhrases) {
                break;
            }
            Span token = tokens.spans().get(heaviest);
            if (!overlapsAny(token, phrases)) {
                Optional<Span> phrase = phrase(token, context.clause(token), phrases, spanWeights);
                phrase.ifPresent(phrases::add);
                largest = phrase.isPresent() ? Math.max(largest, weight) : largest;
                missing -= phrase.map(spanWeights::weight).orElse(0.0);
            }
        }
        String text = context.text();
        return phrases.stream()
                // Sums of rounded weights can exceed 1 by a rounding error.
                .map(span -> new Evidence(
                        span, text.substring(span.start(), span.end()), Math.min(1, spanWeights.weight(span))))
                .sorted(Comparator.comparingDouble((Evidence e) -> -e.weight()).thenComparing(Evidence::span))
                .toList();
    }

    private static float largest(float[] weights) {
        float largest = 0;
        for (float weight : weights) {
            largest = Math.max(largest, weight);
        }
        return largest;
    }

    /** The tokens that may start a phrase, the heaviest first. Only those of at least this weight are sorted, which are few. */
    private int[] heaviest(float[] weights, double least) {
        int[] tokens = IntStream.range(0, weights.length)
                .filter(token -> weights[token] >= least)
                .toArray();
        float[] weightOf = new float[tokens.length];
        for (int i = 0; i < tokens.length; i++) {
            weightOf[i] = weights[tokens[i]];
        }
        // Function words are skipped, but only so many: the heaviest tokens of a long text may all be function words.
        return IntStream.of(TopK.indices(weightOf, 10 * maxPhrases))
                .map(i -> tokens[i])
                .toArray();
    }

    /** The phrase around a token, up to other phrases; empty for function words and for generic words about another phrase. */
    private Optional<Span> phrase(Span token, Clause clause, List<Span> others, SpanWeights weights) {
        int peak = clause.indexOf(token);
        if (peak < 0 || clause.isFunctionWord(peak)) {
            return Optional.empty();
        }
        double least = neighbourWeight * weights.weight(clause.words().get(peak));
        int first = peak;
        int last = peak;
        while (true) {
            int left = neighbour(clause, first, -1);
            int right = neighbour(clause, last, 1);
            double leftWeight = last - left < maxWords ? weight(clause, left, others, weights) : -1;
            double rightWeight = right - first < maxWords ? weight(clause, right, others, weights) : -1;
            if (Math.max(leftWeight, rightWeight) < least) {
                int named = nearestSpecific(clause, first, last);
                int start = Math.min(first, named);
                int end = Math.max(last, named);
                return Stream.of(
                                clause.span(clause.startOfNumberBefore(start), clause.endOfNumberAfter(end)),
                                clause.span(start, end))
                        .filter(phrase -> !overlapsAny(phrase, others))
                        .findFirst();
            } else if (leftWeight > rightWeight) {
                first = left;
            } else {
                last = right;
            }
        }
    }

    /**
     * The word that says what a phrase of generic words is about: in "takes losartan for her pressure" losartan. A word of
     * the phrase if it has one that is not generic, or if there is none nearby.
     */
    private int nearestSpecific(Clause clause, int first, int last) {
        boolean generic = IntStream.rangeClosed(first, last).noneMatch(clause::isSpecific);
        int room = generic ? maxWords - (last - first + 1) : 0;
        return IntStream.rangeClosed(1, room)
                .flatMap(distance -> IntStream.of(first - distance, last + distance))
                .filter(word -> word >= 0 && word < clause.size() && clause.isSpecific(word))
                .findFirst()
                .orElse(first);
    }

    /** The next word that is not a function word, or the end of the clause. */
    private static int neighbour(Clause clause, int from, int direction) {
        int at = from + direction;
        while (at >= 0 && at < clause.size() && clause.isFunctionWord(at)) {
            at += direction;
        }
        return at;
    }

    /** The weight of a word; -1 outside the clause and in other phrases. */
    private static double weight(Clause clause, int word, List<Span> others, SpanWeights weights) {
        if (word < 0 || word >= clause.size()) {
            return -1;
        }
        Span span = clause.words().get(word);
        return overlapsAny(span, others) ? -1 : weights.weight(span);
    }

    private static boolean overlapsAny(Span span, List<Span> others) {
        for (Span other : others) {
            if (span.overlaps(other)) {
                return true;
            }
        }
        return false;
    }
}
