package org.plant4j.pretrain;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import org.plant4j.encoder.BertEncoder;
import org.plant4j.text.Vocabulary;

/**
 * Chooses the pieces of a row that are to be guessed and hides them: of ten, eight are masked, one is another piece drawn
 * at random, and one stays as it is (Devlin et al.: BERT, 2019, section 3.1). What happens to a row is a function of seed,
 * epoch and row alone. Unknown and special pieces are never chosen, nor drawn.
 */
public final class TokenMasking {

    /** The epoch of what is measured on: hidden always in the same way. */
    static final int FIXED = -1;

    private static final double MASKED = 0.8;
    private static final double REPLACED = 0.9;

    private final double share;
    private final BertEncoder.Config special;
    private final int vocabulary;
    private final BitSet continuing;
    private final long seed;

    /** {@code continuing} are the pieces that are chosen together with the one before them: none, or those of a word. */
    TokenMasking(double share, BertEncoder.Config special, int vocabulary, BitSet continuing, long seed) {
        this.share = share;
        this.special = special;
        this.vocabulary = vocabulary;
        this.continuing = continuing;
        this.seed = seed;
    }

    /** A row as the encoder meets it, the places to be guessed in rising order, and the right pieces there. */
    @SuppressWarnings("ArrayRecordComponent")
    public // made for one step, never compared
    record MaskedRow(int[] tokens, int[] positions, int[] targets) {}

    boolean isMaskable(int piece) {
        return piece > Vocabulary.UNKNOWN
                && piece != special.begin()
                && piece != special.end()
                && piece != special.mask();
    }

    /** The row must have a piece that may be hidden. */
    MaskedRow mask(int[] row, int epoch, int number) {
        SplittableRandom random = new SplittableRandom(((seed * 1_000_003 + epoch) << 32) + number);
        int[] places = choose(row, random);
        int[] pieces = row.clone();
        for (int place : places) {
            double draw = random.nextDouble();
            if (draw < MASKED) {
                pieces[place] = special.mask();
            } else if (draw < REPLACED) {
                pieces[place] = randomToken(random);
            }
        }
        return new MaskedRow(
                pieces, places, Arrays.stream(places).map(place -> row[place]).toArray());
    }

    /** Words, or single pieces, in random order for as long as they fit into the share; one at least. */
    private int[] choose(int[] row, SplittableRandom random) {
        List<Unit> units = units(row);
        int wanted = (int)
                Math.round(share * Arrays.stream(row).filter(this::isMaskable).count());
        BitSet chosen = new BitSet(row.length);
        int count = 0;
        for (int left = units.size(); left > 0 && count < Math.max(1, wanted); left--) {
            int drawn = random.nextInt(left);
            Unit unit = units.get(drawn);
            units.set(drawn, units.get(left - 1));
            if (count == 0 || count + unit.size() <= wanted) {
                chosen.set(unit.start, unit.end);
                count += unit.size();
            }
        }
        return chosen.stream().toArray();
    }

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
                while (end < row.length && continuing.get(row[end]) && isMaskable(row[end])) {
                    end++;
                }
                units.add(new Unit(start, end));
            }
            start = end;
        }
        return units;
    }

    private int randomToken(SplittableRandom random) {
        int piece = Vocabulary.UNKNOWN;
        while (!isMaskable(piece)) {
            piece = random.nextInt(Vocabulary.UNKNOWN + 1, vocabulary);
        }
        return piece;
    }
}
