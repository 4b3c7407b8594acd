package org.plant4j.model.matching;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.plant4j.Progress;
import org.plant4j.UserError;
import org.plant4j.model.EvidenceWeights;
import org.plant4j.model.Model;
import org.plant4j.model.ModelConfig;
import org.plant4j.model.NetworkInputs;
import org.plant4j.model.TrainingContext;
import org.plant4j.model.linear.LinearSvm;
import org.plant4j.model.linear.PairRegression;
import org.plant4j.model.linear.PairRegression.Pair;
import org.plant4j.model.linear.RidgeRegression;
import org.plant4j.model.output.BatchPredictor;
import org.plant4j.model.output.EvidenceMethod;
import org.plant4j.model.output.PredictionRequest;
import org.plant4j.support.Arguments;
import org.plant4j.tensor.Compute;
import org.plant4j.text.Dataset;
import org.plant4j.text.LabelIndex;
import org.plant4j.text.TokenEvidence;
import org.plant4j.text.Vocabulary;
import org.plant4j.translation.TextPair;

/**
 * Scores labels by their descriptions and by their mentions, for corpora in which most labels have few or no training documents.
 * Candidates are the labels whose description occurs in the document, at least in part; those of phrases that are gold evidence
 * in training documents; and those with the highest scores of ridge regression on TF-IDF features. One logistic regression for
 * all labels decides between them; it knows how description and mentions match, the score and how many training documents the
 * label has.
 *
 * <p>The regression is trained as if each training document were new: the document does not count for the frequency of its
 * labels or for mentions, and its ridge scores are those without it. A label with one training document is therefore unseen there, which teaches
 * the regression how to score zero-shot labels.
 *
 * <p>Matching and ranking subjects by such features: Medelyan, Witten: Thesaurus Based Automatic Keyphrase Indexing, JCDL 2006
 * (KEA++), and Medelyan, Frank, Witten: Human-Competitive Tagging Using Automatic Keyphrase Extraction, EMNLP 2009 (Maui).
 */
public final class DescriptionMatching implements Model {

    /**
     * Settings of the model.
     *
     * @param minShare share of a description's inverse document frequencies that must be in a document
     * @param ridgePenalty of ridge regression; 0: no ridge regression
     * @param ridgeLabels labels with the highest ridge scores that become candidates
     * @param prune ridge weights with an absolute value up to this one are dropped
     * @param maxDocuments training documents that the logistic regression is trained on, at most
     * @param descriptions whether descriptions are matched
     * @param mentions whether phrases that are gold evidence of a label in training documents are matched
     * @param trees boosted trees that rank the labels of mentions and similar phrases together with the regression; 0: none
     * @param synonyms whether further names of labels are matched beside their descriptions
     * @param translate whether names are also translated into the language of the documents, if descriptions are matched and
     *     there are trees
     * @param sentences compares documents and descriptions by embeddings of a pretrained encoder too
     */
    public record Config(
            double minShare,
            double ridgePenalty,
            int ridgeLabels,
            double prune,
            int maxDocuments,
            boolean descriptions,
            boolean mentions,
            int trees,
            boolean synonyms,
            boolean translate,
            Optional<SentenceSettings> sentences)
            implements ModelConfig {

        public Config {
            Arguments.fraction("min_share", minShare);
            Arguments.check(
                    ridgePenalty == 0 || ridgePenalty >= RidgeRegression.MIN_PENALTY,
                    "ridge_penalty",
                    ridgePenalty,
                    "0 or >= " + RidgeRegression.MIN_PENALTY);
            Arguments.atLeast(1, "ridge_labels", ridgeLabels);
            Arguments.atLeast(0.0, "prune", prune);
            Arguments.atLeast(1, "max_documents", maxDocuments);
            Arguments.check(
                    descriptions || mentions || ridgePenalty > 0,
                    "descriptions",
                    descriptions,
                    "true, unless there are mentions or ridge regression");
            Arguments.check(trees >= 0 && (mentions || trees == 0), "trees", trees, "0 without mentions, else >= 0");
            Arguments.check(
                    (descriptions && trees == 0) || sentences.isEmpty(),
                    "sentences",
                    "set",
                    "null without descriptions or with trees");
        }

        /** A small configuration for the contract test. */
        public static Config example() {
            return new Config(0.5, 0.1, 6, 0, 100, true, false, 0, true, false, Optional.empty());
        }

        @Override
        public boolean train(TrainingContext context) {
            return context.fitInOneStep(() -> {
                try (NetworkInputs inputs = context.networkInputs()) {
                    return DescriptionMatching.train(
                            this,
                            context.vocabulary(),
                            context.labels(),
                            new WholeDocuments(context.trainingData(), context.documentCount()),
                            inputs.descriptions()
                                    .orElseGet(() ->
                                            Collections.nCopies(context.labels().size(), new int[0])),
                            inputs.synonyms().orElseGet(List::of),
                            inputs.translations().orElseGet(List::of),
                            context.progress());
                }
            });
        }

        @Override
        public DescriptionMatching load(Path directory, int vocabularySize, LabelIndex labels, Compute compute) {
            DescriptionMatching model = DescriptionMatchingFile.read(directory, this, labels.frequencies());
            if (sentences.isPresent()) {
                return model.with(SentenceFile.read(directory, sentences.get(), vocabularySize, model.labels()));
            }
            return trees == 0
                    ? model
                    : model.with(MentionRankerFile.read(
                            directory,
                            model.requireMentions(),
                            model.descriptions,
                            model.regression,
                            labels,
                            new MentionRankerFile.Sizes(vocabularySize, features())));
        }

        @Override
        public boolean usesDescriptions() {
            return descriptions;
        }

        @Override
        public boolean matchesDescriptions() {
            return descriptions;
        }

        /** The tagger and similar mentions recognize words by their letters. */
        @Override
        public boolean usesUnlabelledWords() {
            return trees > 0;
        }

        @Override
        public boolean usesTranslations() {
            return translate && descriptions && trees > 0;
        }

        @Override
        public boolean usesSynonyms() {
            return descriptions && synonyms;
        }

        @Override
        public Optional<Path> sentenceEncoder() {
            return sentences.map(settings -> Path.of(settings.encoder()));
        }

        @Override
        public boolean supportsZeroShot() {
            return descriptions;
        }

        int features() {
            return (mentions ? Candidate.FEATURES_WITH_MENTIONS : Candidate.FEATURES)
                    + (sentences.isPresent() ? Sentences.FEATURES : 0);
        }
    }

