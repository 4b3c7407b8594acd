package org.plant4j.study;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.plant4j.Progress;
import org.plant4j.corpus.codeset.CodeSet;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.experiment.TopTokens;
import org.plant4j.report.ReportPage;
import org.plant4j.report.ReportTable;
import org.plant4j.study.measurement.AnnotatedDocuments;
import org.plant4j.study.measurement.EvidenceScores;
import org.plant4j.text.LabelIndex;
import org.plant4j.text.Tokenizer;

/**
 * The top tokens of each variant's evidence, and its agreement with human annotations if the corpus has them (table 8 of the
 * PLANT paper).
 */
final class Interpretability implements Analysis {

    private static final int CODES = 8;
    private static final int TOKENS = 5;
    private static final String RANDOM = "random weights";
    private static final String UNIFORM = "uniform weights";

    private final StudyRuns runs;
    private final AnnotatedDocuments documents;
    private final List<String> codes;
    private final Map<String, List<EvidenceScores>> evidence = new LinkedHashMap<>();
    private final Optional<PlausibilityScores> plausibility;

    Interpretability(StudyRuns runs) {
        this.runs = runs;
        List<Study.PlannedRun> planned = runs.variants().stream()
                .flatMap(variant -> runs.runs(variant, runs.firstSize()).stream())
                .toList();
        Study.PlannedRun first = planned.get(0);
        try (Tokenizer tokenizer = runs.directory(first).openTokenizer()) {
            documents = AnnotatedDocuments.read(first.experiment(), runs.split(), commonCodes(planned), tokenizer);
        }
        codes = runs.study().codes().isEmpty()
                ? documents.mostFrequent(CODES)
                : runs.study().codes();
        try (Progress.Task task = runs.progress().start("explain", planned.size())) {
            for (Study.PlannedRun run : planned) {
                evidence.computeIfAbsent(run.variant(), variant -> new ArrayList<>())
                        .add(EvidenceScores.ofRun(
                                runs.directory(run), run.experiment().compute(), documents, Set.copyOf(codes)));
                task.advance(1);
            }
        }
        plausibility = documents.hasSpans() ? Optional.of(plausibility()) : Optional.empty();
    }

    /** The codes within the label space of all runs. */
    private Set<String> commonCodes(List<Study.PlannedRun> planned) {
        Set<String> common = new HashSet<>();
        for (Study.PlannedRun run : planned) {
            LabelIndex labels = LabelIndex.read(runs.directory(run).labels());
            List<String> known = labels.codes().subList(0, labels.size());
            if (run.equals(planned.get(0))) {
                common.addAll(known);
            } else {
                common.retainAll(new HashSet<>(known));
            }
        }
        return common;
    }

    private PlausibilityScores plausibility() {
        Map<String, List<EvidenceScores>> withReferences = new LinkedHashMap<>(evidence);
        withReferences.put(RANDOM, List.of(EvidenceScores.random(documents)));
        withReferences.put(UNIFORM, List.of(EvidenceScores.uniform(documents)));
        return new PlausibilityScores(runs, withReferences);
    }

    @Override
    public String question() {
        return "Which tokens are the evidence for a label, and do they match human annotations?";
    }

    @Override
    public ReportTable table() {
        return plausibility.map(PlausibilityScores::table).orElseGet(this::tokenTable);
    }

