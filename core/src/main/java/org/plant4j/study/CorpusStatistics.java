package org.plant4j.study;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.plant4j.Document;
import org.plant4j.corpus.Corpus;
import org.plant4j.corpus.Splits;
import org.plant4j.corpus.codeset.CodeSet;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.corpus.format.CorpusFormats;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.report.BarChart;
import org.plant4j.report.LineChart;
import org.plant4j.report.ReportPage;
import org.plant4j.report.ReportTable;
import org.plant4j.text.PreparedCorpus;
import org.plant4j.text.Tokenizer;

/**
 * The corpus of a study instead of its models: documents, labels and lengths by split, the most frequent labels, and the
 * distribution of label frequencies (table 2 and figure 5 of the PLANT paper; tables 1 and 2 and figure 1 of the paper on label
 * description attention).
 */
final class CorpusStatistics implements Analysis {

    private static final String LABELLED = "labelled"; // all splits with labels together
    private static final int TOP = 9;
    private static final int LONGEST_BAR = 30;

    private final Map<String, SplitStatistics> splits = new LinkedHashMap<>();
    private final int documents;
    private final CodeSet codeSet;

    /** Counts of one split. */
    private static final class SplitStatistics {

        private final Map<String, Integer> frequencies = new HashMap<>();
        private final Set<String> groups = new HashSet<>();
        private final List<Integer> lengths = new ArrayList<>();
        private final List<Integer> labels = new ArrayList<>();

        static SplitStatistics of(Corpus corpus, Tokenizer tokenizer) {
            SplitStatistics statistics = new SplitStatistics();
            try (Stream<Document> documents = corpus.documents()) {
                documents.forEachOrdered(document -> {
                    statistics.lengths.add(tokenizer.tokenize(document.text()).size());
                    statistics.labels.add(document.codes().size());
                    statistics.groups.add(document.group());
                    document.codes().forEach(code -> statistics.frequencies.merge(code, 1, Integer::sum));
                });
            }
            return statistics;
        }

        /** Adds the documents of another split. */
        void add(SplitStatistics other) {
            other.frequencies.forEach((code, documents) -> frequencies.merge(code, documents, Integer::sum));
            groups.addAll(other.groups);
            lengths.addAll(other.lengths);
            labels.addAll(other.labels);
        }

        /** The share of the documents that have a code. */
        double share(String code) {
            return lengths.isEmpty() ? Double.NaN : frequencies.getOrDefault(code, 0) / (double) lengths.size();
        }
    }

    CorpusStatistics(StudyRuns runs) {
        Study.PlannedRun first = runs.runs(runs.baseline(), runs.firstSize()).get(0);
        RunDirectory directory = runs.directory(first);
        codeSet = CodeSet.read(directory.codeSet());
        // Bad rows were reported when the corpus was prepared.
        Splits corpus = CorpusFormats.openSplits(first.experiment().corpus(), BadRowHandler.skip());
        try (Tokenizer tokenizer = directory.openTokenizer()) {
            splits.put(PreparedCorpus.TRAIN, SplitStatistics.of(corpus.train(), tokenizer));
            splits.put(PreparedCorpus.DEV, SplitStatistics.of(corpus.dev(), tokenizer));
            splits.put(PreparedCorpus.TEST, SplitStatistics.of(corpus.test(), tokenizer));
        }
        splits.values().removeIf(split -> split.lengths.isEmpty());
        documents =
                splits.values().stream().mapToInt(split -> split.lengths.size()).sum();
        SplitStatistics labelled = new SplitStatistics();
        splits.values().stream().filter(split -> !split.frequencies.isEmpty()).forEach(labelled::add);
        splits.put(LABELLED, labelled);
    }

    private SplitStatistics train() {
        return Objects.requireNonNull(splits.get(PreparedCorpus.TRAIN));
    }

    private long unseen(SplitStatistics split) {
        return split.frequencies.keySet().stream()
                .filter(code -> !train().frequencies.containsKey(code))
                .count();
    }

    /** The median and the quartiles, by the nearest rank. */
    private static String quartiles(List<Integer> values) {
        int[] sorted = values.stream().mapToInt(value -> value).sorted().toArray();
        return String.format(
                Locale.ROOT, "%,d (%,d–%,d)", quantile(sorted, 0.5), quantile(sorted, 0.25), quantile(sorted, 0.75));
    }

    static int quantile(int[] sorted, double share) {
        return sorted[Math.max(0, (int) Math.ceil(share * sorted.length) - 1)];
    }

