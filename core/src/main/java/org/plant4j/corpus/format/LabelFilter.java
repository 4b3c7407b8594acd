package org.plant4j.corpus.format;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.plant4j.Document;
import org.plant4j.GoldEvidence;
import org.plant4j.corpus.Corpus;
import org.plant4j.corpus.Splits;
import org.plant4j.corpus.TieOrder;

/**
 * The option {@code labels} of every format: {@code top 50} keeps the labels with the most training documents, {@code rare 50}
 * those with the fewest, but at least two. Documents whose labels are all removed are left out of every split.
 */
final class LabelFilter {

    static final String OPTION = "labels";

    private static final Pattern FORM = Pattern.compile("(top|rare) ([1-9]\\d{0,6})");
    private static final int LEAST_DOCUMENTS = 2;

    private final Corpus train;
    private final boolean rare;
    private final int count;
    private @Nullable Set<String> kept;

    private LabelFilter(Corpus train, boolean rare, int count) {
        this.train = train;
        this.rare = rare;
        this.count = count;
    }

    /** The splits with the labels that the option keeps; all if it is not set. */
    static Splits filter(Splits splits, FormatOptions options) {
        return options.find(OPTION).map(value -> parse(value, splits)).orElse(splits);
    }

    private static Splits parse(String value, Splits splits) {
        Matcher parts = FORM.matcher(value);
        if (!parts.matches()) {
            throw FormatOptions.invalid(OPTION, value, "top or rare with a number, such as top 50");
        }
        LabelFilter filter =
                new LabelFilter(splits.train(), parts.group(1).equals("rare"), Integer.parseInt(parts.group(2)));
        return new Splits(filter.of(splits.train()), filter.of(splits.dev()), filter.of(splits.test()));
    }

    private Corpus of(Corpus corpus) {
        return new Corpus() {
            @Override
            public String name() {
                return corpus.name();
            }

            @Override
            public Stream<Document> documents() {
                Set<String> labels = kept();
                return corpus.documents()
                        .map(document -> reduced(document, labels))
                        .flatMap(List::stream);
            }
        };
    }

    /** A document without codes, as in a test set whose labels are not public, stays. */
    private static List<Document> reduced(Document document, Set<String> labels) {
        Set<String> codes = new TreeSet<>(document.codes());
        codes.retainAll(labels);
        if (codes.isEmpty() && !document.codes().isEmpty()) {
            return List.of();
        }
        List<GoldEvidence> evidence = document.evidence().stream()
                .filter(gold -> codes.contains(gold.code()))
                .toList();
        return List.of(new Document(document.id(), document.text(), codes, evidence, document.group()));
    }

    private synchronized Set<String> kept() {
        if (kept == null) {
            kept = choose();
        }
        return kept;
    }

    private Set<String> choose() {
        Map<String, Integer> documents = new HashMap<>();
        try (Stream<Document> read = train.documents()) {
            read.forEach(document -> document.codes().forEach(code -> documents.merge(code, 1, Integer::sum)));
        }
        documents.values().removeIf(frequency -> frequency < LEAST_DOCUMENTS);
        Comparator<Map.Entry<String, Integer>> byFrequency = Map.Entry.comparingByValue(Comparator.reverseOrder());
        List<String> codes = new ArrayList<>(documents.entrySet().stream()
                .sorted(byFrequency.thenComparing(Map.Entry.comparingByKey(TieOrder.comparator())))
                .map(Map.Entry::getKey)
                .toList());
        int size = Math.min(count, codes.size());
        return new HashSet<>(rare ? codes.subList(codes.size() - size, codes.size()) : codes.subList(0, size));
    }
}
