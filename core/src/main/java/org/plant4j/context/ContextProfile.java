package org.plant4j.context;

import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.plant4j.Evidence;
import org.plant4j.Trait;
import org.plant4j.support.Arguments;

/**
 * What training documents show about mentions that are negated or about relatives: whether documents with such a mention
 * have the code nevertheless. An absent finding can support a code, as in "pulmonary embolism without right heart strain",
 * and some corpora code negated mentions as well.
 *
 * @param codedFraction the fraction of these mentions whose code is assigned, over all codes
 * @param exceptions by code, the words that deviate: whose mentions are coded if most are not, and the reverse
 */
public record ContextProfile(double codedFraction, Map<String, Set<String>> exceptions) {

    /** For runs without a profile: negated mentions and those about relatives are never coded. */
    public static final ContextProfile NONE = new ContextProfile(0, Map.of());

    public ContextProfile {
        Arguments.fraction("codedFraction", codedFraction);
        SortedMap<String, Set<String>> sorted = new TreeMap<>();
        exceptions.forEach((code, words) -> {
            SortedSet<String> copy = Collections.unmodifiableSortedSet(new TreeSet<>(words));
            sorted.put(code, copy);
        });
        exceptions = Collections.unmodifiableSortedMap(sorted);
    }

    /** Adds the trait {@link Trait#TYPICAL} to negated evidence, or evidence about relatives, that supports the code. */
    public List<Evidence> annotate(String code, List<Evidence> evidence) {
        return evidence.stream()
                .map(item -> item.contradicts() && isTypical(code, item.text()) ? typical(item) : item)
                .toList();
    }

    private boolean isTypical(String code, String phrase) {
        Set<String> words = exceptions.getOrDefault(code, Set.of());
        boolean exception = MentionContext.meaningfulWords(phrase).stream().anyMatch(words::contains);
        return isCoded(codedFraction) != exception;
    }

    static boolean isCoded(double fraction) {
        return fraction >= 0.5;
    }

    private static Evidence typical(Evidence evidence) {
        Set<Trait> traits = EnumSet.of(Trait.TYPICAL);
        traits.addAll(evidence.traits());
        return evidence.withTraits(traits);
    }
}