    @Override
    public String question() {
        return "How large is the corpus, and how are its labels distributed?";
    }

    @Override
    public ReportTable table() {
        ReportTable table = ReportTable.of(
                ReportTable.Column.text("split"),
                ReportTable.Column.number("documents", 0),
                ReportTable.Column.percent("share"),
                ReportTable.Column.number("groups", 0),
                ReportTable.Column.number("labels", 0),
                ReportTable.Column.number("not in train", 0),
                ReportTable.Column.text("labels per document"),
                ReportTable.Column.text("tokens per document"));
        for (Map.Entry<String, SplitStatistics> entry : splits.entrySet()) {
            SplitStatistics split = entry.getValue();
            table = table.row(
                    entry.getKey(),
                    split.lengths.size(),
                    split.lengths.size() / (double) documents,
                    split.groups.size(),
                    split.frequencies.size(),
                    unseen(split),
                    quartiles(split.labels),
                    quartiles(split.lengths));
        }
        return table;
    }

    private List<String> mostFrequent() {
        return train().frequencies.entrySet().stream()
                .sorted(Map.Entry.<String, Integer>comparingByValue(Comparator.reverseOrder())
                        .thenComparing(Map.Entry.comparingByKey()))
                .limit(TOP)
                .map(Map.Entry::getKey)
                .toList();
    }

    private ReportTable topTable() {
        List<ReportTable.Column> columns =
                new ArrayList<>(List.of(ReportTable.Column.text("label"), ReportTable.Column.text("description")));
        splits.keySet().forEach(split -> columns.add(ReportTable.Column.percent(split)));
        ReportTable table = new ReportTable(columns, List.of());
        for (String code : mostFrequent()) {
            List<Object> row =
                    new ArrayList<>(List.of(code, codeSet.describe(code).orElse("")));
            splits.values().forEach(split -> row.add(split.share(code)));
            table = table.row(row.toArray());
        }
        return table;
    }

    /** The number of labels by their number of training documents. */
    private Map<Integer, Integer> labelsByFrequency() {
        Map<Integer, Integer> labels = new TreeMap<>();
        train().frequencies.values().forEach(frequency -> labels.merge(frequency, 1, Integer::sum));
        return labels;
    }

    @Override
    public List<StudyResult> results() {
        List<StudyResult> results = new ArrayList<>();
        splits.forEach((name, split) -> {
            add(results, name, "documents", split.lengths.size());
            add(results, name, "groups", split.groups.size());
            add(results, name, "labels", split.frequencies.size());
            add(results, name, "labels not in train", (double) unseen(split));
            mostFrequent().forEach(code -> add(results, name, "share of " + code, split.share(code)));
        });
        labelsByFrequency()
                .forEach((frequency, labels) ->
                        add(results, PreparedCorpus.TRAIN, "labels with " + frequency + " documents", labels));
        return results;
    }

    private static void add(List<StudyResult> results, String split, String metric, double value) {
        results.add(StudyResult.of("corpus", 0, metric, value).inGroup(Optional.of(split)));
    }

    @Override
    public void report(ReportPage page) {
        page.section("Splits")
                .table(
                        "Medians with quartiles. A group is a patient, where the corpus names it, or a document.",
                        table());
        page.section("Most frequent labels")
                .table("Share of the documents that have the label; the most frequent ones in train", topTable());
        page.section("Label frequencies").charts(rankChart(), frequencyChart());
    }

    /** The number of training documents of each label, by rank. */
    private String rankChart() {
        double[] sorted = train().frequencies.values().stream()
                .sorted(Comparator.reverseOrder())
                .mapToDouble(frequency -> frequency)
                .toArray();
        double[] ranks = new double[sorted.length];
        Arrays.setAll(ranks, i -> i + 1);
        return LineChart.titled("Training documents by label")
                .xLabel("rank of the label")
                .yLabel("documents")
                .logX()
                .logY()
                .line("labels", ranks, sorted)
                .toSvg();
    }

    private String frequencyChart() {
        Map<Integer, Integer> labels = labelsByFrequency();
        List<String> names = new ArrayList<>();
        double[] counts = new double[LONGEST_BAR];
        for (int i = 0; i < LONGEST_BAR; i++) {
            names.add(String.valueOf(i + 1));
            counts[i] = labels.getOrDefault(i + 1, 0);
        }
        return BarChart.titled("Labels by number of training documents", names)
                .xLabel("training documents")
                .yLabel("labels")
                .bars("labels", counts)
                .toSvg();
    }
}
