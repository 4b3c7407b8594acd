package org.plant4j.study;

import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.plant4j.corpus.codeset.CodeSet;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.explain.Plausibility;
import org.plant4j.explain.TopTokens;
import org.plant4j.report.BarChart;
import org.plant4j.report.ReportPage;
import org.plant4j.report.ReportTable;
import org.plant4j.statistics.Bootstrap;
import org.plant4j.statistics.Interval;
import org.plant4j.statistics.Ratio;
import org.plant4j.support.Progress;
import org.plant4j.text.LabelIndex;
import org.plant4j.text.Tokenizer;

/**
 * Which words each variant looks at for a code, and how well they meet what humans marked (the paper's table 8, with gold
 * evidence where the corpus has it).
 */
final class Interpretability implements Analysis {

    private static final int CODES = 8;
    private static final int TOKENS = 5;
    private static final String AUPRC = "AUPRC";
    private static final String F1 = "F1";
    private static final String RANDOM = "random weights";
    private static final String EVERYTHING = "every word alike";

    private static final Map<String, ToDoubleFunction<Plausibility>> METRICS = metrics();

    private final StudyRuns runs;
    private final AnnotatedDocuments marked;
    private final List<String> codes;
    private final Map<String, List<EvidenceScores>> evidence = new LinkedHashMap<>();
    private final List<StudyResult> measured;

    private static Map<String, ToDoubleFunction<Plausibility>> metrics() {
        Map<String, ToDoubleFunction<Plausibility>> metrics = new LinkedHashMap<>();
        metrics.put(AUPRC, Plausibility::auprc);
        metrics.put(F1, Plausibility::f1);
        metrics.put("precision", Plausibility::precision);
        metrics.put("recall", Plausibility::recall);
        metrics.put("IoU", Plausibility::iou);
        return metrics;
    }

    Interpretability(StudyRuns runs) {
        this.runs = runs;
        Set<String> known = new HashSet<>();
        List<Study.PlannedRun> cells = runs.variants().stream()
                .flatMap(variant -> cells(variant).stream())
                .toList();
        for (Study.PlannedRun cell : cells) {
            LabelIndex labels = LabelIndex.read(runs.directory(cell).labels());
            List<String> learned = labels.codes().subList(0, labels.size());
            if (cell.equals(cells.get(0))) {
                known.addAll(learned);
            } else {
                known.retainAll(new HashSet<>(learned));
            }
        }
        try (Tokenizer tokenizer = runs.directory(cells.get(0)).openTokenizer()) {
            marked = AnnotatedDocuments.of(cells.get(0).experiment(), runs.split(), known, tokenizer);
        }
        codes = runs.study().codes().isEmpty()
                ? marked.mostFrequent(CODES)
                : runs.study().codes();
        try (Progress.Task task = runs.progress().start("explain", cells.size())) {
            for (Study.PlannedRun cell : cells) {
                evidence.computeIfAbsent(cell.variant(), variant -> new ArrayList<>())
                        .add(EvidenceScores.run(
                                runs.directory(cell), cell.experiment().compute(), marked, Set.copyOf(codes)));
                task.advance(1);
            }
        }
        if (marked.hasSpans()) {
            evidence.put(RANDOM, List.of(EvidenceScores.random(marked)));
            evidence.put(EVERYTHING, List.of(EvidenceScores.uniform(marked)));
        }
        measured = marked.hasSpans() ? measured() : List.of();
    }

    private List<Study.PlannedRun> cells(String variant) {
        return runs.runs(variant, runs.study().sizes().get(0));
    }

    @Override
    public String question() {
        return "Which words speak for a code, and are they those that humans marked?";
    }

    /** A measure's mean over pairs of document and code and over the seeds, by document so that it can be resampled. */
    private Ratio ratio(String giver, String metric) {
        ToDoubleFunction<Plausibility> measure = METRICS.getOrDefault(metric, Plausibility::auprc);
        List<EvidenceScores> seeds = evidence.getOrDefault(giver, List.of());
        int documents = marked.documents().size();
        double[] sums = new double[documents];
        double[] pairs = new double[documents];
        for (EvidenceScores seed : seeds) {
            for (int d = 0; d < documents; d++) {
                sums[d] +=
                        seed.byDocument().get(d).stream().mapToDouble(measure).sum();
                pairs[d] += seed.byDocument().get(d).size();
            }
        }
        for (int d = 0; d < documents; d++) {
            sums[d] /= seeds.size();
            pairs[d] /= seeds.size();
        }
        return new Ratio(metric, sums, pairs);
    }

