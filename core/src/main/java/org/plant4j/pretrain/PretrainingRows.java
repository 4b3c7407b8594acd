package org.plant4j.pretrain;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;
import org.plant4j.text.Dataset;
import org.plant4j.text.Vocabulary;

/**
 * A stream of {@link PretrainingTexts} cut into rows, none across two texts: a text longer than a row in as few as will do, of one
 * length. Rows without a piece that is wanted are left out.
 */
public final class PretrainingRows implements Dataset {

    private final int[] stream;
    private final List<Row> rows = new ArrayList<>();

    private record Row(int start, int end) {}

    PretrainingRows(int[] stream, int longest, IntPredicate wanted) {
        this.stream = stream;
        int start = 0;
        for (int end = 0; end <= stream.length; end++) {
            if (end == stream.length || stream[end] == Vocabulary.PADDING) {
                cut(start, end, longest, wanted);
                start = end + 1;
            }
        }
    }

    private void cut(int start, int end, int longest, IntPredicate wanted) {
        int length = end - start;
        int count = (length + longest - 1) / longest;
        for (int i = 0; i < count; i++) {
            Row row =
                    new Row(start + (int) ((long) length * i / count), start + (int) ((long) length * (i + 1) / count));
            if (Arrays.stream(stream, row.start, row.end).anyMatch(wanted)) {
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
