package org.plant4j.corpus.demo;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.plant4j.Document;
import org.plant4j.corpus.Corpus;
import org.plant4j.corpus.Split;
import org.plant4j.corpus.codeset.CodeSet;
import org.plant4j.support.Arguments;

/**
 * A split of the demo corpus: generated discharge summaries with ICD-10-CM codes in a long-tailed distribution and gold
 * evidence.
 *
 * <p>Documents are generated while they are read. The same seed and sizes give the same bytes on every machine.
 */
public final class DemoCorpus implements Corpus {

    /** Incremented whenever a seed gives other documents, so that corpora prepared from older ones are not reused. */
    public static final int VERSION = 1;

    private static final int MAX_TAIL_DOCUMENTS = 5;
    private static final int MAX_UNSEEN_TAIL_DOCUMENTS = 2;

    /** One of this many tail codes occurs in dev and test only. */
    private static final int UNSEEN_INTERVAL = 9;

    /** The number of documents per split. */
    public record Sizes(int train, int dev, int test) {

        public static final Sizes DEFAULT = new Sizes(1000, 200, 200);

        public Sizes {
            Arguments.atLeast(1, "train", train);
            Arguments.atLeast(0, "dev", dev);
            Arguments.atLeast(0, "test", test);
        }

        int total() {
            return train + dev + test;
        }

        int of(Split split) {
            return switch (split) {
                case TRAIN -> train;
                case DEV -> dev;
                case TEST -> test;
            };
        }

        /** The index of the first document of a split; the splits follow each other. */
        int firstOf(Split split) {
            return switch (split) {
                case TRAIN -> 0;
                case DEV -> train;
                case TEST -> train + dev;
            };
        }
    }

    private final Split split;
    private final long seed;
    private final Sizes sizes;

    public DemoCorpus(Split split, long seed) {
        this(split, seed, Sizes.DEFAULT);
    }

    public DemoCorpus(Split split, long seed, Sizes sizes) {
        this.split = split;
        this.seed = seed;
        this.sizes = sizes;
    }

    /** The codes of the corpus and their ancestors: {@code code, description, parent, valid}, with a header. */
    public static String codeSetTsv() {
        return Lexicon.resource("codes.tsv");
    }

    /** The codes of the corpus and their ancestors. */
    public static CodeSet codeSet() {
        return CodeSet.of(codeSetTsv()
                .lines()
                .skip(1)
                .map(line -> line.split("\t", -1))
                .map(field -> new CodeSet.Entry(
                        field[0],
                        field[1],
                        Optional.of(field[2]).filter(parent -> !parent.isEmpty()),
                        field[3].equals("1")))
                .toList());
    }

    @Override
    public String name() {
        return "demo-" + split;
    }

    @Override
    public Stream<Document> documents() {
        return summaries().map(AnnotatedSummary::document);
    }

    /** The same documents, with the context of mentions. */
    public Stream<AnnotatedSummary> summaries() {
        Lexicon lexicon = Lexicon.bundled();
        PatientSampler sampler = new PatientSampler(lexicon);
        Map<Integer, Condition> tail = assignTailCodes(lexicon);
        int first = sizes.firstOf(split);
        return IntStream.range(first, first + sizes.of(split)).mapToObj(index -> {
            Random random = random(index);
            Patient patient = sampler.sample(random, Optional.ofNullable(tail.get(index)));
            return SummaryWriter.write(id(index), lexicon, patient, random);
        });
    }

    /**
     * Assigns each tail code to one to five documents, at most one tail code per document. One of nine tail codes occurs
     * in dev and test only, the others in train at least once.
     */
    private Map<Integer, Condition> assignTailCodes(Lexicon lexicon) {
        Random random = random(-1);
        List<Integer> training = shuffled(0, sizes.train(), random);
        List<Integer> heldOut = shuffled(sizes.train(), sizes.total(), random);
        Map<Integer, Condition> tail = new HashMap<>();
        int rank = 0;
        for (Condition condition : lexicon.conditions()) {
            if (condition.weight() != Condition.TAIL) {
                continue;
            }
            boolean unseen = ++rank % UNSEEN_INTERVAL == 0;
            int documents = 1 + random.nextInt(unseen ? MAX_UNSEEN_TAIL_DOCUMENTS : MAX_TAIL_DOCUMENTS);
            for (int i = 0; i < documents; i++) {
                boolean train = !unseen && (i == 0 || random.nextInt(sizes.total()) < sizes.train());
                List<Integer> free = train ? training : heldOut;
                if (!free.isEmpty()) {
                    tail.put(free.remove(free.size() - 1), condition);
                }
            }
        }
        return tail;
    }

    private static List<Integer> shuffled(int from, int to, Random random) {
        List<Integer> indices =
                new ArrayList<>(IntStream.range(from, to).boxed().toList());
        Collections.shuffle(indices, random);
        return indices;
    }

    /** An independent generator per document; multiplying by odd constants separates the seeds of neighbours. */
    private Random random(int index) {
        long mixed = (seed + 1) * 0x9E3779B97F4A7C15L + index * 0xBF58476D1CE4E5B9L;
        return new Random(mixed ^ (mixed >>> 29));
    }

    private static String id(int index) {
        return String.format(Locale.ROOT, "demo-%05d", index + 1);
    }
}
