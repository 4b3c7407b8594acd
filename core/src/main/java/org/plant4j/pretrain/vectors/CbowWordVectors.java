package org.plant4j.pretrain.vectors;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.plant4j.support.Progress;
import org.plant4j.text.Vocabulary;

/**
 * Word vectors from text without labels: the mean of a word's neighbours is to tell the word from others drawn at random.
 *
 * <p>Mikolov et al.: Efficient Estimation of Word Representations in Vector Space, 2013 (continuous bag of words), with
 * negative sampling and subsampling of frequent words as in their second paper of that year.
 *
 * <p>Texts are dealt to a fixed number of learners, whatever the number of threads. Each goes a way of its own for a while;
 * then a word's vector becomes the mean of those of the learners that met it. So equal seeds give equal vectors, and a
 * rare word keeps all that its only learner found. Memory: 8 bytes × vocabulary × size × (learners + 1). Speed: ten million
 * tokens at 200 numbers a word took 71 s on a busy machine of two cores.
 */
public final class CbowWordVectors {

    static final int WORKERS = 4;

    /** Tokens a learner reads before it meets the others again. */
    private static final int TOKENS_BETWEEN_AVERAGING = 20_000;

    private CbowWordVectors() {}

    /**
     * How word vectors are learned.
     *
     * @param size numbers a word
     * @param window how many tokens away a neighbour may stand; each time a number up to it is drawn
     * @param negatives words drawn against each that is there
     * @param smoothing exponent of the counts by which they are drawn
     * @param subsample words more frequent than this share of the text are skipped now and then; 0: none is
     * @param epochs how often the text is read
     * @param learningRate of the first word; it falls evenly to nothing. As the learners' mean is taken, frequent words
     *     move a quarter as far as they would with a single learner
     * @param scale root mean square of the numbers of a vector
     */
    public record Config(
            int size,
            int window,
            int negatives,
            double smoothing,
            double subsample,
            int epochs,
            double learningRate,
            double scale)
            implements WordVectorConfig {

        public Config {
            check(size >= 1, "size", size, ">= 1");
            check(window >= 1, "window", window, ">= 1");
            check(negatives >= 1, "negatives", negatives, ">= 1");
            check(smoothing > 0 && smoothing <= 1, "smoothing", smoothing, "> 0 and <= 1");
            check(subsample >= 0 && subsample < 1, "subsample", subsample, ">= 0 and < 1");
            check(epochs >= 1, "epochs", epochs, ">= 1");
            check(learningRate > 0 && learningRate <= 1, "learningRate", learningRate, "> 0 and <= 1");
            check(scale > 0 && scale < Double.POSITIVE_INFINITY, "scale", scale, "> 0");
        }

        /** What serves most corpora. */
        public static Config of(int size) {
            return new Config(size, 5, 5, 0.75, 1e-3, 10, 0.2, 0.1);
        }

        private static void check(boolean holds, String name, Number value, String expected) {
            if (!holds) {
                throw new IllegalArgumentException(name + ": " + value + " (expected: " + expected + ")");
            }
        }

        @Override
        public float[][] train(int vocabularySize, Iterable<int[]> documents, long seed, Progress progress) {
            return CbowWordVectors.learn(this, vocabularySize, documents, seed, progress);
        }
    }

    private static float[][] learn(
            Config config, int vocabularySize, Iterable<int[]> documents, long seed, Progress progress) {
        if (vocabularySize <= Vocabulary.UNKNOWN) {
            throw new IllegalArgumentException("vocabularySize: " + vocabularySize + " (expected: >= 2)");
        }
        long[] counts = new long[vocabularySize];
        long tokens = 0;
        long texts = 0;
        for (int[] document : documents) {
            for (int word : document) {
                counts[word]++;
            }
            tokens += document.length;
            texts++;
        }
        TokenSampler words = new TokenSampler(counts, config.smoothing(), config.subsample());
        if (words.distinct() < 2) {
            return new float[vocabularySize][config.size()]; // there is nothing to tell a word from
        }
        CbowWorker shared = CbowWorker.initial(config, words, vocabularySize, seed);
        List<CbowWorker> learners = IntStream.range(0, WORKERS)
                .mapToObj(i -> shared.fork(seed * 31 + i + 1))
                .toList();
        try (Progress.Task task = progress.start("word vectors", config.epochs() * texts)) {
            DocumentDispatcher dealing = new DocumentDispatcher(shared, learners, tokens * config.epochs(), task);
            for (int epoch = 0; epoch < config.epochs(); epoch++) {
                documents.forEach(dealing::deal);
            }
            dealing.learn();
        }
        return scaled(shared, words, config.scale());
    }

    /** Gathers texts for the learners until each has enough. */
    private static final class DocumentDispatcher {

        private final CbowWorker shared;
        private final List<CbowWorker> learners;
        private final long tokens;
        private final Progress.Task task;
        private final List<int[]> pending = new ArrayList<>();
        private long gathered;
        private long read;

        DocumentDispatcher(CbowWorker shared, List<CbowWorker> learners, long tokens, Progress.Task task) {
            this.shared = shared;
            this.learners = learners;
            this.tokens = tokens;
            this.task = task;
        }

        void deal(int[] document) {
            pending.add(document);
            gathered += document.length;
            if (gathered >= (long) TOKENS_BETWEEN_AVERAGING * learners.size()) {
                learn();
            }
        }

        void learn() {
            double left = Math.max(1e-4, 1 - (double) read / Math.max(1, tokens));
            IntStream.range(0, learners.size()).parallel().forEach(i -> {
                for (int document = i; document < pending.size(); document += learners.size()) {
                    learners.get(i).train(pending.get(document), left);
                }
            });
            shared.average(learners);
            task.advance(pending.size());
            read += gathered;
            gathered = 0;
            pending.clear();
        }
    }

    private static float[][] scaled(CbowWorker shared, TokenSampler words, double scale) {
        float[][] vectors = shared.vectors();
        double squares = 0;
        for (int word = 0; word < vectors.length; word++) {
            if (words.count(word) == 0) {
                vectors[word] = new float[shared.size()];
            }
            for (float value : vectors[word]) {
                squares += (double) value * value;
            }
        }
        double factor = scale / Math.sqrt(squares / words.distinct() / shared.size());
        for (float[] row : vectors) {
            for (int i = 0; i < row.length; i++) {
                row[i] = (float) (row[i] * factor);
            }
        }
        return vectors;
    }
}
