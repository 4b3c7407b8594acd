package org.plant4j.pretrain;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.plant4j.UserError;
import org.plant4j.text.Dataset;
import org.plant4j.text.Vocabulary;

/**
 * Unlabelled documents as token streams, for training and held out. A stream takes 4 bytes per token.
 *
 * <p>Each document starts with a padding token: its zero vector marks the start, and it is never a target. The unknown
 * token is not suitable: in a corpus without unknown tokens it would come to represent the start of a document.
 */
final class PretrainingTexts {

    private static final int BEGIN = Vocabulary.PADDING;

    private final List<? extends Dataset> datasets;
    private final boolean backward;
    private final long seed;
    private final List<Place> training;
    private final List<Place> heldOut;

    private record Place(int dataset, int document) {}

    /**
     * {@code backward} reverses every document; {@code section} is the section of the settings to name in errors. The
     * seed alone determines which documents are held out.
     */
    PretrainingTexts(
            List<? extends Dataset> datasets, double heldOutFraction, boolean backward, long seed, String section) {
        this.datasets = List.copyOf(datasets);
        this.backward = backward;
        this.seed = seed;
        List<Place> all = new ArrayList<>();
        for (int dataset = 0; dataset < datasets.size(); dataset++) {
            for (int document = 0; document < datasets.get(dataset).size(); document++) {
                if (datasets.get(dataset).length(document) > 0) {
                    all.add(new Place(dataset, document));
                }
            }
        }
        int held = heldOutFraction == 0 ? 0 : Math.max(1, (int) Math.round(heldOutFraction * all.size()));
        if (held >= all.size()) {
            throw new UserError(
                    "Too little text: " + held + " of " + all.size() + " documents would be held out",
                    section + ".held_out",
                    "add text under `unlabelled`, or set " + section + ".held_out: 0");
        }
        Collections.shuffle(all, new Random(seed));
        this.heldOut = all.subList(0, held);
        this.training = all.subList(held, all.size());
    }

    boolean hasHeldOut() {
        return !heldOut.isEmpty();
    }

    /** The training documents in an order that depends on seed and epoch. */
    int[] trainingStream(int epoch) {
        List<Place> order = new ArrayList<>(training);
        Collections.shuffle(order, new Random(seed * 1_000_003 + epoch));
        return stream(order);
    }

    int[] heldOutStream() {
        return stream(heldOut);
    }

    private int[] stream(List<Place> places) {
        long size = 0;
        for (Place place : places) {
            size += 1L + datasets.get(place.dataset).length(place.document);
        }
        if (size > Integer.MAX_VALUE - 8) {
            throw new UserError("Too much text: " + size + " tokens", "unlabelled", "use at most 2147483639 tokens");
        }
        int[] stream = new int[(int) size];
        int next = 0;
        for (Place place : places) {
            stream[next++] = BEGIN;
            int[] tokens = datasets.get(place.dataset).tokens(place.document);
            for (int i = 0; i < tokens.length; i++) {
                stream[next++] = tokens[backward ? tokens.length - 1 - i : i];
            }
        }
        return stream;
    }
}
