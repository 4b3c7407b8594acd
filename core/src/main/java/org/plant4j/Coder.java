package org.plant4j;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.plant4j.calibration.Calibration;
import org.plant4j.corpus.codeset.CodeSet;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.explain.EvidenceExtractor;
import org.plant4j.metric.Thresholds;
import org.plant4j.metric.TopK;
import org.plant4j.model.Model;
import org.plant4j.model.Prediction;
import org.plant4j.model.PredictionRequest;
import org.plant4j.prediction.ChosenView;
import org.plant4j.prediction.RankedCode;
import org.plant4j.prediction.Suggestion;
import org.plant4j.prediction.WeightedSpan;
import org.plant4j.support.DidYouMean;
import org.plant4j.support.UserError;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.Precision;
import org.plant4j.text.LabelIndex;
import org.plant4j.text.TokenizedText;
import org.plant4j.text.Tokenizer;
import org.plant4j.text.Vocabulary;

/**
 * Text in, ranked codes with their evidence out.
 *
 * <pre>{@code
 * try (Coder coder = Coder.load(Path.of("runs/demo-laat"))) {
 *     for (Suggestion suggestion : coder.code(note)) { … }
 * }
 * }</pre>
 *
 * <p>Safe for use by several threads.
 */
public final class Coder implements AutoCloseable {

    /** Codes listed for a text where no number is asked for: more than a coder reads, few enough to explain each. */
    public static final int DEFAULT_CODES = 15;

    private final Tokenizer tokenizer;
    private final EvidenceExtractor extractor = EvidenceExtractor.standard();
    private final Vocabulary vocabulary;
    private final LabelIndex labels;
    private final CodeSet codeBook;
    private final Thresholds thresholds;
    private final Calibration calibration;
    private final Model model;

    private Coder(
            Tokenizer tokenizer,
            Vocabulary vocabulary,
            LabelIndex labels,
            CodeSet codeBook,
            Thresholds thresholds,
            Calibration calibration,
            Model model) {
        this.tokenizer = tokenizer;
        this.vocabulary = vocabulary;
        this.labels = labels;
        this.codeBook = codeBook;
        this.thresholds = thresholds;
        this.calibration = calibration;
        this.model = model;
    }

    /** Loads a run, onto a GPU where there is one. */
    public static Coder load(Path run) {
        return load(run, "auto", Precision.FLOAT32);
    }

    public static Coder load(Path run, String device, Precision precision) {
        if (!Files.isDirectory(run)) {
            throw new UserError(
                    "There is no such run",
                    run.toString(),
                    "name a folder that `plant run` made, such as runs/demo-laat");
        }
        RunDirectory folder = new RunDirectory(run);
        return load(folder, folder.openTokenizer(), device, precision);
    }

    /** Takes the tokenizer over, and closes it where the rest cannot be loaded. */
    static Coder load(RunDirectory folder, Tokenizer tokenizer, String device, Precision precision) {
        try {
            var config = folder.modelConfig();
            Vocabulary vocabulary = Vocabulary.read(folder.vocabulary());
            LabelIndex labels = LabelIndex.read(folder.labels());
            Thresholds thresholds = thresholds(folder, labels);
            // A training that goes on can predict from its first epoch, but only evaluating calibrates.
            Calibration calibration = Files.exists(folder.calibration())
                    ? folder.readCalibration()
                    : Calibration.none(thresholds.common());
            CodeSet codeBook = CodeSet.read(folder.codeBook());
            Compute compute = Compute.of(device, precision);
            Model model = config.load(folder.path(), vocabulary.size(), labels, compute);
            if (model.labels() != labels.size()) {
                model.close();
                throw new UserError(
                        "The model knows " + model.labels() + " labels, the run lists " + labels.size(),
                        folder.path().toString(),
                        "run the experiment again");
            }
            return new Coder(tokenizer, vocabulary, labels, codeBook, thresholds, calibration, model);
        } catch (RuntimeException | Error e) {
            tokenizer.close();
            throw e;
        }
    }

    private static Thresholds thresholds(RunDirectory folder, LabelIndex labels) {
        Thresholds thresholds = folder.readThresholds();
        int each = thresholds.perLabel().length;
        if (each > 0 && each != labels.size()) {
            throw new UserError(
                    "There are thresholds for " + each + " codes, the run lists " + labels.size(),
                    folder.thresholds().toString(),
                    "copy the whole folder of one run, or run the experiment again");
        }
        return thresholds;
    }

    /** The best codes for a text, best first, each with its evidence. */
    public List<Suggestion> code(String text) {
        return code(text, DEFAULT_CODES);
    }

    public List<Suggestion> code(String text, int codes) {
        return code(List.of(text), codes).get(0);
    }

    /** Several texts at once, which is faster than one by one. */
    public List<List<Suggestion>> code(List<String> texts, int codes) {
        return code(texts, codes, codes);
    }

    /** Several texts, with evidence for the first {@code explained} codes of each only: evidence costs a second look. */
    public List<List<Suggestion>> code(List<String> texts, int codes, int explained) {
        List<TokenizedText> tokens = texts.stream().map(tokenizer::tokenize).toList();
        List<Prediction> predictions = model.predict(
                tokens.stream().map(vocabulary::ids).toList(),
                PredictionRequest.evidenceFor(scores -> TopK.indices(scores, Math.min(codes, explained))));
        return IntStream.range(0, texts.size())
                .mapToObj(i -> {
                    Prediction one = predictions.get(i);
                    return suggest(tokens.get(i), one.scores(), TopK.indices(one.scores(), codes), one.evidence());
                })
                .toList();
    }

