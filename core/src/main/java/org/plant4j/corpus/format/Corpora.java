package org.plant4j.corpus.format;

import java.nio.file.Path;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.plant4j.corpus.BadRowHandler;
import org.plant4j.corpus.Corpus;
import org.plant4j.corpus.Document;
import org.plant4j.corpus.Splits;
import org.plant4j.corpus.StreamingReader;
import org.plant4j.support.UserError;

/** Opens corpora by their config, and puts corpora together. */
public final class Corpora {

    /** Shares of train, dev and test where a corpus has no parts of its own and the config names none. */
    private static final String FRACTIONS = "80/10/10";

    /** Keeps samples apart from splits by fractions, which go by places of the same kind. */
    private static final long SAMPLE_SALT = 0x5a3c_96e1_0f7b_d248L;

    private Corpora() {}

    /** The parts that the config names, or else the whole, split by the documents' ids. */
    public static Splits openSplits(CorpusConfig config, BadRowHandler badRows) {
        Format format = Format.named(config.format());
        Format.Subsets parts = format.open(Path.of(config.path()), config.options(), badRows);
        if (config.train().isEmpty()) {
            FormatOptions options = format.options(config.options());
            return split(
                    parts.whole(),
                    options.find("fractions").orElse(FRACTIONS),
                    options.intValue("seed", 0).orElse(0));
        }
        if (config.options().containsKey("fractions")) {
            throw new UserError(
                    "Both parts and fractions are given",
                    "options.fractions",
                    "drop one: parts are never split further");
        }
        return new Splits(
                concat("train", parts(parts, config.train())),
                concat("dev", parts(parts, config.dev())),
                concat("test", parts(parts, config.test())));
    }

    /** One part on its own: a file, a folder of one set, or all of MIMIC. */
    public static Corpus openCorpus(String format, Path path, Map<String, String> options, BadRowHandler badRows) {
        return Format.named(format).open(path, options, badRows).whole();
    }

    /** The names that {@link CorpusConfig#format} may have. */
    public static List<String> formats() {
        return Format.names();
    }

    public static Corpus empty(String name) {
        return concat(name, List.of());
    }

    /** The documents of all parts, one part after the other. */
    public static Corpus concat(String name, List<Corpus> parts) {
        List<Corpus> all = List.copyOf(parts);
        return corpus(name, () -> new Concatenation(all).stream());
    }

    /**
     * A whole split by shares such as {@code 80/10/10}. A document's place hangs on its id and the seed alone, so every
     * pass agrees, and documents added later move no other.
     */
    public static Splits split(Corpus whole, String fractions, long seed) {
        double[] shares = shares(fractions);
        double dev = shares[0];
        double test = shares[0] + shares[1];
        return new Splits(
                filter("train", whole, document -> hashToUnitInterval(document.id(), seed) < dev),
                filter(
                        "dev",
                        whole,
                        document -> hashToUnitInterval(document.id(), seed) >= dev
                                && hashToUnitInterval(document.id(), seed) < test),
                filter("test", whole, document -> hashToUnitInterval(document.id(), seed) >= test));
    }

    /**
     * So many documents chosen at random, in the corpus' order; all where it has no more. Documents are drawn in an order
     * that hangs on their ids and the seed alone, so a smaller sample lies within a larger one. Reads the corpus once.
     */
    public static Corpus sample(Corpus whole, int size, long seed) {
        if (size < 1) {
            throw new IllegalArgumentException("size: " + size + " (expected: >= 1)");
        }
        // Twins by id are drawn one after the other, which their places in the corpus decide.
        record Drawn(double place, long position) {}
        PriorityQueue<Drawn> last = new PriorityQueue<>(Comparator.comparingDouble(Drawn::place)
                .thenComparing(Drawn::position)
                .reversed());
        AtomicLong position = new AtomicLong();
        try (Stream<Document> documents = whole.documents()) {
            documents.forEachOrdered(document -> {
                last.add(new Drawn(hashToUnitInterval(document.id(), seed ^ SAMPLE_SALT), position.getAndIncrement()));
                if (last.size() > size) {
                    last.remove();
                }
            });
        }
        Set<Long> drawn = last.stream().map(Drawn::position).collect(Collectors.toUnmodifiableSet());
        return corpus(whole.name(), () -> {
            AtomicLong next = new AtomicLong();
            return whole.documents().sequential().filter(document -> drawn.contains(next.getAndIncrement()));
        });
    }

    private static Corpus filter(String name, Corpus whole, Predicate<Document> wanted) {
        return corpus(name, () -> whole.documents().filter(wanted));
    }

    private static List<Corpus> parts(Format.Subsets parts, List<String> names) {
        return names.stream().map(parts.subset()).toList();
    }

    private static double[] shares(String fractions) {
        String[] written = fractions.split("/", -1);
        double[] shares = new double[3];
        double sum = 0;
        try {
            for (int i = 0; i < 3 && written.length == 3; i++) {
                shares[i] = Double.parseDouble(written[i].strip());
                sum += shares[i] >= 0 ? shares[i] : Double.NaN;
            }
        } catch (NumberFormatException e) {
            sum = Double.NaN;
        }
        if (!(sum > 0) || Double.isInfinite(sum) || shares[0] == 0) {
            throw FormatOptions.invalid(
                    "fractions", fractions, "three shares for train, dev and test, such as " + FRACTIONS);
        }
        for (int i = 0; i < 3; i++) {
            shares[i] /= sum;
        }
        return shares;
    }

    /** A number in [0, 1) from an id: FNV-1a over its characters, then a mixing step that spreads similar ids. */
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

    /** Opens a part when the one before it is read; flatMap would hold a whole part where an iterator is asked for. */
    private static final class Concatenation extends StreamingReader<Document> {

        private final Iterator<Corpus> parts;
        private Stream<Document> open = Stream.empty();
        private Iterator<Document> documents = open.iterator();

        Concatenation(List<Corpus> parts) {
            this.parts = parts.iterator();
        }

        @Override
        @Nullable
        public Document readNext() {
            while (!documents.hasNext()) {
                if (!parts.hasNext()) {
                    return null;
                }
                open.close();
                open = parts.next().documents();
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
