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
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.plant4j.calibration.Calibration;
import org.plant4j.context.ContextProfile;
import org.plant4j.context.MentionContext;
import org.plant4j.corpus.codeset.CodeSet;
import org.plant4j.corpus.file.TextFiles;
import org.plant4j.domain.DomainGuard;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.explain.EvidenceExtractor;
import org.plant4j.explain.ViewTokens;
import org.plant4j.metric.TopK;
import org.plant4j.model.Model;
import org.plant4j.model.output.Prediction;
import org.plant4j.model.output.PredictionRequest;
import org.plant4j.pretrained.PackedModel;
import org.plant4j.pretrained.PretrainedModels;
import org.plant4j.support.Arguments;
import org.plant4j.support.DidYouMean;
import org.plant4j.tensor.Engine;
import org.plant4j.tensor.ThreadShare;
import org.plant4j.text.LabelIndex;
import org.plant4j.text.TokenizedText;
import org.plant4j.text.Tokenizer;
import org.plant4j.text.Vocabulary;

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

    private Coder(LoadedRun run) {
        this.tokenizer = run.tokenizer();
        this.vocabulary = run.vocabulary();
        this.labels = run.labels();
        this.codeSet = run.codeSet();
        this.thresholds = run.thresholds();
        this.calibration = run.calibration();
        this.guard = run.guard();
        this.contextProfile = run.contextProfile();
        this.model = run.model();
    }

    /**
     * Loads a run onto a GPU if one is available, otherwise onto the CPU. See {@link Builder#load}.
     *
     * @param run the run directory, or the file of a packed model
     * @return the coder, which the caller closes
     */
    public static Coder load(Path run) {
        return builder(run).load();
    }

    /**
     * Loads a pretrained model of the class path, such as {@code codiesp-d} of the artifact {@code plant4j-model-codiesp-d},
     * onto a GPU if one is available, otherwise onto the CPU. See {@link Builder#load}.
     *
     * @param name the name of the model
     * @return the coder, which the caller closes
     */
    public static Coder pretrained(String name) {
        return builder(name).load();
    }

    /**
     * Starts to load a run with options.
     *
     * @param run the run directory, or the file of a packed model
     * @return a builder
     */
    public static Builder builder(Path run) {
        Objects.requireNonNull(run, "run");
        return new Builder(() -> open(run));
    }

    /**
     * Starts to load a pretrained model of the class path with options.
     *
     * @param name the name of the model
     * @return a builder
     */
    public static Builder builder(String name) {
        Objects.requireNonNull(name, "name");
        return new Builder(() -> PretrainedModels.get(name).unpack());
    }

    private static RunDirectory open(Path run) {
        if (PackedModel.isFile(run)) {
            return PackedModel.of(run).unpack();
        }
        if (!Files.isDirectory(run)) {
            throw new UserError(
                    "There is no such run directory",
                    run.toString(),
                    "give a directory that Training or `plant run` created, such as runs/laat@demo");
        }
        return RunDirectory.open(run);
    }

    /**
     * The options of a {@link Coder}.
     *
     * <pre>{@code
     * Coder coder = Coder.builder(Path.of("runs/mine")).device(Device.CPU).threads(2).load();
     * }</pre>
     */
    public static final class Builder {

        private final Supplier<RunDirectory> run;
        private Device device = Device.AUTO;
        private Precision precision = Precision.FLOAT32;
        private int threads;

        private Builder(Supplier<RunDirectory> run) {
            this.run = run;
        }

        /**
         * The device; by default {@link Device#AUTO}.
         *
         * @param value the new value
         * @return this builder
         */
        public Builder device(Device value) {
            device = Objects.requireNonNull(value, "device");
            return this;
        }

        /**
         * The precision; by default {@link Precision#FLOAT32}.
         *
         * @param value the new value
         * @return this builder
         */
        public Builder precision(Precision value) {
            precision = Objects.requireNonNull(value, "precision");
            return this;
        }

        /**
         * The number of CPU threads; by default one per core. Calls at the same time share them, and each has at least one.
         * Applies to all models of the process.
         *
         * @param value the new value
         * @return this builder
         * @throws IllegalArgumentException if the number is below 1
         */
        public Builder threads(int value) {
            threads = Arguments.atLeast(1, "threads", value);
            return this;
        }

        /**
         * Loads the model.
         *
         * @return the coder, which the caller closes
         * @throws UserError if there is no such run or model, if one of its files is missing or damaged, or if the device or the
         *     native libraries are not available
         */
        public Coder load() {
            RunDirectory directory = run.get();
            LoadedRun loaded = LoadedRun.load(directory, directory.openTokenizer(), device, precision);
            if (threads > 0 && Engine.isAvailable()) { // linear models do not need it
                Engine.setThreads(threads);
            }
            return new Coder(loaded);
        }
    }

    /**
     * The codes with the highest scores, best first, each with its evidence.
     *
     * @param text the text to code
     * @return the result
     */
    public CodingResult code(String text) {
        return code(text, DEFAULT_CODES);
    }

    /**
     * The given number of codes with the highest scores, best first, each with its evidence.
     *
     * @param text the text to code
     * @param codes the number of codes per text
     * @return the result
     */
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

    /** Runs an action that uses native memory, which {@link #close} releases; concurrent ones share the CPU threads. */
    private <T> T whileOpen(Supplier<T> action) {
        lock.readLock().lock();
        try {
            if (closed) {
                throw new IllegalStateException("the coder is closed");
            }
            try (ThreadShare share = ThreadShare.open()) {
                return action.get();
            }
        } finally {
            lock.readLock().unlock();
        }
    }

    /**
     * Codes several texts in batches.
     *
     * @param texts the texts to code
     * @param codes the number of codes per text
     * @return the result
     */
    public List<CodingResult> code(List<String> texts, int codes) {
        return code(texts, codes, codes);
    }

    /**
     * Codes several texts, with evidence for the first {@code explained} codes of each, and for further codes that only
     * their evidence could move from the band {@code suggest} to {@code review}: bands do not depend on {@code explained}.
     *
     * @param texts the texts to code
     * @param codes the number of codes per text
     * @param explained the number of codes with evidence
     * @return the result
     */
    public List<CodingResult> code(List<String> texts, int codes, int explained) {
        texts.forEach(Coder::checkText);
        Arguments.atLeast(1, "codes", codes);
        Arguments.atLeast(0, "explained", explained);
        return whileOpen(() -> predict(texts, codes, explained));
    }

    private List<CodingResult> predict(List<String> texts, int codes, int explained) {
        List<TokenizedText> tokens = texts.stream().map(this::tokenize).toList();
        List<int[]> ids = tokens.stream().map(vocabulary::ids).toList();
        List<Prediction> predictions =
                model.predict(ids, PredictionRequest.evidenceFor(scores -> labelsToExplain(scores, codes, explained)));
        return IntStream.range(0, texts.size())
                .mapToObj(i -> result(texts.get(i), tokens.get(i), checkDomain(ids.get(i)), predictions.get(i), codes))
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

    private CodingResult result(
            String text, TokenizedText tokens, DomainCheck domain, Prediction prediction, int codes) {
        int[] ranked = TopK.indices(prediction.scores(), codes);
        float[][] weights = prediction.evidence();
        MentionContext context = MentionContext.of(text);
        List<Suggestion> suggestions = IntStream.range(0, ranked.length)
                .mapToObj(i -> suggestion(
                        domain,
                        ranked[i],
                        prediction.scores()[ranked[i]],
                        i < weights.length
                                ? context.annotate(extractor.extract(weights[i], tokens, context))
                                : List.of()))
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
        // Without evidence the score comes from words that say nothing about a condition, such as "do".
        boolean unsupported = suggestion.evidence().isEmpty() || suggestion.contradicted();
        return unsupported ? suggestion.notSuggested() : suggestion;
    }

    /**
     * Explains a code, whether or not it is suggested.
     *
     * @param text the text to code
     * @param code a code of the model
     * @return the explanation
     */
    public Explanation explain(String text, String code) {
        Objects.requireNonNull(code, "code");
        return explain(text, List.of(code)).get(0);
    }

    /**
     * Explains several codes of a text.
     *
     * @param text the text to code
     * @param codes codes of the model
     * @return the explanation
     */
    public List<Explanation> explain(String text, List<String> codes) {
        return explain(
                text,
                PredictionRequest.evidence(codes.stream().mapToInt(this::label).toArray())
                        .withScores());
    }

    /**
     * Explains the codes with the highest scores.
     *
     * @param text the text to code
     * @param codes the number of codes per text
     * @return the explanation
     */
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
                                context.annotate(extractor.extract(prediction.evidence()[i], tokens, context))),
                        descriptionEvidence(
                                labels.code(explained[i]),
                                prediction.descriptionEvidence().get(i)),
                        prediction.sharedViews().map(views -> ViewTokens.of(views, i, tokens))))
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

    /**
     * Whether the model attends to descriptions, so that explanations have evidence in them.
     *
     * @return true if it does
     */
    public boolean hasDescriptionEvidence() {
        return whileOpen(() -> predict(new int[0], PredictionRequest.evidence(0)))
                        .descriptionEvidence()
                        .get(0)
                        .length
                > 0;
    }

    /**
     * Whether the model has attention views that all codes share.
     *
     * @return true if it has
     */
    public boolean hasSharedViews() {
        return whileOpen(() -> predict(new int[0], PredictionRequest.evidence(0)))
                .sharedViews()
                .isPresent();
    }

    /**
     * The scores of all codes for each text, in the order of {@link #codes}: one row per text.
     *
     * @param texts the texts to code
     * @return the scores, between 0 and 1
     */
    public float[][] score(List<String> texts) {
        texts.forEach(Coder::checkText);
        return whileOpen(() -> model.score(
                texts.stream().map(text -> vocabulary.ids(tokenize(text))).toList()));
    }

    /**
     * The codes with the highest scores, best first, without evidence.
     *
     * @param texts the texts to code
     * @param codes the number of codes per text
     * @return codes with scores, one list per text
     */
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

    /**
     * The description of a code or of its nearest ancestor; empty if the code set has neither.
     *
     * @param code a code of the model
     * @return the description
     */
    public String description(String code) {
        return codeSet.describe(code).orElse("");
    }

    /**
     * Whether a text resembles the training documents; out of domain, no code is suggested. Without a guard, as in runs
     * evaluated by earlier versions, every text with words is in domain.
     *
     * @param text the text to code
     * @return the result of the check
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

    /**
     * Whether the run has a guard, which detects texts that do not resemble the training documents.
     *
     * @return true if it has
     */
    public boolean hasGuard() {
        return guard.isPresent();
    }

    /**
     * How well a text fits the training documents: below 0 out of domain, 1 typical; empty without a guard.
     *
     * @param text the text to code
     * @return the score
     */
    public OptionalDouble domainScore(String text) {
        int[] tokens = ids(text);
        return guard.map(each -> OptionalDouble.of(each.score(tokens))).orElse(OptionalDouble.empty());
    }

    /**
     * Whether the run is calibrated; if not, probabilities are scores and no code is in the band {@link Band#SUGGEST}.
     *
     * @return true if it is
     */
    public boolean isCalibrated() {
        return calibration.fitted();
    }

    /**
     * The score from which a code is predicted.
     *
     * @param code a code of the model
     * @return the threshold
     */
    public double threshold(String code) {
        return thresholds.threshold(label(code));
    }

    /**
     * The codes that the model scores, in the order of {@link #score}.
     *
     * @return the codes
     */
    public List<String> codes() {
        return List.copyOf(labels.codes().subList(0, labels.size()));
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
