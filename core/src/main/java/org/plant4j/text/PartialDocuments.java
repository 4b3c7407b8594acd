package org.plant4j.text;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.plant4j.support.Arguments;

/**
 * Hides tokens of training documents but keeps their labels, with new random choices in each epoch. A network trained on
 * whole documents only has arbitrary scores for short ones and for unknown tokens. From partial documents it learns the
 * probability of a label given the tokens that it sees; if it sees none, that is the label's frequency.
 *
 * @param share fraction of the documents that are partial: a window of the document, the document with unknown tokens, or
 *     a window with unknown tokens. Most windows are short, and some are empty
 * @param unknownRate fraction of the tokens of all other documents that are replaced by the unknown token
 */
public record PartialDocuments(double share, double unknownRate) {

    public static final PartialDocuments NONE = new PartialDocuments(0, 0);

    public PartialDocuments {
        Arguments.fraction("partialDocuments", share);
        Arguments.rate("unknownRate", unknownRate);
    }

    /** The documents of one epoch. They depend on seed and epoch only, so that a resumed training sees the same ones. */
    public Dataset sample(Dataset documents, long seed, int epoch) {
        long epochSeed = new SplittableRandom(seed).split().nextLong() + 31L * epoch;
        return equals(NONE) ? documents : new Sample(documents, this, new SplittableRandom(epochSeed).nextLong());
    }

    /** The tokens from {@code start} on; {@code random} decides which of them become unknown. */
    private record Part(int start, int length, double unknownRate, SplittableRandom random) {}

    private Part part(int length, SplittableRandom random) {
        if (random.nextDouble() >= share) {
            return new Part(0, length, unknownRate, random);
        }
        int kind = random.nextInt(3);
        // Log-uniform from 0 to the whole document.
        int window = kind == 0 ? length : (int) Math.pow(length + 1.0, random.nextDouble()) - 1;
        double rate = kind == 1 ? unknownRate : random.nextDouble();
        return new Part(random.nextInt(length - window + 1), window, rate, random);
    }

    private record Sample(Dataset documents, PartialDocuments settings, long seed) implements Dataset {

        private Part part(int document) {
            return settings.part(documents.length(document), new SplittableRandom(seed + document));
        }

        @Override
        public int size() {
            return documents.size();
        }

        @Override
        public int length(int document) {
            return part(document).length;
        }

        @Override
        public int[] tokens(int document) {
            Part part = part(document);
            int[] tokens = Arrays.copyOfRange(documents.tokens(document), part.start, part.start + part.length);
            for (int i = 0; i < tokens.length; i++) {
                if (part.random.nextDouble() < part.unknownRate) {
                    tokens[i] = Vocabulary.UNKNOWN;
                }
            }
            return tokens;
        }

        @Override
        public int[] labels(int document) {
            return documents.labels(document);
        }
    }
}