    /** One code of a text with its evidence, however low it ranks. */
    public Suggestion explain(String text, String code) {
        int label = label(code);
        TokenizedText tokens = tokenizer.tokenize(text);
        Prediction prediction = model.predict(
                        List.of(vocabulary.ids(tokens)),
                        PredictionRequest.evidence(label).withScores())
                .get(0);
        return suggest(tokens, prediction.scores(), prediction.labels(), prediction.evidence())
                .get(0);
    }

    /** The view of the text that a code chose; none where the model's codes share no views. */
    public Optional<ChosenView> chosenView(String text, String code) {
        TokenizedText tokens = tokenizer.tokenize(text);
        return model.predict(
                        List.of(vocabulary.ids(tokens)),
                        PredictionRequest.evidence(label(code)).withSharedViews())
                .get(0)
                .sharedViews()
                .map(views -> ChosenView.of(views, tokens));
    }

    private int label(String code) {
        int label = labels.id(code)
                .orElseThrow(() -> new UserError(
                        "The run does not know code " + code,
                        "labels of the run",
                        DidYouMean.remedy(code, labels.codes().subList(0, Math.min(labels.size(), 5000)))));
        if (label >= labels.size()) {
            throw new UserError(
                    "Code " + code + " never occurred in training, so the model cannot score it",
                    "labels of the run",
                    "add training documents with this code");
        }
        return label;
    }

    /**
     * For each of the codes the words of its description that spoke for it, found in the text; none where the model reads no
     * descriptions. Costs a look at the text, so that it is asked for by itself.
     */
    public List<List<WeightedSpan>> descriptionEvidence(String text, List<String> codes) {
        int[] asked = codes.stream().mapToInt(this::label).toArray();
        List<float[]> weights = model.predict(
                        List.of(vocabulary.ids(tokenizer.tokenize(text))),
                        PredictionRequest.evidence(asked).withDescriptionEvidence())
                .get(0)
                .descriptionEvidence();
        return IntStream.range(0, asked.length)
                .mapToObj(i -> descriptionSpans(description(codes.get(i)), weights.get(i)))
                .toList();
    }

    /** Whether {@link #descriptionEvidence} has anything to tell: the model says so of an empty text too. */
    public boolean hasDescriptionEvidence() {
        return model.predict(List.of(new int[0]), PredictionRequest.evidence(0).withDescriptionEvidence())
                        .get(0)
                        .descriptionEvidence()
                        .get(0)
                        .length
                > 0;
    }

    /** Of a long description the model read the beginning. */
    private List<WeightedSpan> descriptionSpans(String description, float[] weights) {
        TokenizedText tokens = tokenizer.tokenize(description);
        return extractor.extract(Arrays.copyOf(weights, tokens.size()), tokens);
    }

    /** The ranked labels, the first of them with evidence. */
    private List<Suggestion> suggest(TokenizedText tokens, float[] scores, int[] ranked, float[][] weights) {
        return IntStream.range(0, ranked.length)
                .mapToObj(i -> {
                    int label = ranked[i];
                    List<WeightedSpan> evidence =
                            i < weights.length ? extractor.extract(weights[i], tokens) : List.of();
                    double probability = calibration.probability(scores[label]);
                    return new Suggestion(
                            labels.code(label),
                            description(labels.code(label)),
                            scores[label],
                            probability,
                            calibration.band(probability),
                            scores[label] >= thresholds.threshold(label),
                            evidence);
                })
                .toList();
    }

    /** Codes with their scores, best first and without evidence: for submissions and batch work. */
    public List<List<RankedCode>> rank(List<String> texts, int codes) {
        float[][] scores = model.score(texts.stream()
                .map(text -> vocabulary.ids(tokenizer.tokenize(text)))
                .toList());
        List<List<RankedCode>> ranked = new ArrayList<>();
        for (float[] row : scores) {
            ranked.add(IntStream.of(TopK.indices(row, codes))
                    .mapToObj(label -> new RankedCode(labels.code(label), row[label]))
                    .toList());
        }
        return ranked;
    }

    /** The meaning of a code, or of its nearest ancestor; empty where the book knows neither. */
    public String description(String code) {
        return codeBook.describe(code).orElse("");
    }

    /** The share of a text's words, or pieces of words, that the model met in training. */
    public double vocabularyCoverage(String text) {
        int[] words = vocabulary.ids(tokenizer.tokenize(text));
        long known = Arrays.stream(words)
                .filter(word -> word != Vocabulary.UNKNOWN && vocabulary.count(word) > 0)
                .count();
        return (double) known / Math.max(1, words.length);
    }

    /** The words the model knows. */
    public Vocabulary vocabulary() {
        return vocabulary;
    }

    /** The codes of the run with their ids. */
    public LabelIndex labels() {
        return labels;
    }

    /** What the codes mean. */
    public CodeSet codeBook() {
        return codeBook;
    }

    /** How scores become probabilities, and what the bands hold of dev. */
    public Calibration calibration() {
        return calibration;
    }

    /** The codes the model can give. */
    public Set<String> codes() {
        return Set.copyOf(labels.codes().subList(0, labels.size()));
    }

    @Override
    public void close() {
        model.close();
        tokenizer.close();
    }
}
