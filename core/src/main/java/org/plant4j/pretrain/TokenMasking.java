package org.plant4j.pretrain;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import org.plant4j.encoder.BertEncoder;
import org.plant4j.text.Vocabulary;

/**
 * Selects the tokens of a row to predict. Of these, 80 % are replaced by the mask token, 10 % by a random token and 10
 * % are unchanged (Devlin et al.: BERT, 2019, section 3.1). The result depends on seed, epoch and row only. Unknown and
 * special tokens are never selected nor used as replacement.
 */
final class TokenMasking {

    /** The epoch of held-out rows, which are always masked in the same way. */
    static final int FIXED = -1;

    private static final double MASKED = 0.8; // fraction
    private static final double REPLACED = 0.9; // fraction masked or replaced

    private final double maskRate;
    private final BertEncoder.Config special;
    private final int vocabularySize;
    private final BitSet continuation;
    private final long seed;

    /** {@code continuation} tokens are masked together with the token before them. */
    TokenMasking(double maskRate, BertEncoder.Config special, int vocabularySize, BitSet continuation, long seed) {
        this.maskRate = maskRate;
        this.special = special;
        this.vocabularySize = vocabularySize;
        this.continuation = continuation;
        this.seed = seed;
    }

    /** The masked row, the positions to predict in ascending order, and the original tokens there. */
    @SuppressWarnings("ArrayRecordComponent")
    // lives for one step, never compared
    record MaskedRow(int[] tokens, int[] positions, int[] targets) {}

    boolean isMaskable(int token) {
        return token > Vocabulary.UNKNOWN
                && token != special.begin()
                && token != special.end()
                && token != special.mask();
    }

    /** Masks a row, which must have a maskable token. */
    MaskedRow mask(int[] row, int epoch, int number) {
        SplittableRandom random = new SplittableRandom(((seed * 1_000_003 + epoch) << 32) + number);
        int[] positions = selectPositions(row, random);
        int[] tokens = row.clone();
        for (int position : positions) {
            double draw = random.nextDouble();
            if (draw < MASKED) {
                tokens[position] = special.mask();
            } else if (draw < REPLACED) {
                tokens[position] = randomToken(random);
            }
        }
        return new MaskedRow(
                tokens,
                positions,
                Arrays.stream(positions).map(position -> row[position]).toArray());
    }

    /** Selects words, or single tokens, in random order as long as they fit into the rate, but at least one. */
    private int[] selectPositions(int[] row, SplittableRandom random) {
        List<Unit> units = units(row);
        int wanted = (int) Math.round(
                maskRate * Arrays.stream(row).filter(this::isMaskable).count());
        BitSet selected = new BitSet(row.length);
        int count = 0;
        for (int remaining = units.size(); remaining > 0 && count < Math.max(1, wanted); remaining--) {
            int drawn = random.nextInt(remaining);
            Unit unit = units.get(drawn);
            units.set(drawn, units.get(remaining - 1));
            if (count == 0 || count + unit.size() <= wanted) {
                selected.set(unit.start, unit.end);
                count += unit.size();
            }
        }
        return selected.stream().toArray();
    }

    /** A word or a single token. */
    private record Unit(int start, int end) {
        int size() {
            return end - start;
        }
    }

    private List<Unit> units(int[] row) {
        List<Unit> units = new ArrayList<>();
        int start = 0;
        while (start < row.length) {
            int end = start + 1;
            if (isMaskable(row[start])) {
                while (end < row.length && continuation.get(row[end]) && isMaskable(row[end])) {
                    end++;
                }
                units.add(new Unit(start, end));
            }
            start = end;
        }
        return units;
    }

    private int randomToken(SplittableRandom random) {
        int token = Vocabulary.UNKNOWN;
        while (!isMaskable(token)) {
            token = random.nextInt(Vocabulary.UNKNOWN + 1, vocabularySize);
        }
        return token;
    }
}
