package org.plant4j.study;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.plant4j.experiment.Experiment;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.model.Model;
import org.plant4j.model.Prediction;
import org.plant4j.model.PredictionRequest;
import org.plant4j.model.SharedViews;
import org.plant4j.report.ReportPage;
import org.plant4j.report.ReportTable;
import org.plant4j.support.Progress;
import org.plant4j.text.LabelIndex;
import org.plant4j.text.Tokenizer;
import org.plant4j.text.Vocabulary;

/**
 * How far a model's attention is from looking at all words alike (table 6 of the paper of ISD): the standard deviation of
 * its weights over a note's tokens. It looks at the shared views where there are such, else at the evidence of the codes
 * that the note has.
 */
final class AttentionSharpness implements Analysis {

    private static final String DEVIATION = "standard deviation";
    private static final String WORDS = "words in view";

    private final StudyRuns runs;
    private final Map<Study.PlannedRun, double[]> measured = new HashMap<>();

    AttentionSharpness(StudyRuns runs) {
        this.runs = runs;
        List<Study.PlannedRun> cells = runs.variants().stream()
                .flatMap(variant -> runs.runs(variant, size()).stream())
                .toList();
        try (Progress.Task task = runs.progress().start("attention", cells.size())) {
            for (Study.PlannedRun cell : cells) {
                measured.put(cell, measure(runs.directory(cell), cell.experiment()));
                task.advance(1);
            }
        }
    }

    private int size() {
        return runs.study().sizes().get(0);
    }

    private double[] measure(RunDirectory folder, Experiment experiment) {
        Vocabulary vocabulary = Vocabulary.read(folder.vocabulary());
        LabelIndex labels = LabelIndex.read(folder.labels());
        AnnotatedDocuments documents;
        try (Tokenizer tokenizer = folder.openTokenizer()) {
            documents = AnnotatedDocuments.of(
                    experiment, runs.split(), new HashSet<>(labels.codes().subList(0, labels.size())), tokenizer);
        }
        List<double[]> each = new ArrayList<>();
        try (Model model = folder.modelConfig()
                .load(
                        folder.path(),
                        vocabulary.size(),
                        labels,
                        experiment.compute().open())) {
            for (AnnotatedDocuments.AnnotatedDocument document : documents.documents()) {
                int[] words = vocabulary.ids(document.tokens());
                if (words.length > 0) {
                    Prediction prediction = model.predict(
                                    List.of(words),
                                    PredictionRequest.evidence(
                                                    labels.ids(document.codes()).toArray())
                                            .withSharedViews())
                            .get(0);
                    each.add(sharpness(
                            prediction.sharedViews().map(SharedViews::attention).orElse(prediction.evidence())));
                }
            }
        }
        return mean(each);
    }

    /** Standard deviation and number of words in view, the mean over rows that are distributions over tokens. */
    static double[] sharpness(float[][] rows) {
        List<double[]> each = new ArrayList<>();
        for (float[] row : rows) {
            double sum = 0;
            double squares = 0;
            double entropy = 0;
            for (float weight : row) {
                double excess = weight - 1.0 / row.length;
                sum += weight;
                squares += excess * excess;
                entropy -= weight > 0 ? weight * Math.log(weight) : 0;
            }
            if (sum > 0) { // else no word speaks for the code
                each.add(new double[] {Math.sqrt(squares / row.length), Math.exp(entropy)});
            }
        }
        return mean(each);
    }

    private static double[] mean(List<double[]> all) {
        double[] mean = new double[2];
        for (double[] one : all) {
            mean[0] += one[0] / all.size();
            mean[1] += one[1] / all.size();
        }
        return mean;
    }

    private double value(Study.PlannedRun cell, int which) {
        return Optional.ofNullable(measured.get(cell)).orElseThrow()[which];
    }

    @Override
    public String question() {
        return "How sharply does each variant look at the words of a note?";
    }

    @Override
    public ReportTable table() {
        ReportTable table = new ReportTable(
                List.of(
                        ReportTable.Column.text("variant"),
                        ReportTable.Column.highest(DEVIATION, 6),
                        ReportTable.Column.lowest(WORDS, 1)),
                List.of());
        for (String variant : runs.variants()) {
            table = table.row(
                    variant,
                    StudyFormats.of(runs.summary(variant, size(), cell -> value(cell, 0))),
                    StudyFormats.of(runs.summary(variant, size(), cell -> value(cell, 1))));
        }
        return table;
    }

    @Override
    public List<StudyResult> results() {
        List<StudyResult> results = new ArrayList<>();
        for (String variant : runs.variants()) {
            long documents = runs.trainingDocuments(variant, size());
            for (int i = 0; i < 2; i++) {
                int which = i;
                String metric = i == 0 ? DEVIATION : WORDS;
                for (Study.PlannedRun cell : runs.runs(variant, size())) {
                    results.add(StudyResult.of(
                            variant, documents, Optional.empty(), cell.seed(), metric, value(cell, which)));
                }
                results.add(StudyResult.of(
                        variant,
                        documents,
                        Optional.empty(),
                        metric,
                        runs.summary(variant, size(), cell -> value(cell, which))));
            }
        }
        return results;
    }

    @Override
    public void report(ReportPage page) {
        page.section("Attention")
                .table(runs.caption(), table())
                .paragraphs(
                        "The standard deviation of attention weights over a note's tokens, mean over the shared views (of "
                                + "a model without such: over the codes that the note has) and over notes; 0: all words weigh alike. "
                                + "Words in view: the exponential of the weights' entropy, as many as if the view looked at so "
                                + "many words alike.");
    }
}