    /** The tokens with the largest total weight over documents and seeds. */
    private List<Map.Entry<String, Double>> topTokens(String variant, String code) {
        Map<String, Double> sum = new HashMap<>();
        for (EvidenceScores seed : evidence.getOrDefault(variant, List.of())) {
            seed.tokenWeights()
                    .getOrDefault(code, Map.of())
                    .forEach((token, weight) -> sum.merge(token, weight, Double::sum));
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

    /** For each code and variant the n-gram around the token with the highest weight in any document. */
    private ReportTable phraseTable() {
        List<ReportTable.Column> columns = new ArrayList<>(List.of(ReportTable.Column.text("code")));
        runs.variants().forEach(variant -> columns.add(ReportTable.Column.text(variant)));
        ReportTable table = new ReportTable(columns, List.of());
        for (String code : codes) {
            List<Object> row = new ArrayList<>(List.of(code));
            runs.variants().forEach(variant -> row.add(bestPhrase(variant, code).orElse("")));
            table = table.row(row.toArray());
        }
        return table;
    }

    private Optional<String> bestPhrase(String variant, String code) {
        return evidence.getOrDefault(variant, List.of()).stream()
                .flatMap(seed -> seed.phrases().getOrDefault(code, Map.of()).entrySet().stream())
                .max(Map.Entry.<String, Double>comparingByValue()
                        .thenComparing(Map.Entry.comparingByKey(Comparator.reverseOrder())))
                .map(Map.Entry::getKey);
    }

    private ReportTable tokenTable() {
        List<ReportTable.Column> columns =
                new ArrayList<>(List.of(ReportTable.Column.text("code"), ReportTable.Column.text("description")));
        runs.variants().forEach(variant -> columns.add(ReportTable.Column.text(variant)));
        if (documents.hasSpans()) {
            columns.add(ReportTable.Column.text("annotated"));
        }
        Optional<RunDirectory> planted = plantedRun();
        if (planted.isPresent()) {
            columns.add(ReportTable.Column.text("mutual information"));
            columns.add(ReportTable.Column.text("ranker"));
        }
        RunDirectory first =
                runs.directory(runs.runs(runs.baseline(), runs.firstSize()).get(0));
        CodeSet codeSet = CodeSet.read(first.codeSet());
        ReportTable table = new ReportTable(columns, List.of());
        for (String code : codes) {
            List<Object> row =
                    new ArrayList<>(List.of(code, codeSet.describe(code).orElse("")));
            runs.variants().forEach(variant -> row.add(join(topTokens(variant, code))));
            if (documents.hasSpans()) {
                row.add(join(top(documents.annotatedTokens(code))));
            }
            planted.map(run -> TopTokens.read(run, code, TOKENS)).ifPresent(top -> {
                row.add(joinTokens(top.byMutualInformation()));
                row.add(joinTokens(top.byRanker()));
            });
            table = table.row(row.toArray());
        }
        return table;
    }

    /** The first run with a ranker. */
    private Optional<RunDirectory> plantedRun() {
        return runs.variants().stream()
                .map(variant ->
                        runs.directory(runs.runs(variant, runs.firstSize()).get(0)))
                .filter(directory -> directory.has(directory.ranker()))
                .findFirst();
    }

    private static String join(List<Map.Entry<String, Double>> tokens) {
        return tokens.stream().map(Map.Entry::getKey).collect(Collectors.joining(", "));
    }

    private static String joinTokens(List<TopTokens.TopToken> tokens) {
        return tokens.stream().map(TopTokens.TopToken::token).collect(Collectors.joining(", "));
    }

    @Override
    public List<StudyResult> results() {
        List<StudyResult> results =
                new ArrayList<>(plausibility.map(PlausibilityScores::results).orElse(List.of()));
        for (String variant : runs.variants()) {
            long trainingDocuments = runs.trainingDocuments(variant, runs.firstSize());
            for (String code : codes) {
                topTokens(variant, code)
                        .forEach(token -> results.add(StudyResult.of(
                                        variant, trainingDocuments, "weight of " + token.getKey(), token.getValue())
                                .inGroup(Optional.of(code))));
            }
        }
        return results;
    }

    @Override
    public void report(ReportPage page) {
        page.section("Top tokens per label")
                .table(
                        "The " + TOKENS + " tokens with the largest total weight in the " + runs.split()
                                + " documents of each label",
                        tokenTable());
        page.section("N-grams per label")
                .table("The five tokens around the one with the highest weight in any document", phraseTable());
        if (plausibility.isEmpty()) {
            page.paragraphs("The corpus has no evidence annotations to compare these tokens with.");
            return;
        }
        page.section("Agreement with annotated evidence")
                .table(
                        String.format(
                                Locale.ROOT,
                                "Per token, mean over %,d pairs of document and label, with 95 %% bootstrap intervals over documents",
                                plausibility.get().pairs()),
                        plausibility.get().table())
                .paragraphs(
                        "Labels are the gold labels that all variants can predict. AUPRC evaluates the weights of all "
                                + "tokens, the other metrics the extracted evidence spans. Seeds are averaged per pair. p: against "
                                + runs.baseline() + ", by approximate randomization over documents.")
                .charts(plausibility.get().chart());
    }
}
