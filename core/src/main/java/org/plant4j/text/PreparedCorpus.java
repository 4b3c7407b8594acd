package org.plant4j.text;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
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
import org.plant4j.support.Progress;
import org.plant4j.support.UserError;

/** A corpus turned into numbers once, in a folder: vocabulary, labels, and a token store for each part. */
public record PreparedCorpus(Path directory, Vocabulary vocabulary, LabelIndex labels) {

    public static final String TRAIN = "train";
    public static final String UNLABELLED = "unlabelled";
    public static final String PASSAGES = "passages";

    private static final String VOCABULARY = "vocabulary.tsv";
    private static final String LABELS = "labels.tsv";

    /**
     * Which words and codes a run knows: words seen at least {@code minCount} times, of these the {@code maxWords} most
     * frequent; codes of at least {@code minDocuments} training documents.
     */
    public record Limits(int minCount, int maxTokens, int minDocuments) {

        public static final Limits NONE = new Limits(1, Integer.MAX_VALUE - 2, 1);

        public Limits {
            require("minCount", minCount);
            require("maxWords", maxTokens);
            require("minDocuments", minDocuments);
        }

        private static void require(String name, int value) {
            if (value < 1) {
                throw new IllegalArgumentException(name + ": " + value + " (expected: >= 1)");
            }
        }
    }

    /** As below, over the words that are found. */
    public static PreparedCorpus prepare(
            Tokenizer tokenizer,
            Corpus train,
            Map<String, Corpus> others,
            Optional<Corpus> unlabelled,
            Limits limits,
            Path folder,
            Progress progress) {
        return prepare(
                tokenizer,
                Optional.empty(),
                train,
                others,
                unlabelled,
                limits,
                UnaryOperator.identity(),
                folder,
                progress);
    }

    /**
     * Reads training and unlabelled documents twice, other parts at most twice. Labels come from training documents
     * alone, words from unlabelled ones too, but never from a text that stands in another part: what is measured on must
     * not be learned from, even without its codes. Where {@code pieces} are given, they are the words, all of them,
     * whatever is found and the limits say. {@code unseen} may add codes that can be given without being learned. Others
     * that are met only elsewhere, or in fewer than {@code minDocuments} training documents, get ids from
     * {@code labels.size()} on. The training store holds learned labels only. One document and the word counts of
     * {@link Vocabulary.Builder} are in memory at a time.
     */
    public static PreparedCorpus prepare(
            Tokenizer tokenizer,
            Optional<List<String>> pieces,
            Corpus train,
            Map<String, Corpus> others,
            Optional<Corpus> unlabelled,
            Limits limits,
            UnaryOperator<LabelIndex> unseen,
            Path folder,
            Progress progress) {
        if (Stream.of(TRAIN, UNLABELLED, PASSAGES).anyMatch(others::containsKey)) {
            throw new IllegalArgumentException("others: " + others.keySet() + " (expected: none of " + TRAIN + ", "
                    + UNLABELLED + ", " + PASSAGES + ")");
        }
        Vocabulary.Builder words = new Vocabulary.Builder();
        Map<String, Integer> frequencies = new HashMap<>();
        forEach(train, "Count words of " + train.name(), progress, document -> {
            words.add(tokenizer.tokenize(document.text()));
            document.codes().forEach(code -> frequencies.merge(code, 1, Integer::sum));
        });
        Set<Long> measuredOn = new HashSet<>();
        if (unlabelled.isPresent()) {
            others.values()
                    .forEach(part -> forEach(part, "Look through " + part.name(), progress, document -> {
                        measuredOn.add(fingerprint(tokenizer.tokenize(document.text())));
                    }));
            forEach(unlabelled.get(), "Count words of " + UNLABELLED + " text", progress, document -> {
                TokenizedText tokens = tokenizer.tokenize(document.text());
                if (!measuredOn.contains(fingerprint(tokens))) {
                    words.add(tokens);
                }
            });
        }
        Vocabulary vocabulary =
                pieces.map(words::build).orElseGet(() -> words.build(limits.minCount(), limits.maxTokens()));
        LabelIndex learned = LabelIndex.of(frequencies, limits.minDocuments());
        if (frequencies.isEmpty()) {
            throw new UserError(
                    "There is no training document with a code", train.name(), "give training documents with codes");
        }
        if (learned.size() == 0) {
            throw new UserError(
                    "No code stands in " + limits.minDocuments() + " or more training documents",
                    train.name(),
                    "lower text.min_documents, or give more training documents");
        }
        LabelIndex labels = unseen.apply(learned);
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        PreparedCorpus prepared = new PreparedCorpus(folder, vocabulary, labels);
        Map<String, Integer> unlearned = new LinkedHashMap<>();
        prepared.store(
                TRAIN,
                train,
                tokenizer,
                progress,
                tokens -> true,
                codes -> labels.ids(codes).filter(id -> id < labels.trainedCount()));
        if (unlabelled.isPresent()) {
            prepared.store(
                    UNLABELLED,
                    unlabelled.get(),
                    tokenizer,
                    progress,
                    tokens -> !measuredOn.contains(fingerprint(tokens)),
                    codes -> IntStream.empty());
        }
        for (Map.Entry<String, Corpus> part : others.entrySet()) {
            prepared.store(
                    part.getKey(),
                    part.getValue(),
                    tokenizer,
                    progress,
                    tokens -> true,
                    codes -> codes.stream()
                            .mapToInt(code -> labels.id(code)
                                    .orElseGet(() -> unlearned.computeIfAbsent(
                                            code, c -> labels.codes().size() + unlearned.size()))));
        }
        LabelIndex extended = labels.extendedWith(unlearned.keySet());
        vocabulary.write(folder.resolve(VOCABULARY));
        extended.write(folder.resolve(LABELS));
        return new PreparedCorpus(folder, vocabulary, extended);
    }

