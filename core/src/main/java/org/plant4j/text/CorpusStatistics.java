package org.plant4j.text;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.plant4j.Document;
import org.plant4j.Progress;
import org.plant4j.corpus.Corpus;
import org.plant4j.corpus.Splits;

/**
 * The statistics of a corpus that papers report, per split. The first split is the training split; codes of the other splits
 * that do not occur in it are unseen.
 */
public record CorpusStatistics(List<SplitStatistics> splits) {

    public CorpusStatistics {
        splits = List.copyOf(splits);
    }

    /** The statistics of one split; {@code codesByFrequency} is in descending order. */
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

    /** The number of documents with a code. */
    public record CodeCount(String code, int documents) {}

    /** Mean, quartiles and extremes. Quartiles are interpolated linearly, as in NumPy. */
    public record Distribution(
            double mean, double lowerQuartile, double median, double upperQuartile, int min, int max) {

        /** All zero without values. */
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
            double position = q * (sorted.length - 1);
            int below = (int) position;
            int above = Math.min(below + 1, sorted.length - 1);
            return sorted[below] + (position - below) * (sorted[above] - sorted[below]);
        }
    }

    public static CorpusStatistics of(Splits split, Tokenizer tokenizer, Progress progress) {
        return of(List.of(split.train(), split.dev(), split.test()), tokenizer, progress);
    }

    /** Reads each split once, the training split first. */
    public static CorpusStatistics of(List<Corpus> corpora, Tokenizer tokenizer, Progress progress) {
        List<SplitStatistics> read = new ArrayList<>();
        Set<String> training = Set.of();
        for (Corpus corpus : corpora) {
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
            read.add(counter.statistics(corpus.name(), training));
        }
        return new CorpusStatistics(read);
    }

    private static final class Counter {

        private final Map<String, Integer> frequencies = new HashMap<>();
        private int[] codes = new int[1024];
        private int[] tokens = new int[1024];
        private int documents;

        void add(Document document, Tokenizer tokenizer) {
            if (documents == codes.length) {
                codes = Arrays.copyOf(codes, documents + documents / 2);
                tokens = Arrays.copyOf(tokens, documents + documents / 2);
            }
            document.codes().forEach(code -> frequencies.merge(code, 1, Integer::sum));
            codes[documents] = document.codes().size();
            tokens[documents] = tokenizer.tokenize(document.text()).size();
            documents++;
        }

        SplitStatistics statistics(String name, Set<String> training) {
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
                    Distribution.of(Arrays.copyOf(tokens, documents)),
                    (int) ranked.stream().filter(code -> code.documents() == 1).count(),
                    (int) ranked.stream().filter(code -> code.documents() < 10).count(),
                    (int) ranked.stream()
                            .filter(code -> !training.contains(code.code()))
                            .count(),
                    ranked);
        }
    }
}
