package org.plant4j.pretrain;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;
import org.plant4j.text.Dataset;
import org.plant4j.text.Vocabulary;

/**
 * A token stream of {@link PretrainingTexts} split into rows of at most {@code maxLength} tokens. A row has tokens of one
 * document only; longer documents are split into as few rows as possible, of equal length. Rows without a token that
 * passes the filter are left out.
 */
final class PretrainingRows implements Dataset {

    private final int[] stream;
    private final List<Row> rows = new ArrayList<>();

    private record Row(int start, int end) {}

    PretrainingRows(int[] stream, int maxLength, IntPredicate filter) {
        this.stream = stream;
        int start = 0;
        for (int end = 0; end <= stream.length; end++) {
            if (end == stream.length || stream[end] == Vocabulary.PADDING) {
                split(start, end, maxLength, filter);
                start = end + 1;
            }
        }
    }

    private void split(int start, int end, int maxLength, IntPredicate filter) {
        int length = end - start;
        int count = (length + maxLength - 1) / maxLength;
        for (int i = 0; i < count; i++) {
            Row row =
                    new Row(start + (int) ((long) length * i / count), start + (int) ((long) length * (i + 1) / count));
            if (Arrays.stream(stream, row.start, row.end).anyMatch(filter)) {
                rows.add(row);
            }
        }
    }

    @Override
    public int size() {
        return rows.size();
    }

    @Override
    public int length(int row) {
        return rows.get(row).end - rows.get(row).start;
    }

    @Override
    public int[] tokens(int row) {
        return Arrays.copyOfRange(stream, rows.get(row).start, rows.get(row).end);
    }

    @Override
    public int[] labels(int row) {
        return new int[0];
    }
}