    /** Training data without the passages that follow the documents: a document is not left out if its passages remain. */
    private record WholeDocuments(Dataset data, int size) implements Dataset {

        @Override
        public int[] tokens(int document) {
            return data.tokens(document);
        }

        @Override
        public int[] labels(int document) {
            return data.labels(document);
        }

        @Override
        public List<TokenEvidence> evidence(int document) {
            return data.evidence(document);
        }
    }

    private final Config config;
    private final int[] frequencies; // training documents of each label
    private final DescriptionIndex descriptions;
    private final Optional<MentionIndex> mentions;
    private final Optional<LinearSvm> ridge;
    private final PairRegression regression;
    private final Optional<MentionRanker> ranker;
    private final Optional<Sentences> sentences;

    DescriptionMatching(
            Config config,
            int[] frequencies,
            DescriptionIndex descriptions,
            Optional<MentionIndex> mentions,
            Optional<LinearSvm> ridge,
            PairRegression regression) {
        this(config, frequencies, descriptions, mentions, ridge, regression, Optional.empty(), Optional.empty());
    }

    private DescriptionMatching(
            Config config,
            int[] frequencies,
            DescriptionIndex descriptions,
            Optional<MentionIndex> mentions,
            Optional<LinearSvm> ridge,
            PairRegression regression,
            Optional<MentionRanker> ranker,
            Optional<Sentences> sentences) {
        this.config = config;
        this.frequencies = frequencies;
        this.descriptions = descriptions;
        this.mentions = mentions;
        this.ridge = ridge;
        this.regression = regression;
        this.ranker = ranker;
        this.sentences = sentences;
    }

    private DescriptionMatching with(MentionRanker trained) {
        return new DescriptionMatching(
                config, frequencies, descriptions, mentions, ridge, regression, Optional.of(trained), sentences);
    }

    private DescriptionMatching with(Sentences embedded) {
        return new DescriptionMatching(
                config, frequencies, descriptions, mentions, ridge, regression, ranker, Optional.of(embedded));
    }

    private MentionIndex requireMentions() {
        return mentions.orElseThrow(() -> new UserError(
                "The model has no mentions to rank", "model.trees", "set model.trees to 0, or train the model again"));
    }

    /** Trains a model that does not translate names. */
    static DescriptionMatching train(
            Config config,
            Vocabulary vocabulary,
            LabelIndex labels,
            Dataset documents,
            List<int[]> descriptions,
            List<List<int[]>> synonyms,
            Progress progress) {
        return train(config, vocabulary, labels, documents, descriptions, synonyms, List.of(), progress);
    }