    private long pairs() {
        return evidence.getOrDefault(runs.baseline(), List.of()).get(0).byDocument().stream()
                .mapToLong(List::size)
                .sum();
    }

    /** The words of most weight, over documents with the code and over the seeds. */
    private List<Map.Entry<String, Double>> top(String variant, String code) {
        Map<String, Double> sum = new HashMap<>();
        for (EvidenceScores seed : evidence.getOrDefault(variant, List.of())) {
            seed.tokenWeights()
                    .getOrDefault(code, Map.of())
                    .forEach((word, weight) -> sum.merge(word, weight, Double::sum));
        }
        return top(sum);
    }

    private static List<Map.Entry<String, Double>> top(Map<String, Double> weights) {
        return weights.entrySet().stream()
                .sorted(Map.Entry.<String, Double>comparingByValue(Comparator.reverseOrder())
                        .thenComparing(Map.Entry.comparingByKey()))
                .limit(TOKENS)
                .toList();
    }

    @Override
    public ReportTable table() {
        return marked.hasSpans() ? plausibility() : words();
    }

    private ReportTable plausibility() {
        List<ReportTable.Column> columns = new ArrayList<>(List.of(ReportTable.Column.text("evidence of")));
        METRICS.keySet().forEach(metric -> {
            // Whoever shows everything recalls everything: that is not best.
            columns.add(
                    metric.equals("recall")
                            ? ReportTable.Column.number(metric, 3)
                            : ReportTable.Column.highest(metric, 3));
            if (tested(metric)) {
                columns.add(ReportTable.Column.text("p"));
            }
        });
        ReportTable table = new ReportTable(columns, List.of());
        for (StudyResult result : measured) {
            if (result.metric().equals(AUPRC)) {
                List<Object> row = new ArrayList<>(List.of(result.variant()));
                for (StudyResult each : measured) {
                    if (each.variant().equals(result.variant())) {
                        row.add(ReportTable.Cell.of(
                                each.value(),
                                each.low().orElse(Double.NaN),
                                each.high().orElse(Double.NaN)));
                        if (tested(each.metric())) {
                            row.add(
                                    each.pValue().isPresent()
                                            ? StudyFormats.p(each.pValue().getAsDouble())
                                            : "–");
                        }
                    }
                }
                table = table.row(row.toArray());
            }
        }
        return table;
    }

    private static boolean tested(String metric) {
        return metric.equals(AUPRC) || metric.equals(F1);
    }

    private List<StudyResult> measured() {
        List<StudyResult> results = new ArrayList<>();
        for (String giver : evidence.keySet()) {
            for (String metric : METRICS.keySet()) {
                Ratio ratio = ratio(giver, metric);
                Optional<Interval> interval = Optional.ofNullable(
                        new Bootstrap(1000, 0.95, 1).intervals(List.of(ratio)).get(metric));
                StudyResult result = new StudyResult(
                        giver,
                        documents(giver),
                        Optional.empty(),
                        OptionalLong.empty(),
                        metric,
                        ratio.value(),
                        interval.map(i -> OptionalDouble.of(i.low())).orElseGet(OptionalDouble::empty),
                        interval.map(i -> OptionalDouble.of(i.high())).orElseGet(OptionalDouble::empty),
                        OptionalDouble.empty(),
                        OptionalDouble.empty());
                if (!giver.equals(runs.baseline())) {
                    Ratio first = ratio(runs.baseline(), metric);
                    result = result.comparedWith(
                            ratio.value() - first.value(),
                            StudyRuns.significanceTest().pValue(first, ratio));
                }
                results.add(result);
            }
        }
        return results;
    }

    private long documents(String giver) {
        return runs.variants().contains(giver)
                ? runs.trainingDocuments(giver, runs.study().sizes().get(0))
                : 0;
    }

