package org.plant4j.text;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.plant4j.corpus.Corpus;
import org.plant4j.corpus.Document;
import org.plant4j.corpus.Splits;
import org.plant4j.support.Progress;

/**
 * What the papers' data tables print of a corpus, a row a part; the first part is the training part, by which the unseen
 * codes of the others are told. Memory: a counter a code and two ints a document.
 */
public record CorpusStatistics(List<SplitStatistics> splits) {

    public CorpusStatistics {
        splits = List.copyOf(splits);
    }

    /** One part: its size, its tail, and its codes from the most to the least frequent. */
    public record SplitStatistics(
            String name,
            int documents,
            Distribution codesPerDocument,
            Distribution tokensPerDocument,
            int codesSeenOnce,
            int codesSeenUnderTen,
            int codesUnseenInTraining,
            List<CodeCount> codesByFrequency) {

        public SplitStatistics {
            codesByFrequency = List.copyOf(codesByFrequency);
        }

        public int distinctCodes() {
            return codesByFrequency.size();
        }
    }

    /** In how many documents a code occurs. */
    public record CodeCount(String code, int documents) {}

    /** Mean, quartiles and extremes; between two values a quartile lies in proportion, as NumPy has it. */
    public record Distribution(
            double mean, double lowerQuartile, double median, double upperQuartile, int min, int max) {

        /** All zero where there are no values. */
        static Distribution of(int[] values) {
            if (values.length == 0) {
                return new Distribution(0, 0, 0, 0, 0, 0);
            }
            int[] sorted = values.clone();
            Arrays.sort(sorted);
            double mean = Arrays.stream(sorted).asLongStream().sum() / (double) sorted.length;
            return new Distribution(
                    mean,
                    quantile(sorted, 0.25),
                    quantile(sorted, 0.5),
                    quantile(sorted, 0.75),
                    sorted[0],
                    sorted[sorted.length - 1]);
        }

        private static double quantile(int[] sorted, double q) {
            double at = q * (sorted.length - 1);
            int below = (int) at;
            int above = Math.min(below + 1, sorted.length - 1);
            return sorted[below] + (at - below) * (sorted[above] - sorted[below]);
        }
    }

    public static CorpusStatistics of(Splits split, Tokenizer tokenizer, Progress progress) {
        return of(List.of(split.train(), split.dev(), split.test()), tokenizer, progress);
    }

    /** Reads each part once, the training part first. */
    public static CorpusStatistics of(List<Corpus> parts, Tokenizer tokenizer, Progress progress) {
        List<SplitStatistics> read = new ArrayList<>();
        Set<String> training = Set.of();
        for (Corpus corpus : parts) {
            Counter counter = new Counter();
            try (Progress.Task task = progress.start("read " + corpus.name(), -1);
                    Stream<Document> documents = corpus.documents()) {
                documents.forEach(document -> {
                    counter.add(document, tokenizer);
                    task.advance(1);
                });
            }
            if (read.isEmpty()) {
                training = counter.frequencies.keySet();
            }
            read.add(counter.part(corpus.name(), training));
        }
        return new CorpusStatistics(read);
    }

    private static final class Counter {

        private final Map<String, Integer> frequencies = new HashMap<>();
        private int[] codes = new int[1024];
        private int[] words = new int[1024];
        private int documents;

        void add(Document document, Tokenizer tokenizer) {
            if (documents == codes.length) {
                codes = Arrays.copyOf(codes, documents + documents / 2);
                words = Arrays.copyOf(words, documents + documents / 2);
            }
            document.codes().forEach(code -> frequencies.merge(code, 1, Integer::sum));
            codes[documents] = document.codes().size();
            words[documents] = tokenizer.tokenize(document.text()).size();
            documents++;
        }

        SplitStatistics part(String name, Set<String> training) {
            List<CodeCount> ranked = frequencies.entrySet().stream()
                    .map(entry -> new CodeCount(entry.getKey(), entry.getValue()))
                    .sorted(Comparator.comparing(CodeCount::documents)
                            .reversed()
                            .thenComparing(CodeCount::code))
                    .toList();
            return new SplitStatistics(
                    name,
                    documents,
                    Distribution.of(Arrays.copyOf(codes, documents)),
                    Distribution.of(Arrays.copyOf(words, documents)),
                    (int) ranked.stream().filter(code -> code.documents() == 1).count(),
                    (int) ranked.stream().filter(code -> code.documents() < 10).count(),
                    (int) ranked.stream()
                            .filter(code -> !training.contains(code.code()))
                            .count(),
                    ranked);
        }
    }
}