    /**
     * Trains the model; {@code descriptions} and {@code synonyms} are the token ids of each label's names, and {@code
     * translations} the sentences of each document with those of its translation.
     */
    static DescriptionMatching train(
            Config config,
            Vocabulary vocabulary,
            LabelIndex labels,
            Dataset documents,
            List<int[]> descriptions,
            List<List<int[]>> synonyms,
            List<List<TextPair>> translations,
            Progress progress) {
        DescriptionIndex index = DescriptionIndex.of(vocabulary, documents, descriptions, synonyms);
        Optional<MentionIndex> mentions =
                config.mentions() ? Optional.of(mentions(index.stemOf(), documents)) : Optional.empty();
        Optional<Sentences> sentences =
                config.sentences().map(settings -> Sentences.of(settings, vocabulary, descriptions));
        float[][] embeddings = sentences.map(found -> found.embed(documents)).orElse(new float[documents.size()][0]);
        Optional<RidgeRegression> ridge = config.ridgePenalty() == 0
                ? Optional.empty()
                : Optional.of(RidgeRegression.fit(
                        documents,
                        vocabulary.size(),
                        labels.trainedCount(),
                        config.ridgePenalty(),
                        sentences.map(found -> found.weighted(embeddings)).orElse(embeddings)));
        int[] chosen = sampled(config, documents);
        List<Pair> pairs;
        try (Progress.Task task = progress.start("description matching", chosen.length)) {
            pairs = Arrays.stream(chosen)
                    .parallel()
                    .mapToObj(document -> {
                        List<Candidate> candidates =
                                candidatesOfOthers(config, index, mentions, ridge, documents, document);
                        synchronized (task) {
                            task.advance(1);
                        }
                        return pairs(config, candidates, labels, documents, document, sentences, embeddings[document]);
                    })
                    .flatMap(List::stream)
                    .toList();
        }
        if (pairs.isEmpty()) {
            sentences.ifPresent(Sentences::close);
            throw noCandidates(config);
        }
        DescriptionMatching model = new DescriptionMatching(
                config,
                labels.frequencies(),
                index,
                mentions,
                ridge.map(fitted -> fitted.model(config.prune())),
                PairRegression.fit(pairs));
        if (config.trees() > 0) {
            LooseStems stems = LooseStems.of(vocabulary);
            Optional<NameTranslator> translator = config.usesTranslations()
                    ? Optional.of(new NameTranslator(
                            stems, vocabulary, documents, words(vocabulary, descriptions, synonyms), translations))
                    : Optional.empty();
            return model.with(
                    model.ranker(ridge, translator, new MentionRanker.TrainingData(documents, chosen, labels, stems)));
        }
        return sentences
                .map(found -> ridge.map(fitted -> found.withRidge(fitted.embeddingWeights()))
                        .orElse(found))
                .map(model::with)
                .orElse(model);
    }

    /** The words of the names of each label, its description first. */
    private static List<List<List<String>>> words(
            Vocabulary vocabulary, List<int[]> descriptions, List<List<int[]>> synonyms) {
        return IntStream.range(0, descriptions.size())
                .mapToObj(label -> Stream.concat(
                                Stream.of(descriptions.get(label)),
                                synonyms.isEmpty() ? Stream.of() : synonyms.get(label).stream())
                        .map(tokens -> Arrays.stream(tokens)
                                .filter(token -> token >= Vocabulary.FIRST_TOKEN)
                                .mapToObj(vocabulary::token)
                                .toList())
                        .toList())
                .toList();
    }

    private MentionRanker ranker(
            Optional<RidgeRegression> fitted, Optional<NameTranslator> translator, MentionRanker.TrainingData data) {
        Dataset documents = data.documents();
        RankerFeatures.TrainingDocuments training = new RankerFeatures.TrainingDocuments() {
            @Override
            public RankerFeatures.Matches matches(int document) {
                return new RankerFeatures.Matches(
                        documents.tokens(document),
                        candidatesOfOthers(config, descriptions, mentions, fitted, documents, document),
                        fitted.map(all -> all.leaveOneOut(document)).orElseGet(() -> new double[0]));
            }

            @Override
            public RankerFeatures.BaseFeatures features(int document) {
                int[] gold = documents.labels(document);
                return (candidate, length) -> candidate.features(
                        length, othersWith(candidate.label(), gold, data.labels()), config.features());
            }
        };
        SimilarMentionIndex similar = SimilarMentionIndex.of(data.stems(), documents);
        RankerFeatures.Phrases names =
                new RankerFeatures.Phrases(requireMentions(), similar, similar.names(descriptions.descriptionTokens()));
        MentionRanker.LearnedPhrases phrases = learnedFrom -> translator
                .map(found -> new RankerFeatures.Phrases(requireMentions(), similar, found.translate(learnedFrom)))
                .orElse(names);
        return MentionRanker.train(config.trees(), data, phrases, training, regression);
    }

