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
import org.plant4j.corpus.Corpus;
import org.plant4j.corpus.Document;
import org.plant4j.corpus.codeset.CodeSet;

/**
 * One part of the demo corpus: discharge summaries made up from a seed, with codes, a long tail and gold evidence.
 *
 * <p>Documents are written as they are read; equal seeds and sizes give equal bytes on every machine.
 */
public record DemoCorpus(Part part, long seed, Sizes sizes) implements Corpus {

    /** Raised whenever the same seed gives other notes, so that nothing prepared from older ones is reused. */
    public static final int VERSION = 1;

    /** Which of the three parts. */
    public enum Part {
        TRAIN,
        DEV,
        TEST
    }

    /** Documents in each part. */
    public record Sizes(int train, int dev, int test) {

        public static final Sizes DEFAULT = new Sizes(1000, 200, 200);

        public Sizes {
            if (train < 1 || dev < 0 || test < 0) {
                throw new IllegalArgumentException(
                        "sizes: " + train + ", " + dev + ", " + test + " (expected: train >= 1, dev >= 0, test >= 0)");
            }
        }

        int total() {
            return train + dev + test;
        }
    }

    private static final int MOST_TAIL_DOCUMENTS = 5;
    private static final int UNSEEN_ONE_IN = 9;

    public static DemoCorpus of(Part part, long seed) {
        return new DemoCorpus(part, seed, Sizes.DEFAULT);
    }

    /** The codes of the corpus and their ancestors: {@code code, description, parent, valid}, with a header. */
    public static String codeSetTsv() {
        return Lexicon.resource("codes.tsv");
    }

    /** The same, opened. */
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
        return "demo-" + part.name().toLowerCase(Locale.ROOT);
    }

    @Override
    public Stream<Document> documents() {
        Lexicon lexicon = Lexicon.bundled();
        PatientSampler sampler = new PatientSampler(lexicon);
        Map<Integer, Condition> tail = assignTailCodes(lexicon);
        int first = switch (part) {
            case TRAIN -> 0;
            case DEV -> sizes.train();
            case TEST -> sizes.train() + sizes.dev();
        };
        int size = switch (part) {
            case TRAIN -> sizes.train();
            case DEV -> sizes.dev();
            case TEST -> sizes.test();
        };
        return IntStream.range(first, first + size).mapToObj(index -> {
            Random random = random(index);
            Patient patient = sampler.sample(random, Optional.ofNullable(tail.get(index)));
            return SummaryWriter.write(id(index), lexicon, patient, random);
        });
    }

    /**
     * Which document gets which rare code. Each of them falls to one to five documents, at most one such code a document;
     * one code in nine to dev and test only, the others to train at least once.
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
            boolean unseen = ++rank % UNSEEN_ONE_IN == 0;
            int documents = 1 + random.nextInt(unseen ? 2 : MOST_TAIL_DOCUMENTS);
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

    /** A stream of chance of its own for each document; the odd factor keeps neighbours apart. */
    private Random random(int index) {
        long mixed = (seed + 1) * 0x9E3779B97F4A7C15L + index * 0xBF58476D1CE4E5B9L;
        return new Random(mixed ^ (mixed >>> 29));
    }

    private static String id(int index) {
        return String.format(Locale.ROOT, "demo-%05d", index + 1);
    }
}
