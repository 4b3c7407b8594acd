package org.plant4j.spark;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.jspecify.annotations.Nullable;
import org.plant4j.Coder;
import org.plant4j.CodingResult;

/**
 * Codes the documents of a partition in batches, as the rows are asked for. Spark sends it to the executors, so it holds
 * plain values only; the model is loaded where it is used.
 *
 * @param text the index of the column of texts
 */
record CodingFunction(String run, String device, int text, int codes, int explained, int batchSize)
        implements MapPartitionsFunction<Row, Row> {

    @Override
    public Iterator<Row> call(Iterator<Row> rows) {
        return new Iterator<>() {
            private Iterator<Row> coded = List.<Row>of().iterator();

            @Override
            public boolean hasNext() {
                if (!coded.hasNext() && rows.hasNext()) {
                    coded = code(nextBatch(rows)).iterator();
                }
                return coded.hasNext();
            }

            @Override
            public Row next() {
                if (!hasNext()) {
                    throw new NoSuchElementException();
                }
                return coded.next();
            }
        };
    }

    private List<Row> nextBatch(Iterator<Row> rows) {
        List<Row> batch = new ArrayList<>();
        while (batch.size() < batchSize && rows.hasNext()) {
            batch.add(rows.next());
        }
        return batch;
    }

    private List<Row> code(List<Row> batch) {
        List<String> texts = batch.stream()
                .filter(row -> !row.isNullAt(text))
                .map(row -> row.getString(text))
                .toList();
        Coder coder = CoderCache.get(run, device);
        Iterator<CodingResult> results = coder.code(texts, codes, explained).iterator();
        List<Row> coded = new ArrayList<>();
        for (Row row : batch) {
            coded.add(append(row, row.isNullAt(text) ? null : SuggestionRows.of(results.next())));
        }
        return coded;
    }

    private static Row append(Row row, Row @Nullable [] suggestions) {
        @Nullable Object[] values = new @Nullable Object[row.size() + 1];
        for (int column = 0; column < row.size(); column++) {
            values[column] = row.get(column);
        }
        values[row.size()] = suggestions;
        return RowFactory.create(values);
    }
}