    private ReportTable words() {
        List<ReportTable.Column> columns =
                new ArrayList<>(List.of(ReportTable.Column.text("code"), ReportTable.Column.text("meaning")));
        runs.variants().forEach(variant -> columns.add(ReportTable.Column.text(variant)));
        if (marked.hasSpans()) {
            columns.add(ReportTable.Column.text("marked by humans"));
        }
        Optional<RunDirectory> planted = planted();
        if (planted.isPresent()) {
            columns.add(ReportTable.Column.text("mutual information"));
            columns.add(ReportTable.Column.text("ranker"));
        }
        CodeSet book =
                CodeSet.read(runs.directory(cells(runs.baseline()).get(0)).codeBook());
        ReportTable table = new ReportTable(columns, List.of());
        for (String code : codes) {
            List<Object> row = new ArrayList<>(List.of(code, book.describe(code).orElse("")));
            runs.variants().forEach(variant -> row.add(written(top(variant, code))));
            if (marked.hasSpans()) {
                row.add(written(top(marked.annotatedTokens(code))));
            }
            planted.map(run -> TopTokens.read(run, code, TOKENS)).ifPresent(words -> {
                row.add(planted(words.byInformation()));
                row.add(planted(words.byRanker()));
            });
            table = table.row(row.toArray());
        }
        return table;
    }

    /** The first run that a ranker was planted in. */
    private Optional<RunDirectory> planted() {
        return runs.variants().stream()
                .map(variant -> runs.directory(cells(variant).get(0)))
                .filter(folder -> Files.exists(folder.ranker()))
                .findFirst();
    }

    private static String planted(List<TopTokens.TopToken> words) {
        return words.stream().map(TopTokens.TopToken::word).collect(Collectors.joining(", "));
    }

    private static String written(List<Map.Entry<String, Double>> words) {
        return words.stream().map(Map.Entry::getKey).collect(Collectors.joining(", "));
    }

    @Override
    public List<StudyResult> results() {
        List<StudyResult> results = new ArrayList<>(measured);
        for (String variant : runs.variants()) {
            for (String code : codes) {
                for (Map.Entry<String, Double> word : top(variant, code)) {
                    results.add(new StudyResult(
                            variant,
                            documents(variant),
                            Optional.of(code),
                            OptionalLong.empty(),
                            "weight of " + word.getKey(),
                            word.getValue(),
                            OptionalDouble.empty(),
                            OptionalDouble.empty(),
                            OptionalDouble.empty(),
                            OptionalDouble.empty()));
                }
            }
        }
        return results;
    }

    @Override
    public void report(ReportPage page) {
        page.section("Words a code");
        page.table(
                "The " + TOKENS + " words of most weight, over the " + runs.split() + " documents with the code.",
                words());
        if (!marked.hasSpans()) {
            page.paragraphs("The corpus marks no evidence, so there is nothing to compare these words with.");
            return;
        }
        page.section("Against what humans marked")
                .table(
                        String.format(
                                Locale.ROOT,
                                "Token by token, mean over %,d pairs of document and code; 95 %% bootstrap intervals over documents.",
                                pairs()),
                        plausibility())
                .paragraphs(
                        "Codes are the gold ones that every variant knows. AUPRC judges the weights of all tokens, the "
                                + "others the spans that are shown. Seeds are averaged pair by pair. p: against "
                                + runs.baseline() + ", by approximate randomization over documents.")
                .charts(chart());
    }

    private String chart() {
        List<String> shown = List.of(AUPRC, F1);
        BarChart chart = BarChart.titled("Evidence that humans marked", shown).yLabel("token by token");
        for (String giver : evidence.keySet()) {
            List<StudyResult> of = measured.stream()
                    .filter(result -> result.variant().equals(giver) && shown.contains(result.metric()))
                    .toList();
            chart.bars(
                    giver,
                    of.stream().mapToDouble(StudyResult::value).toArray(),
                    of.stream().mapToDouble(r -> r.low().orElse(Double.NaN)).toArray(),
                    of.stream().mapToDouble(r -> r.high().orElse(Double.NaN)).toArray());
        }
        return chart.toSvg();
    }
}
