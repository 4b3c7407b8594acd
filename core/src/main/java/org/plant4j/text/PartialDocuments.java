package org.plant4j.text;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.plant4j.support.Arguments;

/**
 * Adds partial documents to the training documents, with new random choices in each epoch. A network trained on whole
 * documents only has arbitrary scores for short ones and for unknown tokens. From partial documents it learns the
 * probability of a label given the tokens that it sees; if it sees none, that is the label's frequency.
 *
 * <p>A partial document is a random window of a document and keeps the labels of the document. In every second one,
 * tokens are replaced by the unknown token at a random rate.
 *
 * @param share number of partial documents, as a fraction of the number of documents
 * @param unknownRate fraction of the tokens of all other documents that are replaced by the unknown token
 */
public record PartialDocuments(double share, double unknownRate) {

    public static final PartialDocuments NONE = new PartialDocuments(0, 0);

    public PartialDocuments {
        Arguments.atLeast(0.0, "partialDocuments", share);
        Arguments.rate("unknownRate", unknownRate);
    }

    /** The documents of one epoch. They depend on seed and epoch only, so that a resumed training sees the same ones. */
    public Dataset sample(Dataset documents, long seed, int epoch) {
        long epochSeed = new SplittableRandom(seed).split().nextLong() + 31L * epoch;
        return equals(NONE) ? documents : new Sample(documents, this, new SplittableRandom(epochSeed).nextLong());
    }

    /** The tokens of a document from {@code start} on; {@code random} decides which of them become unknown. */
    private record Part(int document, int start, int length, double unknownRate, SplittableRandom random) {}

    /** Documents of one epoch: all of them, followed by the partial ones. */
    private record Sample(Dataset documents, PartialDocuments settings, long seed) implements Dataset {

        @Override
        public int size() {
            return documents.size() + (int) Math.round(settings.share * documents.size());
        }

        private Part part(int index) {
            SplittableRandom random = new SplittableRandom(seed + index);
            if (index < documents.size()) {
                return new Part(index, 0, documents.length(index), settings.unknownRate, random);
            }
            int document = random.nextInt(documents.size());
            int length = documents.length(document);
            boolean hidesTokens = random.nextBoolean();
            double fraction = random.nextDouble();
            // Without unknown tokens most windows are short: the length is log-uniform.
            int window = (int) (hidesTokens ? fraction * (length + 1) : Math.pow(length + 1.0, fraction) - 1);
            double rate = hidesTokens ? random.nextDouble() : settings.unknownRate;
            return new Part(document, random.nextInt(length - window + 1), window, rate, random);
        }

        @Override
        public int length(int index) {
            return part(index).length;
        }

        @Override
        public int[] tokens(int index) {
            Part part = part(index);
            int[] tokens = Arrays.copyOfRange(documents.tokens(part.document), part.start, part.start + part.length);
            for (int i = 0; i < tokens.length; i++) {
                if (part.random.nextDouble() < part.unknownRate) {
                    tokens[i] = Vocabulary.UNKNOWN;
                }
            }
            return tokens;
        }

        @Override
        public int[] labels(int index) {
            return documents.labels(part(index).document);
        }

        /** Partial documents have none: their evidence may be cut or hidden. */
        @Override
        public List<TokenEvidence> evidence(int index) {
            return index < documents.size() ? documents.evidence(index) : List.of();
        }
    }
}
