package org.plant4j.pretrain.vectors;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.plant4j.Progress;
import org.plant4j.support.Arguments;

/**
 * Word vectors by continuous bag of words: the mean vector of a token's context predicts the token against random ones.
 *
 * <p>Mikolov et al.: Efficient Estimation of Word Representations in Vector Space, 2013, with negative sampling and
 * subsampling of frequent tokens as in their second paper of that year.
 *
 * <p>Documents are distributed over a fixed number of workers, independent of the number of threads. Workers train
 * separate copies; at intervals the vector of a token becomes the mean over the workers that updated it. So equal seeds
 * give equal vectors, and a rare token keeps all updates of its only worker. Memory: 8 bytes × vocabulary × size × (workers
 * + 1). Ten million tokens with vectors of size 200 took 71 s on two busy cores.
 */
public final class CbowWordVectors {

    static final int WORKERS = 4;

    private static final int TOKENS_BETWEEN_AVERAGING = 20_000; // per worker

    private CbowWordVectors() {}

    /**
     * Training of CBOW vectors.
     *
     * @param size of a vector
     * @param window largest distance of a context token; the actual one is drawn uniformly from 1 to this
     * @param negatives random tokens per predicted token
     * @param smoothing exponent of the counts by which random tokens are sampled
     * @param subsample tokens whose frequency is above this fraction of the text are skipped at random; 0 skips none
     * @param learningRate initial rate, which falls linearly to zero. As workers are averaged, frequent tokens move a
     *     quarter as far as with a single worker
     * @param scale root mean square of the components of a vector
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
            Arguments.atLeast(1, "size", size);
            Arguments.atLeast(1, "window", window);
            Arguments.atLeast(1, "negatives", negatives);
            Arguments.check(smoothing > 0 && smoothing <= 1, "smoothing", smoothing, "> 0 and <= 1");
            Arguments.rate("subsample", subsample);
            Arguments.atLeast(1, "epochs", epochs);
            Arguments.check(learningRate > 0 && learningRate <= 1, "learning_rate", learningRate, "> 0 and <= 1");
            Arguments.positive("scale", scale);
        }

        /** Settings that suit most corpora. */
        public static Config of(int size) {
            return new Config(size, 5, 5, 0.75, 1e-3, 10, 0.2, 0.1);
        }

        @Override
        public float[][] train(int vocabularySize, Iterable<int[]> documents, long seed, Progress progress) {
            return CbowWordVectors.train(this, vocabularySize, documents, seed, progress);
        }
    }

    private static float[][] train(
            Config config, int vocabularySize, Iterable<int[]> documents, long seed, Progress progress) {
        Arguments.atLeast(2, "vocabularySize", vocabularySize);
        long[] counts = new long[vocabularySize];
        long documentCount = 0;
        for (int[] document : documents) {
            for (int token : document) {
                counts[token]++;
            }
            documentCount++;
        }
        TokenSampler sampler = new TokenSampler(counts, config.smoothing(), config.subsample());
        if (sampler.distinct() < 2) {
            return new float[vocabularySize][config.size()]; // no other token to sample as a negative
        }
        CbowWorker shared = CbowWorker.initial(config, sampler, vocabularySize, seed);
        List<CbowWorker> workers = IntStream.range(0, WORKERS)
                .mapToObj(i -> shared.fork(seed * 31 + i + 1))
                .toList();
        long tokens = Arrays.stream(counts).sum();
        try (Progress.Task task = progress.start("word vectors", config.epochs() * documentCount)) {
            DocumentDispatcher dispatcher = new DocumentDispatcher(shared, workers, tokens * config.epochs(), task);
            for (int epoch = 0; epoch < config.epochs(); epoch++) {
                documents.forEach(dispatcher::add);
            }
            dispatcher.train();
        }
        return scaled(shared, sampler, config.scale());
    }

    /** Collects documents until every worker has enough, then trains the workers and averages them. */
    private static final class DocumentDispatcher {

        private final CbowWorker shared;
        private final List<CbowWorker> workers;
        private final long totalTokens;
        private final Progress.Task task;
        private final List<int[]> pending = new ArrayList<>();
        private long pendingTokens;
        private long trainedTokens;

        DocumentDispatcher(CbowWorker shared, List<CbowWorker> workers, long totalTokens, Progress.Task task) {
            this.shared = shared;
            this.workers = workers;
            this.totalTokens = totalTokens;
            this.task = task;
        }

        void add(int[] document) {
            pending.add(document);
            pendingTokens += document.length;
            if (pendingTokens >= (long) TOKENS_BETWEEN_AVERAGING * workers.size()) {
                train();
            }
        }

        void train() {
            double remaining = Math.max(1e-4, 1 - (double) trainedTokens / Math.max(1, totalTokens));
            IntStream.range(0, workers.size()).parallel().forEach(i -> {
                for (int document = i; document < pending.size(); document += workers.size()) {
                    workers.get(i).train(pending.get(document), remaining);
                }
            });
            shared.average(workers);
            task.advance(pending.size());
            trainedTokens += pendingTokens;
            pendingTokens = 0;
            pending.clear();
        }
    }

    private static float[][] scaled(CbowWorker shared, TokenSampler sampler, double scale) {
        float[][] vectors = shared.vectors();
        double squares = 0;
        for (int token = 0; token < vectors.length; token++) {
            if (sampler.count(token) == 0) {
                vectors[token] = new float[shared.size()];
            }
            for (float value : vectors[token]) {
                squares += (double) value * value;
            }
        }
        double factor = scale / Math.sqrt(squares / sampler.distinct() / shared.size());
        for (float[] vector : vectors) {
            for (int i = 0; i < vector.length; i++) {
                vector[i] = (float) (vector[i] * factor);
            }
        }
        return vectors;
    }
}