    /** The training documents that the regression is trained on, evenly spaced. */
    private static int[] sampled(Config config, Dataset documents) {
        int count = Math.min(config.maxDocuments(), documents.size());
        return IntStream.range(0, count)
                .map(i -> (int) ((long) i * documents.size() / count))
                .toArray();
    }

    /** The training documents with a label besides one with these gold labels. */
    private static int othersWith(int label, int[] gold, LabelIndex labels) {
        return labels.frequency(label) - (Arrays.binarySearch(gold, label) >= 0 ? 1 : 0);
    }

    private static UserError noCandidates(Config config) {
        if (config.descriptions()) {
            return new UserError(
                    "No training document contains the description of a label",
                    "code_sets",
                    "name code sets in the language of the documents, or lower model.min_share");
        }
        return config.ridgePenalty() == 0
                ? new UserError(
                        "No training document has a candidate: each marked phrase is in one document only",
                        "model.ridge_penalty",
                        "set it to 1.0 for ridge regression, or set model.descriptions to true")
                : new UserError(
                        "No training document has a candidate: none has the codes of another one",
                        "corpus.train",
                        "use more training documents with codes");
    }

    private static MentionIndex mentions(int[] stemOf, Dataset documents) {
        MentionIndex mentions = MentionIndex.of(stemOf, documents);
        if (mentions.isEmpty()) {
            throw new UserError(
                    "The training documents have no gold evidence",
                    "model.mentions",
                    "set model.mentions to false, or use a corpus with annotated evidence");
        }
        return mentions;
    }

    /** The candidates of a training document, as if the document were new. */
    private static List<Candidate> candidatesOfOthers(
            Config config,
            DescriptionIndex index,
            Optional<MentionIndex> mentions,
            Optional<RidgeRegression> ridge,
            Dataset documents,
            int document) {
        return Candidate.of(
                index.matches(documents.tokens(document), config.minShare()),
                mentions.map(found -> found.matchesOfOthers(documents, document))
                        .orElseGet(List::of),
                ridge.map(fitted -> fitted.leaveOneOut(document)).orElseGet(() -> new double[0]),
                config.ridgeLabels());
    }

    /**
     * Candidates of a training document with their features; the document does not count for the frequency of its labels. Labels
     * with too few training documents to be trained are left out: the dataset does not contain them as gold labels.
     */
    private static List<Pair> pairs(
            Config config,
            List<Candidate> candidates,
            LabelIndex labels,
            Dataset documents,
            int document,
            Optional<Sentences> sentences,
            float[] embedding) {
        int[] gold = documents.labels(document);
        int length = documents.length(document);
        List<float[]> features = candidates.stream()
                .map(candidate -> {
                    int others = othersWith(candidate.label(), gold, labels);
                    return candidate.features(length, others, config.features());
                })
                .toList();
        sentences.ifPresent(found -> found.addTo(features, candidates, embedding));
        return IntStream.range(0, candidates.size())
                .filter(i -> {
                    int label = candidates.get(i).label();
                    return label < labels.trainedCount() || labels.frequency(label) == 0;
                })
                .mapToObj(i -> new Pair(features.get(i), isGold(candidates.get(i), gold)))
                .toList();
    }

    private static boolean isGold(Candidate candidate, int[] gold) {
        return Arrays.binarySearch(gold, candidate.label()) >= 0;
    }

    @Override
    public int labels() {
        return frequencies.length;
    }

    /** Contributions to the share of the description found and to the ridge score, both of which are sums over tokens. */
    @Override
    public List<EvidenceMethod> evidenceMethods() {
        return List.of(EvidenceMethod.GRADIENT_INPUT);
    }

