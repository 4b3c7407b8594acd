package org.plant4j.text;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.plant4j.corpus.Corpus;
import org.plant4j.corpus.Document;
import org.plant4j.support.Arguments;
import org.plant4j.support.Progress;
import org.plant4j.support.UserError;

/**
 * Converts documents to token and label ids and writes them to a {@link PreparedCorpus}.
 *
 * <p>Labels come from training documents alone. The vocabulary comes from training and unlabelled documents, except
 * those whose text also occurs in dev or test: evaluation documents must not influence training, even without their
 * codes. Training and unlabelled documents are read twice, other splits at most twice. One document and the token
 * counts of {@link Vocabulary.Builder} are in memory at a time.
 */
public final class CorpusPreparer {

    private static final Set<String> RESERVED_NAMES =
            Set.of(PreparedCorpus.TRAIN, PreparedCorpus.UNLABELLED, PreparedCorpus.PASSAGES);

    /** The corpora to prepare; {@code evaluation} holds dev, test and any others by name. */
    public record Inputs(Corpus train, Map<String, Corpus> evaluation, Optional<Corpus> unlabelled) {

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
     */
    public record Options(Limits limits, Optional<List<String>> tokens, UnaryOperator<LabelIndex> zeroShot) {

        /** The vocabulary of the documents, without zero-shot labels. */
        public static Options of(Limits limits) {
            return new Options(limits, Optional.empty(), UnaryOperator.identity());
        }
    }

    private final Tokenizer tokenizer;
    private final Options options;
    private final Progress progress;

    public CorpusPreparer(Tokenizer tokenizer, Options options, Progress progress) {
        this.tokenizer = tokenizer;
        this.options = options;
        this.progress = progress;
    }

    /** Writes the prepared corpus to a directory, which is created if it does not exist. */
    public PreparedCorpus prepare(Inputs inputs, Path directory) {
        Vocabulary.Builder counts = new Vocabulary.Builder();
        Map<String, Integer> labelFrequencies = new HashMap<>();
        forEach(inputs.train(), "count tokens", document -> {
            counts.add(tokenizer.tokenize(document.text()));
            document.codes().forEach(code -> labelFrequencies.merge(code, 1, Integer::sum));
        });
        Predicate<TokenizedText> unlabelledFilter = countUnlabelled(inputs, counts);
        Vocabulary vocabulary = vocabulary(counts);
        LabelIndex labels = labels(labelFrequencies, inputs.train());
        createDirectories(directory);
        PreparedCorpus prepared = new PreparedCorpus(directory, vocabulary, labels);
        writeTraining(inputs, prepared, unlabelledFilter);
        LabelIndex extended = writeEvaluation(inputs.evaluation(), prepared);
        PreparedCorpus result = new PreparedCorpus(directory, vocabulary, extended);
        result.writeIndexes();
        checkIds(inputs, result);
        return result;
    }

    private static void checkIds(Inputs inputs, PreparedCorpus prepared) {
        DocumentIds ids = new DocumentIds();
        ids.add(PreparedCorpus.TRAIN, prepared.train(), inputs.train().name());
        inputs.evaluation().forEach((split, corpus) -> ids.add(split, prepared.split(split), corpus.name()));
    }

    /**
     * Adds the token counts of unlabelled documents; returns the filter that excludes texts of evaluation documents.
     */
    private Predicate<TokenizedText> countUnlabelled(Inputs inputs, Vocabulary.Builder counts) {
        if (inputs.unlabelled().isEmpty()) {
            return text -> true;
        }
        Set<Long> excluded = fingerprints(inputs.evaluation().values());
        Predicate<TokenizedText> filter = text -> !excluded.contains(fingerprint(text));
        forEach(inputs.unlabelled().get(), "count tokens", document -> {
            TokenizedText text = tokenizer.tokenize(document.text());
            if (filter.test(text)) {
                counts.add(text);
            }
        });
        return filter;
    }

    private Set<Long> fingerprints(Collection<Corpus> corpora) {
        Set<Long> fingerprints = new HashSet<>();
        for (Corpus corpus : corpora) {
            forEach(corpus, "scan", document -> fingerprints.add(fingerprint(tokenizer.tokenize(document.text()))));
        }
        return fingerprints;
    }

