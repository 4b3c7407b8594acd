package org.plant4j.pretrain;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.plant4j.support.UserError;
import org.plant4j.text.Dataset;
import org.plant4j.text.Vocabulary;

/**
 * Texts without their labels, laid end to end: some are learned from, the others held out to measure on. A stream takes 4
 * bytes a token.
 *
 * <p>Before each text stands padding: read as a zero vector it says that something new begins, and it is never predicted.
 * An unknown word would not do: where every word is known it would come to mean a beginning alone, and mislead whoever
 * reads an unknown word later.
 */
public final class PretrainingTexts {

    private static final int BEGIN = Vocabulary.PADDING;

    private final List<? extends Dataset> parts;
    private final boolean backward;
    private final long seed;
    private final List<Place> learned;
    private final List<Place> heldOut;

    private record Place(int part, int document) {}

    /**
     * {@code backward} turns every text round; {@code section} names the settings to mend where there is too little text.
     * Which texts are held out hangs on the seed alone.
     */
    PretrainingTexts(List<? extends Dataset> parts, double heldOutShare, boolean backward, long seed, String section) {
        this.parts = List.copyOf(parts);
        this.backward = backward;
        this.seed = seed;
        List<Place> all = new ArrayList<>();
        for (int part = 0; part < parts.size(); part++) {
            for (int document = 0; document < parts.get(part).size(); document++) {
                if (parts.get(part).length(document) > 0) {
                    all.add(new Place(part, document));
                }
            }
        }
        int held = heldOutShare == 0 ? 0 : Math.max(1, (int) Math.round(heldOutShare * all.size()));
        if (held >= all.size()) {
            throw new UserError(
                    "A language model cannot learn from " + all.size() + " texts of which " + held + " are held out",
                    section + ".held_out",
                    "name more text under `unlabelled`, or set " + section + ".held_out: 0");
        }
        Collections.shuffle(all, new Random(seed));
        this.heldOut = all.subList(0, held);
        this.learned = all.subList(held, all.size());
    }

    boolean hasHeldOut() {
        return !heldOut.isEmpty();
    }

    /** The texts to learn from, in an order that is a function of seed and epoch. */
    int[] trainingStream(int epoch) {
        List<Place> order = new ArrayList<>(learned);
        Collections.shuffle(order, new Random(seed * 1_000_003 + epoch));
        return stream(order);
    }

    int[] heldOutStream() {
        return stream(heldOut);
    }

    private int[] stream(List<Place> places) {
        long size = 0;
        for (Place place : places) {
            size += 1L + parts.get(place.part).length(place.document);
        }
        if (size > Integer.MAX_VALUE - 8) {
            throw new UserError("The texts have " + size + " tokens", "unlabelled", "name fewer: at most 2147483639");
        }
        int[] stream = new int[(int) size];
        int next = 0;
        for (Place place : places) {
            stream[next++] = BEGIN;
            int[] text = parts.get(place.part).tokens(place.document);
            for (int i = 0; i < text.length; i++) {
                stream[next++] = text[backward ? text.length - 1 - i : i];
            }
        }
        return stream;
    }
}