    @Override
    public BatchPredictor predictor(List<int[]> documents, PredictionRequest request) {
        evidenceMethod(request); // checks it
        return new BatchPredictor() {
            @Override
            public float[][] scores() {
                float[][] embeddings = embed(documents);
                return IntStream.range(0, documents.size())
                        .parallel()
                        .mapToObj(i -> DescriptionMatching.this.scores(documents.get(i), embeddings[i]))
                        .toArray(float[][]::new);
            }

            @Override
            public List<float[][]> evidence(List<int[]> chosen) {
                return IntStream.range(0, documents.size())
                        .mapToObj(i -> tokenWeights(documents.get(i), chosen.get(i)))
                        .toList();
            }

            @Override
            public List<List<float[]>> descriptionEvidence(List<int[]> chosen) {
                return IntStream.range(0, documents.size())
                        .mapToObj(i -> Arrays.stream(chosen.get(i))
                                .mapToObj(label -> descriptionWeights(documents.get(i), label))
                                .toList())
                        .toList();
            }
        };
    }

    /** The embeddings of documents, which are empty without sentences. */
    private float[][] embed(List<int[]> documents) {
        return sentences.map(found -> found.embed(documents)).orElseGet(() -> new float[documents.size()][0]);
    }

    /** Labels that are not candidates have score 0. */
    private float[] scores(int[] document, float[] embedding) {
        double[] scores = ridgeScores(document, embedding);
        List<Candidate> candidates = Candidate.of(
                descriptions.matches(document, config.minShare()),
                mentions.map(index -> index.matches(document)).orElseGet(List::of),
                scores,
                config.ridgeLabels());
        float[] probabilities = new float[frequencies.length];
        if (ranker.isPresent()) {
            RankerFeatures.Matches matches = new RankerFeatures.Matches(document, candidates, scores);
            ranker.get().score(matches, this::features, probabilities);
            return probabilities;
        }
        List<float[]> features = candidates.stream()
                .map(candidate -> features(candidate, document.length))
                .toList();
        sentences.ifPresent(found -> found.addTo(features, candidates, embedding));
        for (int i = 0; i < features.size(); i++) {
            probabilities[candidates.get(i).label()] = (float) regression.probability(features.get(i));
        }
        return probabilities;
    }

    private float[] features(Candidate candidate, int documentLength) {
        return candidate.features(documentLength, frequencies[candidate.label()], config.features());
    }

    private double[] ridgeScores(int[] document, float[] embedding) {
        double[] scores = ridge.map(linear -> linear.margins(document)).orElseGet(() -> new double[0]);
        sentences.ifPresent(found -> found.addTo(scores, embedding));
        return scores;
    }

    /**
     * The tokens that the description has too, by their share of it, plus the probabilities of mentions, plus the contributions of
     * tokens to the ridge score, if it is positive.
     */
    private float[][] tokenWeights(int[] document, int[] chosen) {
        double[] scores = ridgeScores(document, embed(List.of(document))[0]);
        return Arrays.stream(chosen)
                .mapToObj(label -> {
                    float[] weights = descriptions.shares(document, label);
                    mentions.ifPresent(index -> addTo(weights, index.weights(document, label), 1));
                    ranker.ifPresent(similar -> addTo(weights, similar.weights(document, label), 1));
                    if (config.usesTranslations()) {
                        addTo(weights, ranker.orElseThrow().nameWeights(document, label), 1);
                    }
                    if (label < scores.length && scores[label] > 0) {
                        float[] contributions = ridge.orElseThrow().evidence(document, label)[0];
                        addTo(weights, contributions, Math.min(scores[label], 1));
                    }
                    EvidenceWeights.normalize(weights);
                    return weights;
                })
                .toArray(float[][]::new);
    }

    private static void addTo(float[] weights, float[] others, double factor) {
        for (int i = 0; i < weights.length; i++) {
            weights[i] += (float) (factor * others[i]);
        }
    }

    private float[] descriptionWeights(int[] document, int label) {
        float[] weights = descriptions.descriptionShares(document, label);
        EvidenceWeights.normalize(weights);
        return weights;
    }

    @Override
    public void save(Path directory) {
        DescriptionMatchingFile.write(directory, descriptions, mentions, regression);
        if (config.usesSynonyms()) {
            SynonymFile.write(directory, descriptions.names().synonyms());
        }
        ridge.ifPresent(linear -> linear.save(directory));
        ranker.ifPresent(trained -> MentionRankerFile.write(directory, trained, config.usesTranslations()));
        sentences.ifPresent(found -> SentenceFile.write(directory, found));
    }

    @Override
    public void close() {
        sentences.ifPresent(Sentences::close);
    }
}
