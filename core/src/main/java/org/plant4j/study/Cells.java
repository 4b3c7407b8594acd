package org.plant4j.study;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.plant4j.eval.BarChart;
import org.plant4j.eval.Comparison;
import org.plant4j.eval.Spread;
import org.plant4j.eval.Table;

/** How the numbers of a study stand in its tables and charts. */
final class Cells {

    private static final String NOTHING = "–";

    private Cells() {}

    static Table.Cell of(Spread spread) {
        return Table.Cell.of(spread.mean(), spread.low(), spread.high());
    }

    /** Where a band begins: nothing that is measured here lies below 0. */
    static double low(Spread spread) {
        return Math.max(0, spread.low());
    }

    /** A bar for each group of a chart, with the interval over seeds. */
    static void bars(BarChart chart, String variant, List<Spread> groups) {
        chart.bars(
                variant,
                groups.stream().mapToDouble(Spread::mean).toArray(),
                groups.stream().mapToDouble(Cells::low).toArray(),
                groups.stream().mapToDouble(Spread::high).toArray());
    }

    static String difference(Optional<Comparison.Row> row) {
        return row.map(r -> String.format(Locale.ROOT, "%+.4f", r.difference())).orElse(NOTHING);
    }

    static String p(Optional<Comparison.Row> row) {
        return row.map(r -> p(r.pValue())).orElse(NOTHING);
    }

    static String p(double p) {
        return p < 0.001 ? "<\u00a00.001" : String.format(Locale.ROOT, "%.3f", p);
    }
}
