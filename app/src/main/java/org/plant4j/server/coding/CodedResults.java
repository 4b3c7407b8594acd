package org.plant4j.server.coding;

import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.plant4j.Suggestion;
import org.plant4j.Trait;
import org.plant4j.encounter.CodedDocument;
import org.plant4j.review.Review;
import org.plant4j.support.Sha256;

/**
 * What the server has suggested recently, by the SHA-256 of the text, to check the suggestions that a review claims to
 * have shown. Thread-safe; the least recently used results are dropped.
 */
public final class CodedResults {

    /** At most 200 codes each, so about 40 MB. */
    private static final int MAX_RESULTS = 2000;

    /** The suggestions for a text; {@code outOfDomain}: the reason, if the text was out of domain. */
    public record Suggested(Optional<String> outOfDomain, Map<String, Review.ShownCode> codes) {

        public static Suggested of(CodedDocument coded) {
            Map<String, Review.ShownCode> codes = new LinkedHashMap<>();
            for (Suggestion each : coded.codes()) {
                codes.put(
                        each.code(), new Review.ShownCode(each.code(), each.probability(), each.band(), traits(each)));
            }
            return new Suggested(coded.domain().reason(), codes);
        }

        private static Set<Trait> traits(Suggestion suggestion) {
            Set<Trait> traits = EnumSet.noneOf(Trait.class);
            suggestion.evidence().forEach(span -> traits.addAll(span.traits()));
            return traits;
        }
    }

    private final Map<String, Suggested> byText = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Suggested> eldest) {
            return size() > MAX_RESULTS;
        }
    };

    /** Keeps the result with the most codes, if a text is coded several times. */
    void add(String text, CodedDocument coded) {
        Suggested latest = Suggested.of(coded);
        String key = Sha256.of(text);
        synchronized (byText) {
            byText.merge(
                    key,
                    latest,
                    (before, next) -> next.codes().size() >= before.codes().size() ? next : before);
        }
    }

    public Optional<Suggested> find(String text) {
        String key = Sha256.of(text);
        synchronized (byText) {
            return Optional.ofNullable(byText.get(key));
        }
    }
}
