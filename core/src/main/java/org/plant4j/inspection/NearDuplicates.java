package org.plant4j.inspection;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.plant4j.text.TokenizedText;

/**
 * Finds texts that share most of their three-token sequences with an earlier text, by MinHash: the share of equal minima
 * under random hash functions estimates the Jaccard similarity of two sets.
 */
final class NearDuplicates {

    /** 16 bands of 4 hashes: pairs of similarity 0.8 share a band with a probability above 0.999. */
    private static final int BANDS = 16;

    private static final int ROWS = 4;
    private static final int SHINGLE = 3;
    private static final double MIN_SIMILARITY = 0.8;

    private final Map<Long, List<Integer>> byBand = new HashMap<>();
    private final List<int[]> signatures = new ArrayList<>();
    private final List<String> ids = new ArrayList<>();

    /** Adds a text that later ones are compared with. */
    void add(String id, TokenizedText text) {
        int[] signature = signature(text);
        for (int band = 0; band < BANDS; band++) {
            byBand.computeIfAbsent(key(signature, band), key -> new ArrayList<>(1))
                    .add(ids.size());
        }
        signatures.add(signature);
        ids.add(id);
    }

    /** The id of an added text that is nearly the same; too short texts have none. */
    Optional<String> find(TokenizedText text) {
        if (text.size() < 2 * SHINGLE) {
            return Optional.empty();
        }
        int[] signature = signature(text);
        for (int band = 0; band < BANDS; band++) {
            for (int candidate : byBand.getOrDefault(key(signature, band), List.of())) {
                if (similarity(signature, signatures.get(candidate)) >= MIN_SIMILARITY) {
                    return Optional.of(ids.get(candidate));
                }
            }
        }
        return Optional.empty();
    }

    private static double similarity(int[] a, int[] b) {
        int equal = 0;
        for (int i = 0; i < a.length; i++) {
            equal += a[i] == b[i] ? 1 : 0;
        }
        return equal / (double) a.length;
    }

    private static int[] signature(TokenizedText text) {
        int[] minima = new int[BANDS * ROWS];
        Arrays.fill(minima, Integer.MAX_VALUE);
        for (int i = 0; i + SHINGLE <= text.size(); i++) {
            long shingle = 0;
            for (int j = i; j < i + SHINGLE; j++) {
                shingle = shingle * 1_000_003 + text.tokens().get(j).hashCode();
            }
            for (int h = 0; h < minima.length; h++) {
                minima[h] = Math.min(minima[h], mix(shingle + h * 0x9e3779b97f4a7c15L));
            }
        }
        return minima;
    }

    private static long key(int[] signature, int band) {
        long key = band;
        for (int row = 0; row < ROWS; row++) {
            key = key * 0x100000001b3L + signature[band * ROWS + row];
        }
        return key;
    }

    private static int mix(long value) {
        long mixed = (value ^ (value >>> 33)) * 0xff51afd7ed558ccdL;
        mixed = (mixed ^ (mixed >>> 33)) * 0xc4ceb9fe1a85ec53L;
        return (int) (mixed >>> 32);
    }
}
