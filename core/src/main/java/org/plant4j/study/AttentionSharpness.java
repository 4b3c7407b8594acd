package org.plant4j.study;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.plant4j.Progress;
import org.plant4j.experiment.Experiment;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.model.Model;
import org.plant4j.model.output.Prediction;
import org.plant4j.model.output.PredictionRequest;
import org.plant4j.model.output.SharedViews;
import org.plant4j.report.ReportPage;
import org.plant4j.report.ReportTable;
import org.plant4j.study.measurement.AnnotatedDocuments;
import org.plant4j.text.LabelIndex;
import org.plant4j.text.Tokenizer;
import org.plant4j.text.Vocabulary;

/**
 * How concentrated a model's attention weights are (table 6 of the ISD paper): of its shared views, or of the evidence for a
 * document's gold labels if it has none.
 */
final class AttentionSharpness implements Analysis {

    private static final String DEVIATION = "standard deviation";
    private static final String EFFECTIVE_TOKENS = "effective tokens";

    /**
     * The concentration of attention weights over the tokens of a document.
     *
     * @param deviation the standard deviation of the weights; 0 for uniform weights
     * @param effectiveTokens the exponential of the entropy: the number of tokens that uniform weights of the same entropy
     *     would cover
     */
    record Sharpness(double deviation, double effectiveTokens) {

        /** The mean over rows of attention weights; rows without weight are skipped. */
        static Sharpness of(float[][] rows) {
            List<Sharpness> each = new ArrayList<>();
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
                if (sum > 0) {
                    each.add(new Sharpness(Math.sqrt(squares / row.length), Math.exp(entropy)));
                }
            }
            return mean(each);
        }

        static Sharpness mean(List<Sharpness> all) {
            double deviation = 0;
            double effectiveTokens = 0;
            for (Sharpness one : all) {
                deviation += one.deviation / all.size();
                effectiveTokens += one.effectiveTokens / all.size();
            }
            return new Sharpness(deviation, effectiveTokens);
        }
    }

    private final StudyRuns runs;
    private final Map<Study.PlannedRun, Sharpness> measured = new HashMap<>();
    private final MetricMatrix matrix;

    AttentionSharpness(StudyRuns runs) {
        this.runs = runs;
        int size = runs.firstSize();
        List<Study.PlannedRun> planned = runs.variants().stream()
                .flatMap(variant -> runs.runs(variant, size).stream())
                .toList();
        try (Progress.Task task = runs.progress().start("attention", planned.size())) {
            for (Study.PlannedRun run : planned) {
                measured.put(run, measure(runs.directory(run), run.experiment()));
                task.advance(1);
            }
        }
        this.matrix = new MetricMatrix(
                runs,
                List.of(new MeasurementGroup(
                        "all documents", Optional.empty(), size, this::value, (variant, metric) -> Optional.empty())));
    }

    private double value(Study.PlannedRun run, String metric) {
        Sharpness sharpness = Optional.ofNullable(measured.get(run)).orElseThrow();
        return metric.equals(DEVIATION) ? sharpness.deviation() : sharpness.effectiveTokens();
    }

    private Sharpness measure(RunDirectory directory, Experiment experiment) {
        Vocabulary vocabulary = Vocabulary.read(directory.vocabulary());
        LabelIndex labels = LabelIndex.read(directory.labels());
        AnnotatedDocuments documents;
        try (Tokenizer tokenizer = directory.openTokenizer()) {
            documents = AnnotatedDocuments.read(
                    experiment, runs.split(), new HashSet<>(labels.codes().subList(0, labels.size())), tokenizer);
        }
        List<Sharpness> each = new ArrayList<>();
        try (Model model = directory
                .modelConfig()
                .load(
                        directory.path(),
                        vocabulary.size(),
                        labels,
                        experiment.compute().open())) {
            for (AnnotatedDocuments.AnnotatedDocument document : documents.documents()) {
                int[] tokens = vocabulary.ids(document.tokens());
                if (tokens.length > 0) {
                    int[] gold = labels.ids(document.codes()).toArray();
                    Prediction prediction = model.predict(
                                    List.of(tokens),
                                    PredictionRequest.evidence(gold).withSharedViews())
                            .get(0);
                    each.add(Sharpness.of(
                            prediction.sharedViews().map(SharedViews::attention).orElse(prediction.evidence())));
                }
            }
        }
        return Sharpness.mean(each);
    }

    @Override
    public String question() {
        return "How concentrated are the attention weights of each variant?";
    }

    @Override
    public ReportTable table() {
        return matrix.table(List.of(
                MetricColumn.of(DEVIATION, ReportTable.Column.highest(DEVIATION, 6))
                        .withInterval(),
                MetricColumn.of(EFFECTIVE_TOKENS, ReportTable.Column.lowest(EFFECTIVE_TOKENS, 1))
                        .withInterval()));
    }

    @Override
    public List<StudyResult> results() {
        return matrix.results(List.of(DEVIATION, EFFECTIVE_TOKENS));
    }

    @Override
    public void report(ReportPage page) {
        page.section("Attention")
                .table(runs.caption(), table())
                .paragraphs(
                        "Standard deviation of the attention weights over the tokens of a document (0 for uniform "
                                + "weights), and the exponential of their entropy as the effective number of tokens. Means over "
                                + "documents and shared views; for models without shared views, over the gold labels of a document.");
    }
}
