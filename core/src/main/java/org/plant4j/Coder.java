package org.plant4j;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.plant4j.calibration.Band;
import org.plant4j.calibration.Calibration;
import org.plant4j.context.ContextProfile;
import org.plant4j.context.MentionContext;
import org.plant4j.corpus.Document;
import org.plant4j.corpus.codeset.CodeSet;
import org.plant4j.corpus.file.TextFiles;
import org.plant4j.domain.DomainCheck;
import org.plant4j.domain.DomainGuard;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.explain.EvidenceExtractor;
import org.plant4j.metric.Thresholds;
import org.plant4j.metric.TopK;
import org.plant4j.model.Model;
import org.plant4j.model.output.Prediction;
import org.plant4j.model.output.PredictionRequest;
import org.plant4j.prediction.ChosenView;
import org.plant4j.prediction.CodingResult;
import org.plant4j.prediction.Evidence;
import org.plant4j.prediction.Explanation;
import org.plant4j.prediction.RankedCode;
import org.plant4j.prediction.Suggestion;
import org.plant4j.support.Arguments;
import org.plant4j.support.DidYouMean;
import org.plant4j.support.UserError;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.Precision;
import org.plant4j.text.LabelIndex;
import org.plant4j.text.TokenizedText;
import org.plant4j.text.Tokenizer;
import org.plant4j.text.Vocabulary;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Suggests codes for texts with the model of a run, ranked and with their evidence.
 *
 * <pre>{@code
 * try (Coder coder = Coder.load(Path.of("runs/laat@demo"))) {
 *     CodingResult result = coder.code(text);
 *     result.domain().notice().ifPresent(System.out::println); // the text does not resemble the training documents
 *     for (Suggestion suggestion : result.suggestions()) {
 *         System.out.printf("%s %s %.2f%n", suggestion.band(), suggestion.code(), suggestion.probability());
 *     }
 * }
 * }</pre>
 *
 * <p>Safe for use by several threads. Methods that use the model throw {@link IllegalStateException} after {@link
 * #close}, {@link NullPointerException} for a null text, {@link IllegalArgumentException} for a number of codes below 1,
 * and {@link UserError} for a text of more than {@link Document#MAX_CHARACTERS} characters or {@link #MAX_TOKENS} tokens.
 */
public final class Coder implements AutoCloseable {

    /** The default number of codes per text. */
    public static final int DEFAULT_CODES = 15;

    /**
     * The largest number of tokens of a text. Ordinary texts of the largest number of characters have fewer, but a text of
     * single letters would need several times the memory.
     */
    public static final int MAX_TOKENS = 250_000;

    private static final Logger LOG = LoggerFactory.getLogger(Coder.class);

    private final Tokenizer tokenizer;
    private final EvidenceExtractor extractor = EvidenceExtractor.standard();
    private final ContextProfile contextProfile;
    private final Vocabulary vocabulary;
    private final LabelIndex labels;
    private final CodeSet codeSet;
    private final Thresholds thresholds;
    private final Calibration calibration;
    private final Optional<DomainGuard> guard;
    private final Model model;
    private final ReadWriteLock lock = new ReentrantReadWriteLock();
    private boolean closed;

    private Coder(
            Tokenizer tokenizer,
            Vocabulary vocabulary,
            LabelIndex labels,
            CodeSet codeSet,
            Thresholds thresholds,
            Calibration calibration,
            Optional<DomainGuard> guard,
            ContextProfile contextProfile,
            Model model) {
        this.tokenizer = tokenizer;
        this.vocabulary = vocabulary;
        this.labels = labels;
        this.codeSet = codeSet;
        this.thresholds = thresholds;
        this.calibration = calibration;
        this.guard = guard;
        this.contextProfile = contextProfile;
        this.model = model;
    }

    /** Loads a run, onto a GPU if one is available. */
    public static Coder load(Path run) {
        return load(run, "auto", Precision.FLOAT32);
    }

    /** Throws a {@link UserError} that names the file if a file of the run is damaged. */
    public static Coder load(Path run, String device, Precision precision) {
        Objects.requireNonNull(run, "run");
        if (!Files.isDirectory(run)) {
            throw new UserError(
                    "There is no such run directory",
                    run.toString(),
                    "give a directory that `plant run` created, such as runs/laat@demo");
        }
        RunDirectory directory = RunDirectory.open(run);
        return load(directory, directory.openTokenizer(), device, precision);
    }

    /** Takes ownership of the tokenizer and closes it if loading fails. */
    static Coder load(RunDirectory directory, Tokenizer tokenizer, String device, Precision precision) {
        try {
            directory.require(directory.vocabulary(), directory.labels(), directory.codeSet(), directory.thresholds());
            var config = directory.modelConfig();
            Vocabulary vocabulary = Vocabulary.read(directory.vocabulary());
            LabelIndex labels = LabelIndex.read(directory.labels());
            Thresholds thresholds = thresholds(directory, labels);
            // A run can predict after its first epoch, but is calibrated only when it is evaluated.
            Calibration calibration = directory.has(directory.calibration())
                    ? directory.readCalibration()
                    : Calibration.none(thresholds.global());
            CodeSet codeSet = CodeSet.read(directory.codeSet());
            Optional<DomainGuard> guard = directory.readDomain().map(profile -> new DomainGuard(vocabulary, profile));
            ContextProfile contextProfile = directory.readContextProfile();
            warnIfIncomplete(directory, calibration, guard);
            Compute compute = Compute.of(device, precision);
            Model model = config.load(directory.path(), vocabulary.size(), labels, compute);
            if (model.labels() != labels.size()) {
                model.close();
                throw new UserError(
                        "The model has " + model.labels() + " labels, but the run lists " + labels.size(),
                        directory.path().toString(),
                        "run the experiment again");
            }
            return new Coder(
                    tokenizer, vocabulary, labels, codeSet, thresholds, calibration, guard, contextProfile, model);
        } catch (RuntimeException | Error e) {
            tokenizer.close();
            throw e;
        }
    }

    /** Earlier versions wrote runs without these files, and a run that was stopped may lack them. */
    private static void warnIfIncomplete(RunDirectory directory, Calibration calibration, Optional<DomainGuard> guard) {
        if (guard.isEmpty()) {
            LOG.warn(
                    "{} has no guard: texts that do not resemble the training documents are not detected."
                            + " Add it with: plant domain {}",
                    directory.path(),
                    directory.path());
        }
        if (!calibration.fitted()) {
            LOG.warn(
                    "{} is not calibrated: probabilities are scores, and no code is suggested."
                            + " Calibrate it with: plant evaluate {}",
                    directory.path(),
                    directory.path());
        }
    }

    private static Thresholds thresholds(RunDirectory directory, LabelIndex labels) {
        Thresholds thresholds = directory.readThresholds();
        int count = thresholds.perLabel().length;
        if (count > 0 && count != labels.size()) {
            throw new UserError(
                    "There are thresholds for " + count + " codes, but the run lists " + labels.size(),
                    directory.thresholds().toString(),
                    "copy the complete directory of one run, or run the experiment again");
        }
        return thresholds;
    }

    /** The codes with the highest scores, best first, each with its evidence. */
    public CodingResult code(String text) {
        return code(text, DEFAULT_CODES);
    }

    public CodingResult code(String text, int codes) {
        checkText(text);
        return code(List.of(text), codes).get(0);
    }

    private static void checkText(String text) {
        if (Objects.requireNonNull(text, "text").length() > Document.MAX_CHARACTERS) {
            throw TextFiles.tooLong(Document.MAX_CHARACTERS, "text");
        }
    }

    private TokenizedText tokenize(String text) {
        TokenizedText tokens = tokenizer.tokenize(text);
        if (tokens.size() > MAX_TOKENS) {
            throw new UserError(
                    String.format(Locale.ROOT, "The document has more than %,d tokens", MAX_TOKENS),
                    "text",
                    "split it into several documents");
        }
        return tokens;
    }

    /** Runs an action that uses native memory, which {@link #close} releases. */
    private <T> T whileOpen(Supplier<T> action) {
        lock.readLock().lock();
        try {
            if (closed) {
                throw new IllegalStateException("the coder is closed");
            }
            return action.get();
        } finally {
            lock.readLock().unlock();
        }
    }

    /** Codes several texts in batches. */
    public List<CodingResult> code(List<String> texts, int codes) {
        return code(texts, codes, codes);
    }

    /**
     * Codes several texts, with evidence for the first {@code explained} codes of each, and for further codes that only
     * their evidence could move from the band {@code suggest} to {@code review}: bands do not depend on {@code explained}.
     */
    public List<CodingResult> code(List<String> texts, int codes, int explained) {
        texts.forEach(Coder::checkText);
        Arguments.atLeast(1, "codes", codes);
        Arguments.atLeast(0, "explained", explained);
        return whileOpen(() -> predict(texts, codes, explained));
    }

    private List<CodingResult> predict(List<String> texts, int codes, int explained) {
        List<TokenizedText> tokens = texts.stream().map(this::tokenize).toList();
        List<Prediction> predictions = model.predict(
                tokens.stream().map(vocabulary::ids).toList(),
                PredictionRequest.evidenceFor(scores -> labelsToExplain(scores, codes, explained)));
        return IntStream.range(0, texts.size())
                .mapToObj(i -> result(texts.get(i), tokens.get(i), predictions.get(i), codes))
                .toList();
    }

    private int[] labelsToExplain(float[] scores, int codes, int explained) {
        int[] ranked = TopK.indices(scores, codes);
        int count = Math.min(explained, ranked.length);
        while (count < ranked.length
                && calibration.band(calibration.probability(scores[ranked[count]])) == Band.SUGGEST) {
            count++;
        }
        return Arrays.copyOf(ranked, count);
    }

    private CodingResult result(String text, TokenizedText tokens, Prediction prediction, int codes) {
        DomainCheck domain = checkDomain(vocabulary.ids(tokens));
        int[] ranked = TopK.indices(prediction.scores(), codes);
        float[][] weights = prediction.evidence();
        MentionContext context = MentionContext.of(text);
        List<Suggestion> suggestions = IntStream.range(0, ranked.length)
                .mapToObj(i -> suggestion(
                        domain,
                        ranked[i],
                        prediction.scores()[ranked[i]],
                        i < weights.length ? context.annotate(extractor.extract(weights[i], tokens, text)) : List.of()))
                .toList();
        return new CodingResult(domain, suggestions);
    }

    private Suggestion suggestion(DomainCheck domain, int label, double score, List<Evidence> evidence) {
        double probability = calibration.probability(score);
        Suggestion suggestion = new Suggestion(
                labels.code(label),
                description(labels.code(label)),
                score,
                probability,
                calibration.band(probability),
                score >= thresholds.threshold(label),
                contextProfile.annotate(labels.code(label), evidence));
        if (!domain.inDomain()) {
            return suggestion.forReview();
        }
        return suggestion.contradicted() ? suggestion.notSuggested() : suggestion;
    }

    /** Explains a code, whether or not it is suggested. */
    public Explanation explain(String text, String code) {
        Objects.requireNonNull(code, "code");
        return explain(text, List.of(code)).get(0);
    }

    /** Explains several codes of a text. */
    public List<Explanation> explain(String text, List<String> codes) {
        return explain(
                text,
                PredictionRequest.evidence(codes.stream().mapToInt(this::label).toArray())
                        .withScores());
    }

    /** Explains the codes with the highest scores. */
    public List<Explanation> explain(String text, int codes) {
        Arguments.atLeast(1, "codes", codes);
        return explain(text, PredictionRequest.evidenceFor(scores -> TopK.indices(scores, codes)));
    }

    private List<Explanation> explain(String text, PredictionRequest request) {
        checkText(text);
        return whileOpen(() -> explanations(text, request));
    }

    private List<Explanation> explanations(String text, PredictionRequest request) {
        TokenizedText tokens = tokenize(text);
        int[] ids = vocabulary.ids(tokens);
        DomainCheck domain = checkDomain(ids);
        Prediction prediction = predict(ids, request);
        int[] explained = prediction.labels();
        MentionContext context = MentionContext.of(text);
        return IntStream.range(0, explained.length)
                .mapToObj(i -> new Explanation(
                        domain,
                        suggestion(
                                domain,
                                explained[i],
                                prediction.scores()[explained[i]],
                                context.annotate(extractor.extract(prediction.evidence()[i], tokens, text))),
                        descriptionEvidence(
                                labels.code(explained[i]),
                                prediction.descriptionEvidence().get(i)),
                        prediction.sharedViews().map(views -> ChosenView.of(views, i, tokens))))
                .toList();
    }

    private Prediction predict(int[] document, PredictionRequest request) {
        return model.predict(
                        List.of(document), request.withDescriptionEvidence().withSharedViews())
                .get(0);
    }

    /** The model may have read only the first tokens of a long description. */
    private List<Evidence> descriptionEvidence(String code, float[] weights) {
        if (weights.length == 0) {
            return List.of();
        }
        String description = description(code);
        TokenizedText tokens = tokenizer.tokenize(description);
        return extractor.extract(Arrays.copyOf(weights, tokens.size()), tokens, description);
    }

    private int label(String code) {
        int label = labels.id(code)
                .orElseThrow(() -> new UserError(
                        "The model has no code " + code,
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

    /** Whether the model attends to descriptions, so that explanations have evidence in them. */
    public boolean hasDescriptionEvidence() {
        return whileOpen(() -> predict(new int[0], PredictionRequest.evidence(0)))
                        .descriptionEvidence()
                        .get(0)
                        .length
                > 0;
    }

    /** Whether the model has attention views that all codes share. */
    public boolean hasSharedViews() {
        return whileOpen(() -> predict(new int[0], PredictionRequest.evidence(0)))
                .sharedViews()
                .isPresent();
    }

    /** The scores of all labels for each text, by label id: (texts, L). */
    public float[][] score(List<String> texts) {
        texts.forEach(Coder::checkText);
        return whileOpen(() -> model.score(
                texts.stream().map(text -> vocabulary.ids(tokenize(text))).toList()));
    }

    /** The codes with the highest scores, best first, without evidence. */
    public List<List<RankedCode>> rank(List<String> texts, int codes) {
        Arguments.atLeast(1, "codes", codes);
        float[][] scores = score(texts);
        List<List<RankedCode>> ranked = new ArrayList<>();
        for (float[] row : scores) {
            ranked.add(IntStream.of(TopK.indices(row, codes))
                    .mapToObj(label -> new RankedCode(labels.code(label), row[label]))
                    .toList());
        }
        return ranked;
    }

    /** The description of a code or of its nearest ancestor; empty if the code set has neither. */
    public String description(String code) {
        return codeSet.describe(code).orElse("");
    }

    /**
     * Whether a text resembles the training documents; out of domain, no code is suggested. Without a guard, as in runs
     * evaluated by earlier versions, every text with words is in domain.
     */
    public DomainCheck checkDomain(String text) {
        return checkDomain(ids(text));
    }

    private int[] ids(String text) {
        checkText(text);
        return whileOpen(() -> vocabulary.ids(tokenize(text)));
    }

    private DomainCheck checkDomain(int[] tokens) {
        return tokens.length == 0
                ? DomainCheck.NO_WORDS
                : guard.map(each -> each.check(tokens)).orElse(DomainCheck.IN_DOMAIN);
    }

    /** Whether the run has a guard, which detects texts that do not resemble the training documents. */
    public boolean hasGuard() {
        return guard.isPresent();
    }

    /** How well a text fits the training documents: below 0 out of domain, 1 typical; empty without a guard. */
    public OptionalDouble domainScore(String text) {
        int[] tokens = ids(text);
        return guard.map(each -> OptionalDouble.of(each.score(tokens))).orElse(OptionalDouble.empty());
    }

    public Vocabulary vocabulary() {
        return vocabulary;
    }

    /** The codes of the run and their label ids. */
    public LabelIndex labels() {
        return labels;
    }

    public CodeSet codeSet() {
        return codeSet;
    }

    /** Maps scores to probabilities and bands; {@link Calibration#fitted} is false for a run that is not calibrated. */
    public Calibration calibration() {
        return calibration;
    }

    /** The score from which a code is predicted. */
    public double threshold(String code) {
        return thresholds.threshold(label(code));
    }

    /** The codes that the model scores. */
    public Set<String> codes() {
        return Set.copyOf(labels.codes().subList(0, labels.size()));
    }

    /** Waits for running calls and releases the memory of the model. Closing twice has no effect. */
    @Override
    public void close() {
        lock.writeLock().lock();
        try {
            if (!closed) {
                closed = true;
                model.close();
                tokenizer.close();
            }
        } finally {
            lock.writeLock().unlock();
        }
    }
}
