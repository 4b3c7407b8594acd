package org.plant4j.pretrain.vectors;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.stream.IntStream;

/** One of several workers that train copies of the same vectors on different documents and are averaged at intervals. */
final class CbowWorker {

    private static final float SIGMOID_RANGE = 6; // beyond it the sigmoid is taken as 0 or 1
    private static final float[] SIGMOID = new float[1201]; // in steps of 0.01

    static {
        for (int i = 0; i < SIGMOID.length; i++) {
            SIGMOID[i] = (float) (1 / (1 + Math.exp(SIGMOID_RANGE - i * 0.01)));
        }
    }

    private final CbowWordVectors.Config config;
    private final TokenSampler sampler;
    private final SplittableRandom random;
    private final float[][] input; // vectors of context tokens (V, E), the result
    private final float[][] output; // vectors of predicted tokens (V, E)
    private final boolean[] inputUpdated; // since the last averaging
    private final boolean[] outputUpdated;
    private final float[] mean;
    private final float[] error;

    private CbowWorker(
            CbowWordVectors.Config config,
            TokenSampler sampler,
            SplittableRandom random,
            float[][] input,
            float[][] output) {
        this.config = config;
        this.sampler = sampler;
        this.random = random;
        this.input = input;
        this.output = output;
        inputUpdated = new boolean[input.length];
        outputUpdated = new boolean[input.length];
        mean = new float[config.size()];
        error = new float[config.size()];
    }

    /** The common initial state: random input vectors, zero output vectors. */
    static CbowWorker initial(CbowWordVectors.Config config, TokenSampler sampler, int vocabularySize, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        float[][] input = new float[vocabularySize][config.size()];
        for (float[] row : input) {
            for (int i = 0; i < row.length; i++) {
                row[i] = (float) ((random.nextDouble() - 0.5) / row.length);
            }
        }
        return new CbowWorker(config, sampler, random, input, new float[vocabularySize][config.size()]);
    }

    /** A copy with its own random numbers. */
    CbowWorker fork(long seed) {
        return new CbowWorker(config, sampler, new SplittableRandom(seed), copy(input), copy(output));
    }

    private static float[][] copy(float[][] rows) {
        return Arrays.stream(rows).map(float[]::clone).toArray(float[][]::new);
    }

    int size() {
        return config.size();
    }

    float[][] vectors() {
        return input;
    }

    /** Trains on a document with the given fraction of the initial learning rate. */
    void train(int[] document, double remainingRate) {
        int[] kept = IntStream.of(document)
                .filter(token -> sampler.count(token) > 0 && !sampler.isSubsampled(token, random))
                .toArray();
        float rate = (float) (config.learningRate() * remainingRate);
        for (int at = 0; at < kept.length; at++) {
            int reach = 1 + random.nextInt(config.window());
            int from = Math.max(0, at - reach);
            int to = Math.min(kept.length - 1, at + reach);
            if (to > from) {
                trainWindow(kept, at, from, to, rate);
            }
        }
    }

    private void trainWindow(int[] tokens, int at, int from, int to, float rate) {
        Arrays.fill(mean, 0);
        Arrays.fill(error, 0);
        for (int i = from; i <= to; i++) {
            if (i != at) {
                add(mean, input[tokens[i]], 1f / (to - from));
            }
        }
        updateTarget(tokens[at], 1, rate);
        for (int i = 0; i < config.negatives(); i++) {
            int negative = sampler.sampleNegative(random);
            if (negative != tokens[at]) {
                updateTarget(negative, 0, rate);
            }
        }
        for (int i = from; i <= to; i++) {
            if (i != at) {
                add(input[tokens[i]], error, 1);
                inputUpdated[tokens[i]] = true;
            }
        }
    }

    /** One step of logistic regression of {@code target} on the mean context. */
    private void updateTarget(int token, int target, float rate) {
        float[] row = output[token];
        float step = (target - sigmoid(dot(mean, row))) * rate;
        add(error, row, step);
        add(row, mean, step);
        outputUpdated[token] = true;
    }

    private static float sigmoid(float x) {
        return SIGMOID[Math.round((Math.max(-SIGMOID_RANGE, Math.min(SIGMOID_RANGE, x)) + SIGMOID_RANGE) * 100)];
    }

    /** Four independent sums, which the CPU computes in parallel. */
    private static float dot(float[] a, float[] b) {
        float s0 = 0;
        float s1 = 0;
        float s2 = 0;
        float s3 = 0;
        int i = 0;
        for (; i + 3 < a.length; i += 4) {
            s0 += a[i] * b[i];
            s1 += a[i + 1] * b[i + 1];
            s2 += a[i + 2] * b[i + 2];
            s3 += a[i + 3] * b[i + 3];
        }
        for (; i < a.length; i++) {
            s0 += a[i] * b[i];
        }
        return s0 + s1 + s2 + s3;
    }

    private static void add(float[] sum, float[] vector, float factor) {
        for (int i = 0; i < sum.length; i++) {
            sum[i] += factor * vector[i];
        }
    }

    /** Sets each vector, here and in all workers, to the mean over the workers that updated it. */
    void average(List<CbowWorker> workers) {
        IntStream.range(0, input.length).parallel().forEach(token -> {
            average(token, workers, worker -> worker.inputUpdated, worker -> worker.input);
            average(token, workers, worker -> worker.outputUpdated, worker -> worker.output);
        });
        for (CbowWorker worker : workers) {
            Arrays.fill(worker.inputUpdated, false);
            Arrays.fill(worker.outputUpdated, false);
        }
    }

    private void average(
            int token,
            List<CbowWorker> workers,
            Function<CbowWorker, boolean[]> updated,
            Function<CbowWorker, float[][]> vectors) {
        List<CbowWorker> updaters =
                workers.stream().filter(worker -> updated.apply(worker)[token]).toList();
        if (updaters.isEmpty()) {
            return;
        }
        float[] row = vectors.apply(this)[token];
        Arrays.fill(row, 0);
        for (CbowWorker worker : updaters) {
            add(row, vectors.apply(worker)[token], 1f / updaters.size());
        }
        for (CbowWorker worker : workers) {
            System.arraycopy(row, 0, vectors.apply(worker)[token], 0, row.length);
        }
    }
}
