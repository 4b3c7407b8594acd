package org.plant4j.model.matching;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.plant4j.support.Arguments;
import org.plant4j.text.Dataset;
import org.plant4j.text.TokenEvidence;

/**
 * Estimates for each token of a document how likely it is to be in a mention, and to be the first or last token of one, from the
 * token, its prefixes and suffixes, and the words around it. So a phrase can be recognized as a mention in this place even if
 * no training document has it, and a phrase that is often a mention as none.
 *
 * <p>Three logistic regressions on hashed features (Weinberger et al.: Feature Hashing for Large Scale Multitask Learning, ICML
 * 2009) with AdaGrad; weights have 8 bits.
 */
final class MentionTagger {

    /** Probabilities by token. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Tags(float[] inside, float[] first, float[] last) {

        /** The mean of {@code values} from {@code start} to {@code end}, exclusive. */
        static float mean(float[] values, int start, int end) {
            float sum = 0;
            for (int i = start; i < end; i++) {
                sum += values[i];
            }
            return sum / (end - start);
        }
    }

    static final int TAGS = 3;
    private static final int FIRST = 1;
    private static final int LAST = 2;

    static final int BITS = 17; // of the hash
    private static final int MAX_LENGTH = 12; // of evidence; what is longer is a passage
    private static final int CONTEXT = 3; // words before and after
    private static final int OUTSIDE = -2; // before the first and after the last word
    private static final int EPOCHS = 6;
    private static final double LEARNING_RATE = 0.2;
    private static final double DECAY = 1e-5;
    private static final long SEED = 5;

    private final LooseStems stems;
    private final byte[][] weights; // by tag and feature
    private final float[] scales; // of the weights, by tag

    MentionTagger(LooseStems stems, byte[][] weights, float[] scales) {
        Arguments.check(weights.length == TAGS, "tags", weights.length, "" + TAGS);
        Arguments.check(scales.length == TAGS, "scales", scales.length, "" + TAGS);
        for (byte[] row : weights) {
            Arguments.check(row.length == 1 << BITS, "weights", row.length, "" + (1 << BITS));
        }
        this.stems = stems;
        this.weights = weights;
        this.scales = scales;
    }

    byte[][] weights() {
        return weights;
    }

    float[] scales() {
        return scales;
    }

    /** Trains on some documents, given by index. */
    static MentionTagger train(LooseStems stems, Dataset documents, int[] chosen) {
        byte[][] weights = new byte[TAGS][];
        float[] scales = new float[TAGS];
        IntStream.range(0, TAGS).parallel().forEach(tag -> {
            float[] trained = train(stems, documents, chosen, tag);
            float highest = 1e-6f;
            for (float weight : trained) {
                highest = Math.max(highest, Math.abs(weight));
            }
            scales[tag] = highest / Byte.MAX_VALUE;
            weights[tag] = new byte[trained.length];
            for (int i = 0; i < trained.length; i++) {
                weights[tag][i] = (byte) Math.round(trained[i] / scales[tag]);
            }
        });
        return new MentionTagger(stems, weights, scales);
    }

    private static float[] train(LooseStems stems, Dataset documents, int[] chosen, int tag) {
        float[] weights = new float[1 << BITS];
        float[] squares = new float[1 << BITS]; // sums of squared gradients
        Random random = new Random(SEED);
        List<Integer> order = new ArrayList<>(Arrays.stream(chosen).boxed().toList());
        for (int epoch = 0; epoch < EPOCHS; epoch++) {
            Collections.shuffle(order, random);
            for (int document : order) {
                int[] words = stems.of(documents.tokens(document));
                boolean[] tagged = tagged(documents.evidence(document), words.length, tag);
                for (int position = 0; position < words.length; position++) {
                    int[] features = features(stems, words, position);
                    double logit = 0;
                    for (int feature : features) {
                        logit += weights[feature];
                    }
                    double error = sigmoid(logit) - (tagged[position] ? 1 : 0);
                    for (int feature : features) {
                        double gradient = error + DECAY * weights[feature];
                        squares[feature] += (float) (gradient * gradient);
                        weights[feature] -= (float) (LEARNING_RATE * gradient / Math.sqrt(squares[feature] + 1e-3));
                    }
                }
            }
        }
        return weights;
    }

    private static boolean[] tagged(List<TokenEvidence> evidence, int length, int tag) {
        boolean[] tagged = new boolean[length];
        for (TokenEvidence phrase : evidence) {
            if (phrase.end() - phrase.start() <= MAX_LENGTH) {
                int from = tag == LAST ? phrase.end() - 1 : phrase.start();
                int to = tag == FIRST ? phrase.start() + 1 : phrase.end();
                Arrays.fill(tagged, from, to, true);
            }
        }
        return tagged;
    }

    private static double sigmoid(double logit) {
        return 1 / (1 + Math.exp(-logit));
    }

    Tags tag(int[] document) {
        int[] words = stems.of(document);
        float[][] tags = new float[TAGS][words.length];
        for (int position = 0; position < words.length; position++) {
            int[] features = features(stems, words, position);
            for (int tag = 0; tag < TAGS; tag++) {
                int sum = 0;
                for (int feature : features) {
                    sum += weights[tag][feature];
                }
                tags[tag][position] = (float) sigmoid((double) scales[tag] * sum);
            }
        }
        return new Tags(tags[0], tags[FIRST], tags[LAST]);
    }

    /** The features of a word: words around it, pairs of them, and beginnings and ends of it and its neighbours. */
    static int[] features(LooseStems stems, int[] words, int position) {
        IntStream.Builder features = IntStream.builder();
        features.add(hash(0, 0, 0));
        for (int offset = -CONTEXT; offset <= CONTEXT; offset++) {
            features.add(hash(1, word(words, position + offset), offset));
        }
        int before = word(words, position - 1);
        int here = words[position];
        int after = word(words, position + 1);
        features.add(hash(2, before, here));
        features.add(hash(3, here, after));
        features.add(hash(4, before, after));
        features.add(hash(5, word(words, position - 2), before));
        features.add(hash(6, after, word(words, position + 2)));
        for (int offset = -1; offset <= 1; offset++) {
            int stem = word(words, position + offset);
            String text = stem < 0 ? "" : stems.text(stem);
            for (int length = 3; length <= Math.min(5, text.length()); length++) {
                features.add(hash(4 + length, text.substring(0, length).hashCode(), offset));
                features.add(
                        hash(7 + length, text.substring(text.length() - length).hashCode(), offset));
            }
        }
        return features.build().toArray();
    }

    private static int word(int[] words, int position) {
        return position < 0 || position >= words.length ? OUTSIDE : words[position];
    }

    private static int hash(int kind, int first, int second) {
        long hash =
                kind * 0x9E3779B97F4A7C15L ^ (first + 7L) * 0xC2B2AE3D27D4EB4FL ^ (second + 5L) * 0x165667B19E3779F9L;
        hash ^= hash >>> 29;
        hash *= 0xBF58476D1CE4E5B9L;
        return (int) (hash >>> (Long.SIZE - BITS));
    }
}
