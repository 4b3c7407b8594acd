package org.plant4j.context;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.plant4j.Trait;
import org.plant4j.corpus.demo.AnnotatedSummary;
import org.plant4j.corpus.demo.AnnotatedSummary.Mention;

/**
 * How often mentions of one context, which the generator of the demo corpus knows, get each trait.
 *
 * @param negated mentions with the trait {@code negated}; the other counts likewise
 * @param contradicted mentions that are negated or about relatives, and so do not support a code
 */
public record TraitScore(
        AnnotatedSummary.Context context, int mentions, int negated, int family, int hypothetical, int contradicted) {

    private static TraitScore of(AnnotatedSummary.Context context, Set<Trait> traits) {
        return new TraitScore(
                context,
                1,
                traits.contains(Trait.NEGATED) ? 1 : 0,
                traits.contains(Trait.FAMILY) ? 1 : 0,
                traits.contains(Trait.HYPOTHETICAL) ? 1 : 0,
                traits.stream().anyMatch(Trait::contradicts) ? 1 : 0);
    }

    private TraitScore plus(TraitScore other) {
        return new TraitScore(
                context,
                mentions + other.mentions,
                negated + other.negated,
                family + other.family,
                hypothetical + other.hypothetical,
                contradicted + other.contradicted);
    }

    /** The counts of all mentions, by context. */
    public static List<TraitScore> of(Stream<AnnotatedSummary> summaries) {
        Map<AnnotatedSummary.Context, TraitScore> scores = new EnumMap<>(AnnotatedSummary.Context.class);
        summaries.forEachOrdered(summary -> {
            MentionContext text = MentionContext.of(summary.document().text());
            for (Mention mention : summary.mentions()) {
                scores.merge(mention.context(), of(mention.context(), text.traits(mention.span())), TraitScore::plus);
            }
        });
        return List.copyOf(scores.values());
    }
}
