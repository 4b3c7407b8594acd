package org.plant4j.context;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;

/**
 * Counts in training documents how often a code is assigned although a word that indicates it is negated or about
 * relatives in the whole document.
 */
public final class ContextProfiler {

    /** Enough documents to count; more would only take time. */
    public static final int MAX_DOCUMENTS = 10_000;

    /** The weight of the fraction over all codes in the estimate for a word and a code, in documents. */
    private static final double PRIOR_DOCUMENTS = 5;

    /** A word and a code must share at least this many documents. */
    private static final int MIN_DOCUMENTS = 5;

    /** A word indicates a code only if documents with the word have it this many times as often as all documents. */
    private static final double MIN_LIFT = 2;

    /** And at least this fraction of the documents with the word must have it. */
    private static final double MIN_FRACTION = 0.5;

    /** Documents with a word, and how many of them have a code. */
    private static final class Counts {

        private final Map<String, Integer> byCode = new HashMap<>();
        private int total;

        void add(Collection<String> codes) {
            total++;
            codes.forEach(code -> byCode.merge(code, 1, Integer::sum));
        }

        int total() {
            return total;
        }

        int of(String code) {
            return byCode.getOrDefault(code, 0);
        }

        double fraction(String code) {
            return (double) of(code) / total;
        }

        /** The codes that at least half of the documents have, and more often than others do. */
        List<String> indicatedCodes(Counts everywhere) {
            return byCode.keySet().stream()
                    .filter(code -> of(code) >= MIN_DOCUMENTS
                            && fraction(code) >= MIN_FRACTION
                            && fraction(code) >= MIN_LIFT * everywhere.fraction(code))
                    .toList();
        }
    }

    private record Entry(Map<String, Boolean> words, Collection<String> codes) {}

    private final List<Entry> documents = new ArrayList<>();
    private final Map<String, Counts> contradicted = new HashMap<>();
    private final Counts everywhere = new Counts();

    public void add(String text, Collection<String> codes) {
        Map<String, Boolean> words = MentionContext.of(text).contradictedWords();
        documents.add(new Entry(words, List.copyOf(codes)));
        everywhere.add(codes);
        words.forEach((word, all) -> {
            if (all) {
                contradicted.computeIfAbsent(word, key -> new Counts()).add(codes);
            }
        });
    }

    public ContextProfile profile() {
        contradicted.values().removeIf(counts -> counts.total() < MIN_DOCUMENTS);
        Map<String, Counts> affirmed = countAffirmed();
        double all = codedFraction(affirmed);
        Map<String, Set<String>> exceptions = new HashMap<>();
        contradicted.forEach((word, counts) -> {
            Set<String> codes = new TreeSet<>(counts.indicatedCodes(everywhere));
            codes.addAll(indicatedCodes(affirmed, word));
            for (String code : codes) {
                double fraction = (counts.of(code) + PRIOR_DOCUMENTS * all) / (counts.total() + PRIOR_DOCUMENTS);
                if (ContextProfile.isCoded(fraction) != ContextProfile.isCoded(all)) {
                    exceptions.computeIfAbsent(code, key -> new TreeSet<>()).add(word);
                }
            }
        });
        return new ContextProfile(all, exceptions);
    }

    /**
     * Counts the documents that mention a word plainly, for words that are negated in others. A code that half of t documents
     * have is in at least t / 2 documents, so rarer ones are not counted: with thousands of codes that is nearly all.
     */
    private Map<String, Counts> countAffirmed() {
        Map<String, Integer> totals = new HashMap<>();
        forEachAffirmed((word, document) -> totals.merge(word, 1, Integer::sum));
        Map<String, Counts> affirmed = new HashMap<>();
        forEachAffirmed((word, document) -> {
            double minimum = Objects.requireNonNull(totals.get(word)) * MIN_FRACTION;
            affirmed.computeIfAbsent(word, key -> new Counts())
                    .add(document.codes().stream()
                            .filter(code -> everywhere.of(code) >= minimum)
                            .toList());
        });
        return affirmed;
    }

    private void forEachAffirmed(BiConsumer<String, Entry> action) {
        for (Entry document : documents) {
            document.words().forEach((word, all) -> {
                if (!all && contradicted.containsKey(word)) {
                    action.accept(word, document);
                }
            });
        }
    }

    private List<String> indicatedCodes(Map<String, Counts> affirmed, String word) {
        Counts counts = affirmed.getOrDefault(word, new Counts());
        return counts.total() < MIN_DOCUMENTS ? List.of() : counts.indicatedCodes(everywhere);
    }

    private double codedFraction(Map<String, Counts> affirmed) {
        int coded = 0;
        int total = 0;
        for (Map.Entry<String, Counts> entry : contradicted.entrySet()) {
            for (String code : indicatedCodes(affirmed, entry.getKey())) {
                coded += entry.getValue().of(code);
                total += entry.getValue().total();
            }
        }
        return total == 0 ? 0 : (double) coded / total;
    }
}
