package org.plant4j.metric;

import java.util.ArrayList;
import java.util.List;

/** The random data of golden.py, from the same generator: ties, empty rows, one-class and unseen labels. */
@SuppressWarnings("ArrayRecordComponent")
public // never compared
record GoldenData(int[] frequency, LabelSet[] gold, float[][] scores) {

    static final int DOCUMENTS = 120;
    static final int LABELS = 40;
    static final int UNSEEN = 6;
    static final int TRAIN_DOCUMENTS = 700;

    private static final int[] FREQUENCIES = {0, 1, 4, 8, 30, 80, 300, 650};

    static GoldenData of(String kind) {
        Generator random = new Generator(List.of("empty", "full", "unseen").indexOf(kind) + 1L);
        int[] frequency = new int[LABELS];
        for (int label = 0; label < LABELS; label++) {
            frequency[label] = FREQUENCIES[random.next(8)];
        }
        LabelSet[] gold = new LabelSet[DOCUMENTS];
        float[][] scores = new float[DOCUMENTS][LABELS];
        for (int d = 0; d < DOCUMENTS; d++) {
            List<Integer> labels = new ArrayList<>();
            for (int l = 0; l < LABELS + UNSEEN; l++) {
                boolean isGold =
                        random.next(100) < 8 && l != 3 && (l < LABELS || kind.equals("unseen")) && l != LABELS + 2;
                isGold = kind.equals("full") ? isGold || l == 5 : isGold && d % 10 != 7;
                if (isGold) {
                    labels.add(l);
                }
                if (l < LABELS) {
                    int score = random.next(33);
                    scores[d][l] = (score + (isGold && random.next(4) > 0 ? 16 : 0)) / 64f;
                }
            }
            gold[d] = LabelSet.of(labels);
        }
        return new GoldenData(frequency, gold, scores);
    }

    private static final class Generator {

        private long state;

        Generator(long seed) {
            state = seed;
        }

        int next(int n) {
            state = state * 6364136223846793005L + 1442695040888963407L;
            return (int) ((state >>> 33) % n);
        }
    }
}
