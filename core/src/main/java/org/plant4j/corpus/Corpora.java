package org.plant4j.corpus;

import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.DoublePredicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.plant4j.corpus.file.StreamingReader;
import org.plant4j.support.Arguments;

/** Operations on corpora: concatenation, splitting and sampling. All are lazy and stream their documents. */
public final class Corpora {

    /** Makes {@link #sample} independent of {@link #split}, which hashes the same ids. */
    private static final long SAMPLE_SALT = 0x5a3c_96e1_0f7b_d248L;

    private Corpora() {}

    public static Corpus empty(String name) {
        return concat(name, List.of());
    }

    /** The documents of all corpora, in the given order. */
    public static Corpus concat(String name, List<Corpus> corpora) {
        List<Corpus> all = List.copyOf(corpora);
        return corpus(name, () -> new Concatenation(all).stream());
    }

    /**
     * Splits a corpus by fractions. The split of a document depends only on its id and the seed: every pass agrees, and
     * documents that are added later do not move the others.
     */
    public static Splits split(Corpus corpus, SplitFractions fractions, long seed) {
        double devStart = fractions.train();
        double testStart = fractions.train() + fractions.dev();
        return new Splits(
                filter("train", corpus, seed, position -> position < devStart),
                filter("dev", corpus, seed, position -> position >= devStart && position < testStart),
                filter("test", corpus, seed, position -> position >= testStart));
    }

    /**
     * A random sample of {@code size} documents in corpus order; the whole corpus if it has no more. The choice depends
     * only on the document ids and the seed, so that a smaller sample is a subset of a larger one. Reads the corpus once.
     */
    public static Corpus sample(Corpus corpus, int size, long seed) {
        Arguments.atLeast(1, "size", size);
        // Documents with the same id have the same hash; their index breaks the tie.
        record Candidate(double position, long index) {}
        PriorityQueue<Candidate> lowest = new PriorityQueue<>(Comparator.comparingDouble(Candidate::position)
                .thenComparing(Candidate::index)
                .reversed());
        AtomicLong index = new AtomicLong();
        try (Stream<Document> documents = corpus.documents()) {
            documents.forEachOrdered(document -> {
                lowest.add(
                        new Candidate(hashToUnitInterval(document.id(), seed ^ SAMPLE_SALT), index.getAndIncrement()));
                if (lowest.size() > size) {
                    lowest.remove();
                }
            });
        }
        Set<Long> sampled = lowest.stream().map(Candidate::index).collect(Collectors.toUnmodifiableSet());
        return corpus(corpus.name(), () -> {
            AtomicLong next = new AtomicLong();
            return corpus.documents().sequential().filter(document -> sampled.contains(next.getAndIncrement()));
        });
    }

    private static Corpus filter(String name, Corpus corpus, long seed, DoublePredicate wanted) {
        return corpus(
                name,
                () -> corpus.documents().filter(document -> wanted.test(hashToUnitInterval(document.id(), seed))));
    }

    /** Hashes an id to [0, 1): FNV-1a over its characters, then a finalizer that spreads similar ids. */
    private static double hashToUnitInterval(String id, long seed) {
        long hash = 0xcbf29ce484222325L ^ (seed * 0x9e3779b97f4a7c15L);
        for (int i = 0; i < id.length(); i++) {
            hash = (hash ^ id.charAt(i)) * 0x100000001b3L;
        }
        hash = (hash ^ (hash >>> 33)) * 0xff51afd7ed558ccdL;
        hash = (hash ^ (hash >>> 33)) * 0xc4ceb9fe1a85ec53L;
        return ((hash ^ (hash >>> 33)) >>> 11) * 0x1.0p-53;
    }

    private static Corpus corpus(String name, Supplier<Stream<Document>> documents) {
        return new Corpus() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public Stream<Document> documents() {
                return documents.get();
            }
        };
    }

    /** Opens each corpus only when the previous one is exhausted; {@code flatMap} would buffer it for an iterator. */
    private static final class Concatenation extends StreamingReader<Document> {

        private final Iterator<Corpus> corpora;
        private Stream<Document> open = Stream.empty();
        private Iterator<Document> documents = open.iterator();

        Concatenation(List<Corpus> corpora) {
            this.corpora = corpora.iterator();
        }

        @Override
        protected @Nullable Document readNext() {
            while (!documents.hasNext()) {
                if (!corpora.hasNext()) {
                    return null;
                }
                open.close();
                open = corpora.next().documents();
                documents = open.iterator();
            }
            return documents.next();
        }

        @Override
        public void close() {
            open.close();
        }
    }
}
