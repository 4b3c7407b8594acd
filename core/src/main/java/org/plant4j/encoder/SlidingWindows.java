package org.plant4j.encoder;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Documents cut into overlapping windows, each a row of its own. The windows of a document are of one length, so that
 * little of a row is padding. A token is read in the window where it stands farthest from a cut, the earlier of two; the
 * document's own ends are no cuts.
 */
@SuppressWarnings("ArrayRecordComponent") // made for one step, never compared
public record SlidingWindows(List<int[]> rows, int[] documents, List<int[]> starts) {

    /** {@code documents} says whose window each row is, {@code starts} where each document's windows begin. */
    public SlidingWindows {
        rows = List.copyOf(rows);
        starts = List.copyOf(starts);
    }

    /** At most {@code window} tokens a row, at least {@code overlap} of them shared with the next. */
    public static SlidingWindows of(List<int[]> documents, int window, int overlap) {
        check(window, overlap);
        List<int[]> rows = new ArrayList<>();
        List<Integer> whose = new ArrayList<>();
        List<int[]> starts = new ArrayList<>();
        for (int document = 0; document < documents.size(); document++) {
            int[] tokens = documents.get(document);
            int[] from = starts(tokens.length, window, overlap);
            int length = tokens.length == 0 ? 0 : tokens.length - from[from.length - 1];
            for (int start : from) {
                rows.add(Arrays.copyOfRange(tokens, start, start + length));
                whose.add(document);
            }
            starts.add(from);
        }
        return new SlidingWindows(rows, whose.stream().mapToInt(i -> i).toArray(), starts);
    }

    static void check(int window, int overlap) {
        if (window < 1 || overlap < 0 || overlap >= window) {
            throw new IllegalArgumentException(
                    "window, overlap: " + window + ", " + overlap + " (expected: >= 1, and >= 0 but less than it)");
        }
    }

    /** As few windows as will do, spread evenly; the last ends with the document. None of nothing. */
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
     * For each token of a batch (B · T) its flat place among the rows' tokens (N · M), each row {@code rowWidth} wide and
     * its first token at {@code first}. Padding points at place 0.
     */
    long[] tokenPositions(int[] lengths, int batchWidth, int rowWidth, int first) {
        long[] places = new long[lengths.length * batchWidth];
        int row = 0;
        for (int document = 0; document < lengths.length; document++) {
            int[] from = starts.get(document);
            int length = lengths[document] - (from.length == 0 ? 0 : from[from.length - 1]);
            int at = 0;
            for (int t = 0; t < lengths[document]; t++) {
                while (at + 1 < from.length && marginAt(from, at + 1, length, t) > marginAt(from, at, length, t)) {
                    at++;
                }
                places[document * batchWidth + t] = (long) (row + at) * rowWidth + first + t - from[at];
            }
            row += from.length;
        }
        return places;
    }

    /** How far a token stands from the nearer cut of a window; negative where it is not in it. */
    private static int marginAt(int[] from, int at, int length, int token) {
        int before = at == 0 ? Integer.MAX_VALUE : token - from[at];
        int after = at == from.length - 1 ? Integer.MAX_VALUE : from[at] + length - 1 - token;
        return Math.min(before, after);
    }
}
