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
import org.plant4j.Progress;
import org.plant4j.corpus.CodeBook;
import org.plant4j.eval.BarChart;
import org.plant4j.eval.Bootstrap;
import org.plant4j.eval.Interval;
import org.plant4j.eval.Ratio;
import org.plant4j.eval.ReportPage;
import org.plant4j.eval.Table;
import org.plant4j.explain.Plausibility;
import org.plant4j.predict.CodeWords;
import org.plant4j.predict.RunFolder;
import org.plant4j.text.Labels;
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

    private final Runs runs;
    private final MarkedDocuments marked;
    private final List<String> codes;
    private final Map<String, List<EvidenceOf>> evidence = new LinkedHashMap<>();
    private final List<Result> measured;

    private static Map<String, ToDoubleFunction<Plausibility>> metrics() {
        Map<String, ToDoubleFunction<Plausibility>> metrics = new LinkedHashMap<>();
        metrics.put(AUPRC, Plausibility::auprc);
        metrics.put(F1, Plausibility::f1);
        metrics.put("precision", Plausibility::precision);
        metrics.put("recall", Plausibility::recall);
        metrics.put("IoU", Plausibility::iou);
        return metrics;
    }

    Interpretability(Runs runs) {
        this.runs = runs;
        Set<String> known = new HashSet<>();
        List<Study.Cell> cells = runs.variants().stream()
                .flatMap(variant -> cells(variant).stream())
                .toList();
        for (Study.Cell cell : cells) {
            Labels labels = Labels.read(runs.folder(cell).labels());
            List<String> learned = labels.codes().subList(0, labels.size());
            if (cell.equals(cells.get(0))) {
                known.addAll(learned);
            } else {
                known.retainAll(new HashSet<>(learned));
            }
        }
        try (Tokenizer tokenizer = runs.folder(cells.get(0)).openTokenizer()) {
            marked = MarkedDocuments.of(cells.get(0).experiment(), runs.part(), known, tokenizer);
        }
        codes = runs.study().codes().isEmpty()
                ? marked.mostFrequent(CODES)
                : runs.study().codes();
        try (Progress.Task task = runs.progress().start("explain", cells.size())) {
            for (Study.Cell cell : cells) {
                evidence.computeIfAbsent(cell.variant(), variant -> new ArrayList<>())
                        .add(EvidenceOf.run(runs.folder(cell), cell.experiment().compute(), marked, Set.copyOf(codes)));
                task.advance(1);
            }
        }
        if (marked.haveSpans()) {
            evidence.put(RANDOM, List.of(EvidenceOf.random(marked)));
            evidence.put(EVERYTHING, List.of(EvidenceOf.everything(marked)));
        }
        measured = marked.haveSpans() ? measured() : List.of();
    }

    private List<Study.Cell> cells(String variant) {
        return runs.of(variant, runs.study().sizes().get(0));
    }

    @Override
    public String question() {
        return "Which words speak for a code, and are they those that humans marked?";
    }

    /** A measure's mean over pairs of document and code and over the seeds, by document so that it can be resampled. */
    private Ratio ratio(String giver, String metric) {
        ToDoubleFunction<Plausibility> measure = METRICS.getOrDefault(metric, Plausibility::auprc);
        List<EvidenceOf> seeds = evidence.getOrDefault(giver, List.of());
        int documents = marked.documents().size();
        double[] sums = new double[documents];
        double[] pairs = new double[documents];
        for (EvidenceOf seed : seeds) {
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
        return evidence.getOrDefault(runs.first(), List.of()).get(0).byDocument().stream()
                .mapToLong(List::size)
                .sum();
    }

    /** The words of most weight, over documents with the code and over the seeds. */
    private List<Map.Entry<String, Double>> top(String variant, String code) {
        Map<String, Double> sum = new HashMap<>();
        for (EvidenceOf seed : evidence.getOrDefault(variant, List.of())) {
            seed.words().getOrDefault(code, Map.of()).forEach((word, weight) -> sum.merge(word, weight, Double::sum));
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
    public Table table() {
        return marked.haveSpans() ? plausibility() : words();
    }

    private Table plausibility() {
        List<Table.Column> columns = new ArrayList<>(List.of(Table.Column.text("evidence of")));
        METRICS.keySet().forEach(metric -> {
            // Whoever shows everything recalls everything: that is not best.
            columns.add(metric.equals("recall") ? Table.Column.number(metric, 3) : Table.Column.highest(metric, 3));
            if (tested(metric)) {
                columns.add(Table.Column.text("p"));
            }
        });
        Table table = new Table(columns, List.of());
        for (Result result : measured) {
            if (result.metric().equals(AUPRC)) {
                List<Object> row = new ArrayList<>(List.of(result.variant()));
                for (Result each : measured) {
                    if (each.variant().equals(result.variant())) {
                        row.add(Table.Cell.of(
                                each.value(),
                                each.low().orElse(Double.NaN),
                                each.high().orElse(Double.NaN)));
                        if (tested(each.metric())) {
                            row.add(
                                    each.pValue().isPresent()
                                            ? Cells.p(each.pValue().getAsDouble())
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

    private List<Result> measured() {
        List<Result> results = new ArrayList<>();
        for (String giver : evidence.keySet()) {
            for (String metric : METRICS.keySet()) {
                Ratio ratio = ratio(giver, metric);
                Optional<Interval> interval = Optional.ofNullable(
                        new Bootstrap(1000, 0.95, 1).intervals(List.of(ratio)).get(metric));
                Result result = new Result(
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
                if (!giver.equals(runs.first())) {
                    Ratio first = ratio(runs.first(), metric);
                    result = result.against(
                            ratio.value() - first.value(), Runs.test().pValue(first, ratio));
                }
                results.add(result);
            }
        }
        return results;
    }

    private long documents(String giver) {
        return runs.variants().contains(giver)
                ? runs.documents(giver, runs.study().sizes().get(0))
                : 0;
    }

    private Table words() {
        List<Table.Column> columns = new ArrayList<>(List.of(Table.Column.text("code"), Table.Column.text("meaning")));
        runs.variants().forEach(variant -> columns.add(Table.Column.text(variant)));
        if (marked.haveSpans()) {
            columns.add(Table.Column.text("marked by humans"));
        }
        Optional<RunFolder> planted = planted();
        if (planted.isPresent()) {
            columns.add(Table.Column.text("mutual information"));
            columns.add(Table.Column.text("ranker"));
        }
        CodeBook book = CodeBook.read(runs.folder(cells(runs.first()).get(0)).codeBook());
        Table table = new Table(columns, List.of());
        for (String code : codes) {
            List<Object> row = new ArrayList<>(List.of(code, book.describe(code).orElse("")));
            runs.variants().forEach(variant -> row.add(written(top(variant, code))));
            if (marked.haveSpans()) {
                row.add(written(top(marked.markedWords(code))));
            }
            planted.map(run -> CodeWords.of(run, code, TOKENS)).ifPresent(words -> {
                row.add(planted(words.byInformation()));
                row.add(planted(words.byRanker()));
            });
            table = table.row(row.toArray());
        }
        return table;
    }

    /** The first run that a ranker was planted in. */
    private Optional<RunFolder> planted() {
        return runs.variants().stream()
                .map(variant -> runs.folder(cells(variant).get(0)))
                .filter(folder -> Files.exists(folder.ranker()))
                .findFirst();
    }

    private static String planted(List<CodeWords.Word> words) {
        return words.stream().map(CodeWords.Word::word).collect(Collectors.joining(", "));
    }

    private static String written(List<Map.Entry<String, Double>> words) {
        return words.stream().map(Map.Entry::getKey).collect(Collectors.joining(", "));
    }

    @Override
    public List<Result> results() {
        List<Result> results = new ArrayList<>(measured);
        for (String variant : runs.variants()) {
            for (String code : codes) {
                for (Map.Entry<String, Double> word : top(variant, code)) {
                    results.add(new Result(
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
                "The " + TOKENS + " words of most weight, over the " + runs.part() + " documents with the code.",
                words());
        if (!marked.haveSpans()) {
            page.prose("The corpus marks no evidence, so there is nothing to compare these words with.");
            return;
        }
        page.section("Against what humans marked")
                .table(
                        String.format(
                                Locale.ROOT,
                                "Token by token, mean over %,d pairs of document and code; 95 %% bootstrap intervals over documents.",
                                pairs()),
                        plausibility())
                .prose("Codes are the gold ones that every variant knows. AUPRC judges the weights of all tokens, the "
                        + "others the spans that are shown. Seeds are averaged pair by pair. p: against "
                        + runs.first() + ", by approximate randomization over documents.")
                .charts(chart());
    }

    private String chart() {
        List<String> shown = List.of(AUPRC, F1);
        BarChart chart = BarChart.titled("Evidence that humans marked", shown).y("token by token");
        for (String giver : evidence.keySet()) {
            List<Result> of = measured.stream()
                    .filter(result -> result.variant().equals(giver) && shown.contains(result.metric()))
                    .toList();
            chart.bars(
                    giver,
                    of.stream().mapToDouble(Result::value).toArray(),
                    of.stream().mapToDouble(r -> r.low().orElse(Double.NaN)).toArray(),
                    of.stream().mapToDouble(r -> r.high().orElse(Double.NaN)).toArray());
        }
        return chart.toSvg();
    }
}
