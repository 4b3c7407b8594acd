package org.plant4j.corpus;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.plant4j.Document;
import org.plant4j.corpus.file.StreamingReader;
import org.plant4j.support.Arguments;

/** Operations on corpora: concatenation, splitting and sampling. All are lazy and stream their documents. */
public final class Corpora {

    /** Makes {@link #sample} independent of {@link #split}, which hashes the same ids. */
    private static final long SAMPLE_SALT = 0x5a3c_96e1_0f7b_d248L;

    /** Make folds, and the dev documents within a fold, independent of each other. */
    private static final long FOLD_SALT = 0x1b87_3c6a_94d2_e05fL;

    private static final long DEV_SALT = 0x72c1_5e0d_a839_461bL;

    private static final double DEV_SHARE = 0.1;

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
     * Splits a corpus by fractions. The split of a document depends only on its group, by default its id, and the seed:
     * every pass agrees, and documents that are added later do not move the others.
     */
    public static Splits split(Corpus corpus, SplitFractions fractions, long seed) {
        return split(corpus, group -> splitOf(group, fractions, seed));
    }

    /** Splits a corpus by the groups of its documents. */
    public static Splits split(Corpus corpus, Function<String, Split> splitOf) {
        return new Splits(
                filter(Split.TRAIN, corpus, splitOf),
                filter(Split.DEV, corpus, splitOf),
                filter(Split.TEST, corpus, splitOf));
    }

    /** The split of a group of documents if a corpus is split by fractions. */
    public static Split splitOf(String group, SplitFractions fractions, long seed) {
        double position = hashToUnitInterval(group, seed);
        if (position < fractions.train()) {
            return Split.TRAIN;
        }
        return position < fractions.train() + fractions.dev() ? Split.DEV : Split.TEST;
    }

    /**
     * The split of a group of documents in cross-validation: the fold is test, a tenth of the other groups is dev.
     */
    public static Split splitOf(String group, Fold fold, long seed) {
        if ((int) (hashToUnitInterval(group, seed ^ FOLD_SALT) * fold.count()) == fold.number() - 1) {
            return Split.TEST;
        }
        return hashToUnitInterval(group, seed ^ DEV_SALT) < DEV_SHARE ? Split.DEV : Split.TRAIN;
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
                lowest.add(new Candidate(samplePosition(document.id(), seed), index.getAndIncrement()));
                if (lowest.size() > size) {
                    lowest.remove();
                }
            });
        }
        return withIndices(corpus, lowest.stream().map(Candidate::index).collect(Collectors.toUnmodifiableSet()));
    }

    private static Corpus withIndices(Corpus corpus, Set<Long> sampled) {
        return corpus(corpus.name(), () -> {
            AtomicLong next = new AtomicLong();
            return corpus.documents().sequential().filter(document -> sampled.contains(next.getAndIncrement()));
        });
    }

    /**
     * A sample of {@code size} documents in corpus order whose labels have about equally many documents, as far as the corpus
     * allows. As in {@link #sample}, a smaller sample is a subset of a larger one.
     */
    public static Corpus balancedSample(Corpus corpus, int size, long seed) {
        Arguments.atLeast(1, "size", size);
        List<BalancedSample.Candidate> candidates = new ArrayList<>();
        try (Stream<Document> documents = corpus.documents()) {
            documents.forEachOrdered(document -> candidates.add(new BalancedSample.Candidate(
                    samplePosition(document.id(), seed), candidates.size(), document.codes())));
        }
        return withIndices(corpus, BalancedSample.choose(candidates, size));
    }

    /** {@link #sample} draws the documents with the lowest positions; of equal ones, those that come first. */
    public static double samplePosition(String id, long seed) {
        return hashToUnitInterval(id, seed ^ SAMPLE_SALT);
    }

    private static Corpus filter(Split split, Corpus corpus, Function<String, Split> splitOf) {
        return corpus(
                split.toString(),
                () -> corpus.documents().filter(document -> splitOf.apply(document.group()) == split));
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
