package org.plant4j.preparation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.plant4j.UserError;
import org.plant4j.support.Arguments;
import org.plant4j.text.LabelIndex;
import org.plant4j.text.PreparedCorpus;
import org.plant4j.text.TokenStore;
import org.plant4j.text.TokenStoreWriter;
import org.plant4j.text.Vocabulary;

/**
 * Converts documents to token and label ids and writes them to a {@link PreparedCorpus}.
 *
 * <p>Labels come from training documents alone. The vocabulary comes from training and unlabelled documents, except
 * those whose text also occurs in dev or test: evaluation documents must not influence training, even without their
 * codes. Training and unlabelled documents are read twice. In this process, other splits are read at most twice, and one
 * document and the token counts of {@link Vocabulary.Builder} are in memory at a time.
 */
public final class CorpusPreparer {

    private static final Set<String> RESERVED_NAMES =
            Set.of(PreparedCorpus.TRAIN, PreparedCorpus.UNLABELLED, PreparedCorpus.PASSAGES);

    /** The splits to prepare; {@code evaluation} holds dev, test and any others by name. */
    public record Inputs(
            DocumentSource train, Map<String, DocumentSource> evaluation, Optional<DocumentSource> unlabelled) {

        public Inputs {
            Arguments.check(
                    RESERVED_NAMES.stream().noneMatch(evaluation::containsKey),
                    "evaluation",
                    evaluation.keySet(),
                    "none of " + String.join(", ", RESERVED_NAMES));
        }
    }

    /**
     * Limits of the vocabulary and the label index: tokens that occur at least {@code minCount} times, of these the
     * {@code maxTokens} most frequent, and labels of at least {@code minDocuments} training documents.
     */
    public record Limits(int minCount, int maxTokens, int minDocuments) {

        public static final Limits NONE = new Limits(1, Integer.MAX_VALUE - 2, 1);

        public Limits {
            Arguments.atLeast(1, "minCount", minCount);
            Arguments.atLeast(1, "maxTokens", maxTokens);
            Arguments.atLeast(1, "minDocuments", minDocuments);
        }
    }

    /**
     * How to build the vocabulary and the label index.
     *
     * @param tokens the vocabulary of a pretrained encoder; if present, it replaces the vocabulary of the documents
     * @param zeroShot adds zero-shot labels to the trained ones
     * @param labelTokens tokens that belong to the vocabulary for the sake of the labels, however rare they are
     */
    public record Options(
            Limits limits,
            Optional<List<String>> tokens,
            UnaryOperator<LabelIndex> zeroShot,
            Function<LabelIndex, Set<String>> labelTokens) {

        /** The vocabulary of the documents, without zero-shot labels. */
        public static Options of(Limits limits) {
            return new Options(limits, Optional.empty(), UnaryOperator.identity(), labels -> Set.of());
        }
    }

    private final Options options;

    public CorpusPreparer(Options options) {
        this.options = options;
    }

    /** Writes the prepared corpus to a directory, which is created if it does not exist. */
    public PreparedCorpus prepare(Inputs inputs, Path directory) {
        TextFilter filter = inputs.unlabelled().isEmpty() ? TextFilter.NONE : evaluationTexts(inputs);
        PreparedCorpus prepared = countAll(inputs, filter, directory);
        createDirectories(directory);
        Vocabulary vocabulary = prepared.vocabulary();
        LabelIndex labels = prepared.labels();
        write(prepared, PreparedCorpus.TRAIN, inputs.train(), DocumentEncoder.training(vocabulary, labels));
        inputs.unlabelled()
                .ifPresent(unlabelled -> write(
                        prepared,
                        PreparedCorpus.UNLABELLED,
                        unlabelled,
                        DocumentEncoder.unlabelled(vocabulary, labels, filter)));
        GoldLabels gold = new GoldLabels(labels);
        inputs.evaluation().forEach((split, documents) -> {
            documents.assignIds(gold);
            write(prepared, split, documents, DocumentEncoder.evaluation(vocabulary, gold));
        });
        PreparedCorpus result = new PreparedCorpus(directory, vocabulary, gold.extended());
        result.writeIndexes();
        checkIds(inputs, result);
        return result;
    }

    /** Excludes the texts of evaluation documents. */
    private static TextFilter evaluationTexts(Inputs inputs) {
        Set<Long> fingerprints = new HashSet<>();
        inputs.evaluation().values().forEach(documents -> fingerprints.addAll(documents.fingerprints()));
        return TextFilter.excluding(fingerprints);
    }

    /** Counts tokens and codes; nothing is written yet. */
    private PreparedCorpus countAll(Inputs inputs, TextFilter filter, Path directory) {
        Map<String, Integer> documentsByCode = new HashMap<>();
        try (Vocabulary.Builder tokens = new Vocabulary.Builder()) {
            inputs.train().count(TextFilter.NONE, tokens, documentsByCode);
            inputs.unlabelled().ifPresent(unlabelled -> unlabelled.count(filter, tokens, new HashMap<>()));
            Limits limits = options.limits();
            LabelIndex labels = labels(documentsByCode, inputs.train());
            Vocabulary vocabulary = options.tokens()
                    .map(tokens::build)
                    .orElseGet(() -> tokens.build(
                            limits.minCount(),
                            limits.maxTokens(),
                            options.labelTokens().apply(labels)));
            return new PreparedCorpus(directory, vocabulary, labels);
        }
    }

    private static void checkIds(Inputs inputs, PreparedCorpus prepared) {
        DocumentIds ids = new DocumentIds();
        ids.add(PreparedCorpus.TRAIN, prepared.train(), inputs.train().name());
        inputs.evaluation().forEach((split, documents) -> ids.add(split, prepared.split(split), documents.name()));
    }

    private LabelIndex labels(Map<String, Integer> frequencies, DocumentSource train) {
        if (frequencies.isEmpty()) {
            throw new UserError(
                    "No training document has a code", train.name(), "provide training documents with codes");
        }
        int minDocuments = options.limits().minDocuments();
        LabelIndex trained = LabelIndex.of(frequencies, minDocuments);
        if (trained.size() == 0) {
            throw new UserError(
                    "No code occurs in " + minDocuments + " or more training documents",
                    train.name(),
                    "lower preprocessing.min_label_documents, or provide more training documents");
        }
        return options.zeroShot().apply(trained);
    }

    private static void write(
            PreparedCorpus prepared, String split, DocumentSource documents, DocumentEncoder encoder) {
        try (TokenStoreWriter store = TokenStore.create(prepared.file(split))) {
            documents.encode(encoder, store::add);
            store.finish();
        }
    }

    /**
     * Writes the passages of training documents with gold evidence for all their codes as another split, and returns
     * their number.
     */
    public static long writePassages(PreparedCorpus prepared, DocumentSource train, int maxTokens) {
        DocumentEncoder encoder = DocumentEncoder.passages(prepared.vocabulary(), prepared.labels(), maxTokens);
        try (TokenStoreWriter store = TokenStore.create(prepared.file(PreparedCorpus.PASSAGES))) {
            train.encode(encoder, store::add);
            if (store.documents() == 0) {
                throw new UserError(
                        "No training document of more than " + maxTokens + " tokens has evidence for all its codes",
                        "preprocessing.passage_tokens, " + train.name(),
                        "set preprocessing.passage_tokens: 0, or provide documents with evidence for their codes (docs/corpora.md)");
            }
            store.finish();
            return store.documents();
        }
    }

    private static void createDirectories(Path directory) {
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
