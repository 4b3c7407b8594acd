package org.plant4j.pretrain.vectors;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** One of several that learn the same vectors on texts of their own; now and then they meet. */
final class CbowWorker {

    private static final float STEEPEST = 6; // beyond it a sigmoid is as good as 0 or 1
    private static final float[] SIGMOID = new float[1201];

    static {
        for (int i = 0; i < SIGMOID.length; i++) {
            SIGMOID[i] = (float) (1 / (1 + Math.exp(STEEPEST - i * 0.01)));
        }
    }

    private final CbowWordVectors.Config config;
    private final TokenSampler words;
    private final SplittableRandom random;
    private final float[][] in; // a word as a neighbour: its vector
    private final float[][] out; // a word as the one in the middle
    private final boolean[] inMet;
    private final boolean[] outMet;
    private final float[] mean;
    private final float[] error;

    private CbowWorker(
            CbowWordVectors.Config config, TokenSampler words, SplittableRandom random, float[][] in, float[][] out) {
        this.config = config;
        this.words = words;
        this.random = random;
        this.in = in;
        this.out = out;
        inMet = new boolean[in.length];
        outMet = new boolean[in.length];
        mean = new float[config.size()];
        error = new float[config.size()];
    }

    /** Where all begin: vectors drawn, those of the middle 0. */
    static CbowWorker initial(CbowWordVectors.Config config, TokenSampler words, int vocabularySize, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        float[][] in = new float[vocabularySize][config.size()];
        for (float[] row : in) {
            for (int i = 0; i < row.length; i++) {
                row[i] = (float) ((random.nextDouble() - 0.5) / row.length);
            }
        }
        return new CbowWorker(config, words, random, in, new float[vocabularySize][config.size()]);
    }

    CbowWorker fork(long seed) {
        return new CbowWorker(config, words, new SplittableRandom(seed), copy(in), copy(out));
    }

    private static float[][] copy(float[][] rows) {
        return Arrays.stream(rows).map(float[]::clone).toArray(float[][]::new);
    }

    int size() {
        return config.size();
    }

    float[][] vectors() {
        return in;
    }

    /** {@code left} is the share of the learning rate that is left. */
    void train(int[] document, double left) {
        int[] kept = IntStream.of(document)
                .filter(word -> words.count(word) > 0 && !words.isSubsampled(word, random))
                .toArray();
        float rate = (float) (config.learningRate() * left);
        for (int at = 0; at < kept.length; at++) {
            int reach = 1 + random.nextInt(config.window());
            int from = Math.max(0, at - reach);
            int to = Math.min(kept.length - 1, at + reach);
            if (to > from) {
                trainWindow(kept, at, from, to, rate);
            }
        }
    }

    private void trainWindow(int[] text, int at, int from, int to, float rate) {
        Arrays.fill(mean, 0);
        Arrays.fill(error, 0);
        for (int i = from; i <= to; i++) {
            if (i != at) {
                add(mean, in[text[i]], 1f / (to - from));
            }
        }
        updateTarget(text[at], 1, rate);
        for (int i = 0; i < config.negatives(); i++) {
            int other = words.sampleNegative(random);
            if (other != text[at]) {
                updateTarget(other, 0, rate);
            }
        }
        for (int i = from; i <= to; i++) {
            if (i != at) {
                add(in[text[i]], error, 1);
                inMet[text[i]] = true;
            }
        }
    }

    private void updateTarget(int word, int truth, float rate) {
        float[] row = out[word];
        float step = (truth - sigmoid(dot(mean, row))) * rate;
        add(error, row, step);
        add(row, mean, step);
        outMet[word] = true;
    }

    private static float sigmoid(float x) {
        return SIGMOID[Math.round((Math.max(-STEEPEST, Math.min(STEEPEST, x)) + STEEPEST) * 100)];
    }

    /** Four sums side by side: a single one would have to wait for itself. */
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

    private static void add(float[] to, float[] what, float times) {
        for (int i = 0; i < to.length; i++) {
            to[i] += times * what[i];
        }
    }

    /** Each vector becomes the mean of those of the learners that met its word, for this one and for all. */
    void average(List<CbowWorker> learners) {
        IntStream.range(0, in.length).parallel().forEach(word -> {
            average(word, learners.stream().filter(one -> one.inMet[word]).toList(), learners, true);
            average(word, learners.stream().filter(one -> one.outMet[word]).toList(), learners, false);
        });
        for (CbowWorker learner : learners) {
            Arrays.fill(learner.inMet, false);
            Arrays.fill(learner.outMet, false);
        }
    }

    private void average(int word, List<CbowWorker> met, List<CbowWorker> all, boolean neighbour) {
        if (met.isEmpty()) {
            return;
        }
        float[] row = (neighbour ? in : out)[word];
        Arrays.fill(row, 0);
        for (CbowWorker one : met) {
            add(row, (neighbour ? one.in : one.out)[word], 1f / met.size());
        }
        for (CbowWorker one : all) {
            System.arraycopy(row, 0, (neighbour ? one.in : one.out)[word], 0, row.length);
        }
    }
}
