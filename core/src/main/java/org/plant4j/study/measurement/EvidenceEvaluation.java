package org.plant4j.study.measurement;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.plant4j.Evidence;
import org.plant4j.Interval;
import org.plant4j.Progress;
import org.plant4j.Span;
import org.plant4j.UserError;
import org.plant4j.experiment.ExperimentFile;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.explain.EvidenceExtractor;
import org.plant4j.explain.Faithfulness;
import org.plant4j.explain.Plausibility;
import org.plant4j.model.Model;
import org.plant4j.model.output.EvidenceMethod;
import org.plant4j.model.output.Prediction;
import org.plant4j.model.output.PredictionRequest;
import org.plant4j.statistics.Bootstrap;
import org.plant4j.statistics.Ratio;
import org.plant4j.tensor.Compute;
import org.plant4j.text.LabelIndex;
import org.plant4j.text.Tokenizer;
import org.plant4j.text.Vocabulary;

/**
 * Measures the evidence of a trained model for each {@link EvidenceMethod}: its agreement with human annotations, its
 * faithfulness to the model, and its cost. The pairs of document and label are all gold pairs of the split with annotated
 * spans whose label the model knows, whether or not the model predicts the label.
 */
public final class EvidenceEvaluation {

    private static final Bootstrap BOOTSTRAP = new Bootstrap(1000, 0.95, 1);

    /**
     * What to measure.
     *
     * @param methods if empty, all methods of the model
     * @param documents size of a random sample of the annotated documents; 0 for all
     * @param faithfulness whether faithfulness is measured, which scores each document ten times per label
     */
    public record Settings(String split, List<EvidenceMethod> methods, int documents, long seed, boolean faithfulness) {
        public Settings {
            methods = List.copyOf(methods);
        }
    }

    /**
     * The measures of one method, means over pairs.
     *
     * @param isDefault whether the model uses this method by default
     * @param auprcInterval 95 % bootstrap interval over documents
     * @param milliseconds time to explain all gold labels of a document, with its encoding
     */
    public record Result(
            String run,
            String split,
            String method,
            boolean isDefault,
            int documents,
            Plausibility plausibility,
            Optional<Interval> auprcInterval,
            Optional<Faithfulness> faithfulness,
            double milliseconds) {}

    private final RunDirectory run;
    private final Settings settings;
    private final AnnotatedDocuments documents;
    private final Vocabulary vocabulary;
    private final LabelIndex labels;
    private final Model model;

    private EvidenceEvaluation(
            RunDirectory run,
            Settings settings,
            AnnotatedDocuments documents,
            Vocabulary vocabulary,
            LabelIndex labels,
            Model model) {
        this.run = run;
        this.settings = settings;
        this.documents = documents;
        this.vocabulary = vocabulary;
        this.labels = labels;
        this.model = model;
    }

    /** Evaluates the evidence of a run on a split of the corpus it was trained on. */
    public static List<Result> evaluate(RunDirectory run, Compute compute, Settings settings, Progress progress) {
        Vocabulary vocabulary = Vocabulary.read(run.vocabulary());
        LabelIndex labels = LabelIndex.read(run.labels());
        Set<String> known = new HashSet<>(labels.codes().subList(0, labels.size()));
        try (Tokenizer tokenizer = run.openTokenizer();
                Model model = run.modelConfig().load(run.path(), vocabulary.size(), labels, compute)) {
            AnnotatedDocuments documents = AnnotatedDocuments.read(
                            ExperimentFile.read(run.experiment(), List.of()), settings.split(), known, tokenizer)
                    .sampleAnnotated(settings.documents(), settings.seed());
            if (documents.documents().isEmpty()) {
                throw new UserError(
                        "No document of " + settings.split() + " has annotated evidence",
                        run.path().toString(),
                        "use a corpus with gold evidence, such as demo, codiesp-d or cantemist");
            }
            return new EvidenceEvaluation(run, settings, documents, vocabulary, labels, model).evaluate(progress);
        }
    }

