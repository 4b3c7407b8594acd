package org.plant4j.pipeline.evaluation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.Evaluation;
import org.plant4j.MetricNames;
import org.plant4j.calibration.Calibration;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.pipeline.TinyExperiment;
import org.plant4j.report.MarkupAssertions;

class RunReportTest {

    @TempDir
    Path directory;

    private TinyExperiment tiny;

    @BeforeEach
    void writeCorpus() {
        tiny = TinyExperiment.in(directory);
    }

    @Test
    void theReportShowsTheMetricsOfDevAndTest() throws IOException {
        RunDirectory run = new RunDirectory(tiny.run(tiny.laat()));
        String page = page(run);
        for (String split : new String[] {"dev", "test"}) {
            Evaluation evaluation = Evaluation.read(run.metrics(split));
            for (String metric : new String[] {MetricNames.MAP, MetricNames.MICRO_F1, MetricNames.MACRO_F1, "P@5"}) {
                assertThat(page).contains(metric, percent(evaluation.metric(metric), 2));
            }
        }
        String headline = percent(Evaluation.read(run.metrics("test")).metric(MetricNames.MAP), 1);
        assertThat(page).contains("MAP, test", headline, "Loss by epoch", "type: laat", "a test", "Frequent and rare");
    }

    @Test
    void theReportShowsTheCalibrationOnDevAndTest() throws IOException {
        RunDirectory run = new RunDirectory(tiny.run(tiny.laat()));
        Calibration calibration = run.readCalibration();
        assertThat(page(run))
                .contains("Calibration by number of training documents of the label; dev documents", "ECE calibrated")
                .contains("Calibration", "Reliability, dev", "Reliability, test", "suggest", "review", "hidden")
                .contains(
                        percent(calibration.before().expectedCalibrationError(), 2),
                        percent(calibration.after().expectedCalibrationError(), 2));
    }

    @Test
    void withoutDevThereIsNoCalibration() throws IOException {
        RunDirectory run = new RunDirectory(tiny.run(tiny.laat("corpus.dev=[]")));
        assertThat(run.readCalibration().fitted()).isFalse();
        assertThat(page(run)).doesNotContain("Calibration", "Reliability");
    }

    @Test
    void withoutTestTheKeyFactsAreOfDev() throws IOException {
        String page = page(new RunDirectory(tiny.run(tiny.laat("corpus.test=[]"))));
        assertThat(page).contains("MAP, dev").doesNotContain("MAP, test", "test was scored");
    }

    @Test
    void withoutDevThereAreNoDevMetrics() throws IOException {
        String page = page(new RunDirectory(tiny.run(tiny.laat("corpus.dev=[]"))));
        assertThat(page).contains("MAP, test", "Loss by epoch").doesNotContain("NaN", "tuned on dev", "Dev metric");
    }

    @Test
    void modelsWithoutEpochsHaveNoLearningCurves() throws IOException {
        String page = page(new RunDirectory(tiny.run(tiny.prior())));
        assertThat(page).contains("MAP, test").doesNotContain("Loss by epoch");
    }

    @Test
    void withoutLabelsThereAreNoMetrics() throws IOException {
        String page = page(new RunDirectory(tiny.run(tiny.laat("corpus.dev=[]", "corpus.test=[]"))));
        assertThat(page).contains("there are no metrics", "training documents").doesNotContain("MAP, ");
    }

    @Test
    void untrustedTextIsEscaped() throws IOException {
        RunDirectory run = new RunDirectory(tiny.run(tiny.prior()));
        Files.writeString(run.experiment(), "name: <b>&\"bold\"\n");
        RunReport.write(run);
        assertThat(page(run)).contains("&lt;b&gt;&amp;");
    }

    private static String page(RunDirectory run) throws IOException {
        String page = Files.readString(run.report());
        MarkupAssertions.assertBalanced(page);
        MarkupAssertions.assertSelfContained(page);
        return page;
    }

    private static String percent(double value, int decimals) {
        return String.format(Locale.ROOT, "%." + decimals + "f", 100 * value);
    }
}
