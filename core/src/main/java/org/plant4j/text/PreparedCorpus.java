package org.plant4j.text;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.plant4j.Progress;
import org.plant4j.UserError;
import org.plant4j.corpus.Corpus;
import org.plant4j.corpus.Document;

/** A corpus turned into numbers once, in a folder: vocabulary, labels, and a token store for each part. */
public record PreparedCorpus(Path folder, Vocabulary vocabulary, Labels labels) {

    public static final String TRAIN = "train";

    private static final String VOCABULARY = "vocabulary.tsv";
    private static final String LABELS = "labels.tsv";

    /**
     * Which words and codes a run knows: words seen at least {@code minCount} times, of these the {@code maxWords} most
     * frequent; codes of at least {@code minDocuments} training documents.
     */
    public record Limits(int minCount, int maxWords, int minDocuments) {

        public static final Limits NONE = new Limits(1, Integer.MAX_VALUE - 2, 1);

        public Limits {
            require("minCount", minCount);
            require("maxWords", maxWords);
            require("minDocuments", minDocuments);
        }

        private static void require(String name, int value) {
            if (value < 1) {
                throw new IllegalArgumentException(name + ": " + value + " (expected: >= 1)");
            }
        }
    }

    /**
     * Reads training documents twice and every other part once. Vocabulary and labels come from training documents
     * alone; codes met only elsewhere, or in fewer than {@code minDocuments} training documents, get ids from
     * {@code labels.size()} on. The training store holds learned labels only. One document and the word counts of
     * {@link Vocabulary.Builder} are in memory at a time.
     */
    public static PreparedCorpus prepare(
            Tokenizer tokenizer,
            Corpus train,
            Map<String, Corpus> others,
            Limits limits,
            Path folder,
            Progress progress) {
        if (others.containsKey(TRAIN)) {
            throw new IllegalArgumentException("others: has a part named " + TRAIN);
        }
        Vocabulary.Builder words = new Vocabulary.Builder();
        Map<String, Integer> frequencies = new HashMap<>();
        forEach(train, "Count words of " + train.name(), progress, document -> {
            words.add(tokenizer.tokenize(document.text()));
            document.codes().forEach(code -> frequencies.merge(code, 1, Integer::sum));
        });
        Vocabulary vocabulary = words.build(limits.minCount(), limits.maxWords());
        Labels labels = Labels.of(frequencies, limits.minDocuments());
        if (labels.size() == 0) {
            throw new UserError(
                    "No code stands in " + limits.minDocuments() + " or more training documents",
                    train.name(),
                    "give training documents with codes, or lower the least number of documents");
        }
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        PreparedCorpus prepared = new PreparedCorpus(folder, vocabulary, labels);
        Map<String, Integer> unlearned = new LinkedHashMap<>();
        prepared.store(
                TRAIN, train, tokenizer, progress, codes -> labels.ids(codes).filter(id -> id < labels.size()));
        for (Map.Entry<String, Corpus> part : others.entrySet()) {
            prepared.store(
                    part.getKey(),
                    part.getValue(),
                    tokenizer,
                    progress,
                    codes -> codes.stream()
                            .mapToInt(code -> labels.id(code)
                                    .orElseGet(() -> unlearned.computeIfAbsent(
                                            code, c -> labels.codes().size() + unlearned.size()))));
        }
        Labels extended = labels.extendedWith(unlearned.keySet());
        vocabulary.write(folder.resolve(VOCABULARY));
        extended.write(folder.resolve(LABELS));
        return new PreparedCorpus(folder, vocabulary, extended);
    }

    public static PreparedCorpus open(Path folder) {
        return new PreparedCorpus(
                folder, Vocabulary.read(folder.resolve(VOCABULARY)), Labels.read(folder.resolve(LABELS)));
    }

    public TokenStore train() {
        return part(TRAIN);
    }

    /** The store of a part by the name under which it was prepared. */
    public TokenStore part(String name) {
        return TokenStore.open(file(name));
    }

    public boolean has(String name) {
        return Files.exists(file(name));
    }

    private Path file(String name) {
        return folder.resolve(name + ".tokens");
    }

    private void store(
            String part,
            Corpus corpus,
            Tokenizer tokenizer,
            Progress progress,
            Function<Set<String>, IntStream> labelIds) {
        try (TokenStoreWriter store = TokenStore.write(file(part))) {
            forEach(corpus, "Store " + corpus.name(), progress, document -> {
                int[] tokens = vocabulary.ids(tokenizer.tokenize(document.text()));
                store.add(
                        document.id(),
                        tokens,
                        labelIds.apply(document.codes()).sorted().toArray());
            });
            store.finish();
        }
    }

    private static void forEach(Corpus corpus, String name, Progress progress, Consumer<Document> action) {
        try (Progress.Task task = progress.start(name, -1);
                Stream<Document> documents = corpus.documents()) {
            documents.forEachOrdered(document -> {
                action.accept(document);
                task.advance(1);
            });
        }
    }
}