    private List<Result> evaluate(Progress progress) {
        List<EvidenceMethod> methods = settings.methods().isEmpty() ? model.evidenceMethods() : settings.methods();
        for (EvidenceMethod method : methods) {
            if (!model.evidenceMethods().contains(method)) {
                throw new UserError(
                        "The model does not support the evidence method " + method.id(),
                        run.path().toString(),
                        "use one of: "
                                + String.join(
                                        ", ",
                                        model.evidenceMethods().stream()
                                                .map(EvidenceMethod::id)
                                                .toList()));
            }
        }
        explain(documents.documents().get(0), methods.get(0)); // warms up, so that the first method's time is no longer
        List<Result> results = new ArrayList<>();
        try (Progress.Task task = progress.start(
                "evidence", (long) methods.size() * documents.documents().size())) {
            for (EvidenceMethod method : methods) {
                task.message(method.id());
                results.add(evaluate(method, task));
            }
        }
        return results;
    }

    private Result evaluate(EvidenceMethod method, Progress.Task task) {
        int count = documents.documents().size();
        double[] sums = new double[count];
        double[] pairs = new double[count];
        List<Plausibility> plausibility = new ArrayList<>();
        List<Faithfulness> faithfulness = new ArrayList<>();
        long nanos = 0;
        for (int d = 0; d < count; d++) {
            AnnotatedDocuments.AnnotatedDocument document =
                    documents.documents().get(d);
            long start = System.nanoTime();
            float[][] weights = explain(document, method);
            nanos += System.nanoTime() - start;
            List<Plausibility> measured = plausibility(document, weights);
            sums[d] = measured.stream().mapToDouble(Plausibility::auprc).sum();
            pairs[d] = measured.size();
            plausibility.addAll(measured);
            if (settings.faithfulness()) {
                faithfulness.addAll(faithfulness(document, weights));
            }
            task.advance(1);
        }
        return new Result(
                run.name(),
                settings.split(),
                method.id(),
                method == model.evidenceMethods().get(0),
                count,
                Plausibility.mean(plausibility),
                Optional.ofNullable(BOOTSTRAP
                        .intervals(List.of(new Ratio("AUPRC", sums, pairs)))
                        .get("AUPRC")),
                faithfulness.isEmpty() ? Optional.empty() : Optional.of(Faithfulness.mean(faithfulness)),
                nanos / 1e6 / count);
    }

    /** The annotated codes of a document. */
    private static List<String> codes(AnnotatedDocuments.AnnotatedDocument document) {
        return List.copyOf(document.spans().keySet());
    }

    private float[][] explain(AnnotatedDocuments.AnnotatedDocument document, EvidenceMethod method) {
        int[] gold = labels.ids(codes(document)).toArray();
        return model.predict(
                        List.of(vocabulary.ids(document.tokens())),
                        PredictionRequest.evidence(gold).withEvidenceMethod(method))
                .get(0)
                .evidence();
    }

    private static List<Plausibility> plausibility(AnnotatedDocuments.AnnotatedDocument document, float[][] weights) {
        List<String> codes = codes(document);
        List<Plausibility> measured = new ArrayList<>();
        for (int i = 0; i < weights.length; i++) {
            List<Span> gold = document.spans().getOrDefault(codes.get(i), List.of());
            List<Span> shown =
                    EvidenceExtractor.standard().extract(weights[i], document.tokens(), document.text()).stream()
                            .map(Evidence::span)
                            .toList();
            Plausibility.of(document.tokens(), weights[i], shown, gold).ifPresent(measured::add);
        }
        return measured;
    }

    /** The scores of the document and of all its reductions are computed in common batches. */
    private List<Faithfulness> faithfulness(AnnotatedDocuments.AnnotatedDocument document, float[][] weights) {
        int[] tokens = vocabulary.ids(document.tokens());
        int[] gold = labels.ids(codes(document)).toArray();
        List<int[]> texts = new ArrayList<>(List.of(tokens));
        for (float[] ofLabel : weights) {
            texts.addAll(Faithfulness.reductions(tokens, ofLabel));
        }
        float[][] scores = model.predict(texts, PredictionRequest.scores().forPartsOf(tokens)).stream()
                .map(Prediction::scores)
                .toArray(float[][]::new);
        int perLabel = (texts.size() - 1) / weights.length;
        List<Faithfulness> measured = new ArrayList<>();
        for (int i = 0; i < weights.length; i++) {
            double[] reduced = new double[perLabel];
            for (int j = 0; j < perLabel; j++) {
                reduced[j] = scores[1 + i * perLabel + j][gold[i]];
            }
            measured.add(Faithfulness.of(scores[0][gold[i]], reduced));
        }
        return measured;
    }
}
