package org.plant4j.encoder;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.plant4j.support.Arguments;

/**
 * Documents split into overlapping windows, one row each. All windows of a document have the same length, to limit padding.
 * A token belongs to the window in which it is farthest from a cut, the earlier one if two tie; the ends of a document are
 * not cuts.
 *
 * @param rows the tokens of each window
 * @param documents the document of each row
 * @param starts where the windows of each document start
 */
@SuppressWarnings("ArrayRecordComponent") // lives for one step, never compared
public record SlidingWindows(List<int[]> rows, int[] documents, List<int[]> starts) {

    public SlidingWindows {
        rows = List.copyOf(rows);
        starts = List.copyOf(starts);
    }

    /** Windows of at most {@code window} tokens that share at least {@code overlap} with the next. */
    public static SlidingWindows of(List<int[]> documents, int window, int overlap) {
        check(window, overlap);
        List<int[]> rows = new ArrayList<>();
        List<Integer> owners = new ArrayList<>();
        List<int[]> starts = new ArrayList<>();
        for (int document = 0; document < documents.size(); document++) {
            int[] tokens = documents.get(document);
            int[] from = starts(tokens.length, window, overlap);
            int length = tokens.length == 0 ? 0 : tokens.length - from[from.length - 1];
            for (int start : from) {
                rows.add(Arrays.copyOfRange(tokens, start, start + length));
                owners.add(document);
            }
            starts.add(from);
        }
        return new SlidingWindows(rows, owners.stream().mapToInt(i -> i).toArray(), starts);
    }

    static void check(int window, int overlap) {
        Arguments.atLeast(1, "window", window);
        Arguments.check(overlap >= 0 && overlap < window, "overlap", overlap, ">= 0 and < window, " + window);
    }

    /** Starts of as few windows as possible, evenly spread; the last ends with the document. An empty document has none. */
    private static int[] starts(int tokens, int window, int overlap) {
        int step = window - overlap;
        int count = tokens == 0 ? 0 : tokens <= window ? 1 : (tokens - overlap + step - 1) / step;
        int[] starts = new int[count];
        if (count > 1) {
            int length = Math.toIntExact((tokens + (count - 1L) * overlap + count - 1) / count);
            Arrays.setAll(starts, i -> Math.toIntExact((long) i * (tokens - length) / (count - 1)));
        }
        return starts;
    }

    /**
     * For each token of a batch (B · T) its flat position in the rows (N · M), where a row is {@code rowWidth} wide and its
     * first token is at {@code first}. Padding maps to position 0.
     */
    long[] tokenPositions(int[] lengths, int batchWidth, int rowWidth, int first) {
        long[] positions = new long[lengths.length * batchWidth];
        int row = 0;
        for (int document = 0; document < lengths.length; document++) {
            int[] from = starts.get(document);
            int length = lengths[document] - (from.length == 0 ? 0 : from[from.length - 1]);
            int at = 0;
            for (int t = 0; t < lengths[document]; t++) {
                while (at + 1 < from.length && marginAt(from, at + 1, length, t) > marginAt(from, at, length, t)) {
                    at++;
                }
                positions[document * batchWidth + t] = (long) (row + at) * rowWidth + first + t - from[at];
            }
            row += from.length;
        }
        return positions;
    }

    /** Distance of a token to the nearer cut of a window; negative if it is not in the window. */
    private static int marginAt(int[] from, int at, int length, int token) {
        int before = at == 0 ? Integer.MAX_VALUE : token - from[at];
        int after = at == from.length - 1 ? Integer.MAX_VALUE : from[at] + length - 1 - token;
        return Math.min(before, after);
    }
}
