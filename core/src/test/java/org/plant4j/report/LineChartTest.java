package org.plant4j.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class LineChartTest {

    private static final double NAN = Double.NaN;

    private static long count(String svg, String regex) {
        return Pattern.compile(regex).matcher(svg).results().count();
    }

    private static long markers(String svg, String series) {
        return count(svg, "<title>" + series + ": ");
    }

    /** The number of line paths in the colour of a series, without the legend. */
    private static long lines(String svg, int series) {
        return count(svg, "stroke-linejoin:round;stroke:var\\(--series-" + series + ",");
    }

    @Test
    void chartsHaveAnAccessibleName() {
        String svg = LineChart.titled("Dev <MAP>")
                .xLabel("epoch")
                .yLabel("MAP")
                .line("A & B", new double[] {1, 2}, new double[] {0.1, 0.2})
                .toSvg();
        MarkupAssertions.assertBalanced(svg);
        MarkupAssertions.assertSelfContained(svg);
        assertThat(svg)
                .contains("role=\"img\"", "aria-label=\"Dev &lt;MAP&gt;: MAP against epoch for A &amp; B\"")
                .contains("<title>Dev &lt;MAP&gt;</title>");
    }

    @Test
    void equalInputGivesEqualOutput() {
        LineChart chart = LineChart.titled("t").scatter("p", new double[] {1, 5, 9}, new double[] {0.3, 0.1, 0.2}, 3);
        assertThat(chart.toSvg()).isEqualTo(chart.toSvg());
    }

    @Test
    void dataFillThePlotArea() {
        // One-digit labels leave 18 + 3 * 6.6 = 37.8 to the left; 480 - 14 to the right; 22 + 40 above; 300 - 42 below.
        String svg = LineChart.titled("t")
                .line("s", new double[] {0, 10}, new double[] {0.2, 0.8})
                .toSvg();
        assertThat(svg).contains("M37.8 258L466 62\"");
    }

    @Test
    void missingValuesInterruptTheLine() {
        double[] x = {1, 2, 3, 4, 5, 6};
        String svg = LineChart.titled("t")
                .line("s", x, new double[] {0.1, 0.2, NAN, 0.3, NAN, 0.5})
                .toSvg();
        assertThat(lines(svg, 1))
                .as("one segment of two points; single points have no line")
                .isEqualTo(1);
        assertThat(markers(svg, "s")).isEqualTo(4);
        assertThat(svg).doesNotContain("NaN");
    }

    @Test
    void aSinglePointIsDrawnAsAMarker() {
        String svg = LineChart.titled("t")
                .line("s", new double[] {3}, new double[] {0.5})
                .toSvg();
        assertThat(markers(svg, "s")).isEqualTo(1);
        assertThat(svg).doesNotContain("NaN", "no data");
    }

    @Test
    void emptyChartsShowNoData() {
        assertThat(LineChart.titled("t").toSvg()).contains("no data");
        assertThat(LineChart.titled("t").line("s", new double[0], new double[0]).toSvg())
                .contains("no data");
        assertThat(LineChart.titled("t")
                        .logY()
                        .line("s", new double[] {1}, new double[] {0})
                        .toSvg())
                .contains("no data");
        assertThat(BarChart.titled("t", List.of()).toSvg()).contains("no data");
        assertThat(BarChart.titled("t", List.of("g")).bars("b", NAN).toSvg()).contains("no data");
    }

    @Test
    void theBandIsAClosedPathAlongUpperAndLowerBounds() {
        String svg = LineChart.titled("t")
                .yRange(0, 1)
                .line("s", new double[] {0, 1}, new double[] {0.5, 0.5}, new double[] {0.25, 0}, new double[] {0.75, 1})
                .toSvg();
        // y runs from 62 (1) to 258 (0): 0.75 -> 111, 0.25 -> 209.
        assertThat(svg).contains("M37.8 111L466 62L466 258L37.8 209Z");
    }

    @Test
    void theTrendIsTheMeanOfEachBucket() {
        String svg = LineChart.titled("t")
                .logX()
                .yRange(0, 1)
                .scatter("s", new double[] {1, 1, 100, 100, 0}, new double[] {0, 0.5, 0.5, 1, 0.9}, 2)
                .toSvg();
        assertThat(svg).contains("<title>s: 0.2500 at 1</title>", "<title>s: 0.7500 at 100</title>");
        assertThat(count(svg, "h0"))
                .as("zero cannot be drawn on a logarithmic axis")
                .isEqualTo(4);
    }

    @Test
    void pointsAtTheSameCoordinatesAreDrawnOnce() {
        double[] same = DoubleStream.generate(() -> 1).limit(5_000).toArray();
        assertThat(count(LineChart.titled("t").scatter("s", same, same, 4).toSvg(), "h0"))
                .isEqualTo(1);
    }

    @Test
    void longLinesHaveNoMarkers() {
        double[] many = DoubleStream.iterate(0, x -> x + 1).limit(500).toArray();
        assertThat(markers(LineChart.titled("t").line("s", many, many).toSvg(), "s"))
                .isZero();
    }

    @Test
    void coloursRepeatAfterSixSeries() {
        LineChart chart = LineChart.titled("t");
        for (int s = 0; s < 7; s++) {
            chart.line("s" + s, new double[] {0, 1}, new double[] {s, s});
        }
        assertThat(lines(chart.toSvg(), 1)).isEqualTo(2);
        assertThat(lines(chart.toSvg(), 6)).isEqualTo(1);
    }

    @Test
    void barsStartAtZeroAndHaveErrorBars() {
        String svg = BarChart.titled("t", List.of("rare", "<often>"))
                .yLabel("F1")
                .bars("A", new double[] {0.5, 1}, new double[] {0.25, 0.75}, new double[] {0.75, 1})
                .bars("B", -0.5, NAN)
                .toSvg();
        MarkupAssertions.assertBalanced(svg);
        assertThat(svg)
                .contains("A, rare: 0.5000", "A, &lt;often&gt;: 1.000", "B, rare: -0.5000")
                .doesNotContain("B, &lt;often&gt;", "NaN");
        assertThat(count(svg, "h6m-3 0V")).isEqualTo(2);
    }

    @Test
    void arraysOfDifferentLengthsAreRejected() {
        assertThatThrownBy(() -> LineChart.titled("t").line("s", new double[2], new double[3]))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> BarChart.titled("t", Arrays.asList("a", "b")).bars("s", 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("values: 1 (expected: one per group, 2)");
    }
}