    public static PreparedCorpus open(Path folder) {
        return new PreparedCorpus(
                folder, Vocabulary.read(folder.resolve(VOCABULARY)), LabelIndex.read(folder.resolve(LABELS)));
    }

    /**
     * Cuts the training documents that say where their codes are into passages of at most so many tokens, a part of their
     * own, and tells how many they are. Reads them once more, with the tokenizer that prepared them.
     */
    public long writePassages(Tokenizer tokenizer, Corpus train, int longest, Progress progress) {
        PassageSplitter passages = new PassageSplitter(longest);
        try (TokenStoreWriter store = TokenStore.create(file(PASSAGES))) {
            forEach(train, "Cut passages of " + train.name(), progress, document -> {
                TokenizedText tokens = tokenizer.tokenize(document.text());
                int[] ids = vocabulary.ids(tokens);
                int number = 1;
                for (PassageSplitter.Passage passage :
                        passages.split(tokens, learned(document.codes()), document.evidence())) {
                    store.add(
                            document.id() + "#" + number++,
                            Arrays.copyOfRange(ids, passage.start(), passage.end()),
                            labels.ids(passage.codes()).sorted().toArray());
                }
            });
            if (store.documents() == 0) {
                throw new UserError(
                        "No training document of more than " + longest + " tokens says where all its codes are",
                        "text.passages, " + train.name(),
                        "set text.passages: 0, or give documents with evidence for their codes (docs/corpora.md)");
            }
            store.finish();
            return store.documents();
        }
    }

    private Set<String> learned(Set<String> codes) {
        return codes.stream()
                .filter(code -> labels.id(code).orElseThrow() < labels.trainedCount())
                .collect(Collectors.toSet());
    }

    /** The training documents. */
    public TokenStore train() {
        return split(TRAIN);
    }

    /** What a model learns from: the training documents, then their passages where they were cut. */
    public Dataset trainingData() {
        return hasSplit(PASSAGES) ? new ConcatDataset(train(), split(PASSAGES)) : train();
    }

    /** The store of a part by the name under which it was prepared. */
    public TokenStore split(String name) {
        return TokenStore.open(file(name));
    }

    public boolean hasSplit(String name) {
        return Files.exists(file(name));
    }

    private Path file(String name) {
        return directory.resolve(name + ".tokens");
    }

    private void store(
            String part,
            Corpus corpus,
            Tokenizer tokenizer,
            Progress progress,
            Predicate<TokenizedText> wanted,
            Function<Set<String>, IntStream> labelIds) {
        try (TokenStoreWriter store = TokenStore.create(file(part))) {
            forEach(corpus, "Store " + corpus.name(), progress, document -> {
                TokenizedText tokens = tokenizer.tokenize(document.text());
                if (wanted.test(tokens)) {
                    store.add(
                            document.id(),
                            vocabulary.ids(tokens),
                            labelIds.apply(document.codes()).sorted().toArray());
                }
            });
            store.finish();
        }
    }

    /** Tells texts apart by their words, whatever their layout: 64 bits, FNV-1a over characters and word ends. */
    private static long fingerprint(TokenizedText tokens) {
        long hash = 0xcbf29ce484222325L;
        for (String word : tokens.tokens()) {
            for (int i = 0; i < word.length(); i++) {
                hash = (hash ^ word.charAt(i)) * 0x100000001b3L;
            }
            hash = (hash ^ ' ') * 0x100000001b3L;
        }
        return hash;
    }

    private static void forEach(Corpus corpus, String name, Progress progress, Consumer<Document> action) {
        try (Progress.Task task = progress.start("prepare " + name, -1);
                Stream<Document> documents = corpus.documents()) {
            documents.forEachOrdered(document -> {
                action.accept(document);
                task.advance(1);
            });
        }
    }
}