    /** A 64-bit FNV-1a hash of the tokens, which ignores layout. */
    private static long fingerprint(TokenizedText text) {
        long hash = 0xcbf29ce484222325L;
        for (String token : text.tokens()) {
            for (int i = 0; i < token.length(); i++) {
                hash = (hash ^ token.charAt(i)) * 0x100000001b3L;
            }
            hash = (hash ^ ' ') * 0x100000001b3L;
        }
        return hash;
    }

    private Vocabulary vocabulary(Vocabulary.Builder counts) {
        Limits limits = options.limits();
        return options.tokens().map(counts::build).orElseGet(() -> counts.build(limits.minCount(), limits.maxTokens()));
    }

    private LabelIndex labels(Map<String, Integer> frequencies, Corpus train) {
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

    /** Writes training documents with their trained labels, and unlabelled documents without labels. */
    private void writeTraining(Inputs inputs, PreparedCorpus prepared, Predicate<TokenizedText> unlabelledFilter) {
        LabelIndex labels = prepared.labels();
        write(
                prepared,
                PreparedCorpus.TRAIN,
                inputs.train(),
                text -> true,
                codes -> labels.ids(codes).filter(id -> id < labels.trainedCount()));
        inputs.unlabelled()
                .ifPresent(corpus -> write(
                        prepared, PreparedCorpus.UNLABELLED, corpus, unlabelledFilter, codes -> IntStream.empty()));
    }

    /** Writes dev, test and others; codes that are not in the label index get the next free ids. */
    private LabelIndex writeEvaluation(Map<String, Corpus> evaluation, PreparedCorpus prepared) {
        LabelIndex labels = prepared.labels();
        Map<String, Integer> unknown = new LinkedHashMap<>();
        Function<String, Integer> unknownId =
                code -> unknown.computeIfAbsent(code, c -> labels.codes().size() + unknown.size());
        evaluation.forEach((name, corpus) -> write(
                prepared,
                name,
                corpus,
                text -> true,
                codes -> codes.stream().mapToInt(code -> labels.id(code).orElseGet(() -> unknownId.apply(code)))));
        return labels.extendedWith(unknown.keySet());
    }

    private void write(
            PreparedCorpus prepared,
            String split,
            Corpus corpus,
            Predicate<TokenizedText> included,
            Function<Set<String>, IntStream> labelIds) {
        try (TokenStoreWriter store = TokenStore.create(prepared.file(split))) {
            forEach(corpus, "encode", document -> {
                TokenizedText text = tokenizer.tokenize(document.text());
                if (included.test(text)) {
                    store.add(
                            document.id(),
                            prepared.vocabulary().ids(text),
                            labelIds.apply(document.codes()).sorted().toArray(),
                            TokenEvidence.of(text, document.evidence(), prepared.labels()));
                }
            });
            store.finish();
        }
    }

    /**
     * Writes the passages of training documents with gold evidence for all their codes as another split, and returns
     * their number.
     */
    public long writePassages(PreparedCorpus prepared, Corpus train, int maxTokens) {
        PassageSplitter splitter = new PassageSplitter(maxTokens);
        try (TokenStoreWriter store = TokenStore.create(prepared.file(PreparedCorpus.PASSAGES))) {
            forEach(train, "extract passages", document -> {
                TokenizedText text = tokenizer.tokenize(document.text());
                int[] ids = prepared.vocabulary().ids(text);
                List<TokenEvidence> evidence = TokenEvidence.of(text, document.evidence(), prepared.labels());
                int number = 1;
                for (PassageSplitter.Passage passage :
                        splitter.split(text, trainedCodes(document, prepared.labels()), document.evidence())) {
                    store.add(
                            document.id() + "#" + number++,
                            Arrays.copyOfRange(ids, passage.start(), passage.end()),
                            prepared.labels().ids(passage.codes()).sorted().toArray(),
                            evidence.stream()
                                    .map(entry -> entry.within(passage.start(), passage.end()))
                                    .filter(entry -> !entry.isEmpty())
                                    .toList());
                }
            });
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

    private static Set<String> trainedCodes(Document document, LabelIndex labels) {
        return document.codes().stream()
                .filter(code -> labels.id(code).orElseThrow() < labels.trainedCount())
                .collect(Collectors.toSet());
    }

    private void forEach(Corpus corpus, String step, Consumer<Document> action) {
        try (Progress.Task task = progress.start("prepare " + corpus.name() + ": " + step, -1);
                Stream<Document> documents = corpus.documents()) {
            documents.forEachOrdered(document -> {
                action.accept(document);
                task.advance(1);
            });
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
