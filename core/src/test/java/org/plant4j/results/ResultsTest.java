package org.plant4j.results;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.experiment.Experiment;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.pipeline.Pipeline;
import org.plant4j.pipeline.TinyExperiment;
import org.plant4j.results.ExperimentResult.Measurement;
import org.plant4j.results.ExperimentResult.Provenance;

class ResultsTest {

    private static final Path REPOSITORY = Path.of("..");

    @TempDir
    Path directory;

    @Test
    void thePageInTheRepositoryIsGeneratedFromItsResults() throws IOException {
        List<ExperimentResult> results = new ResultFiles(REPOSITORY.resolve("results")).readAll();
        assertThat(results).isNotEmpty();
        assertThat(Files.readString(REPOSITORY.resolve("docs/results.md")))
                .as("docs/results.md is out of date: run `plant results report`")
                .isEqualTo(ResultsPage.markdown(results));
    }

    @Test
    void runsOfOneExperimentBecomeOneResult() {
        TinyExperiment tiny = TinyExperiment.in(directory);
        List<RunDirectory> runs = new ArrayList<>();
        for (long seed : List.of(1L, 2L)) {
            Experiment experiment = tiny.prior("name=prior@tiny").withSeed(seed);
            Pipeline pipeline = new Pipeline(experiment, tiny.runs(), TinyExperiment.session(new ArrayList<>()));
            assertThat(pipeline.run()).isTrue();
            runs.add(pipeline.runDirectory());
        }
        ExperimentResult result = new ResultCollector(Optional.of("abc"))
                .collect(runs, Optional.empty())
                .get(0);
        assertThat(result.experiment()).isEqualTo("prior@tiny");
        assertThat(result.split()).isEqualTo("test");
        assertThat(result.seeds()).containsExactly(1L, 2L);
        assertThat(result.provenance().commit()).contains("abc");
        assertThat(result.provenance().data()).isPresent();
        Measurement map = result.metrics().getOrDefault("MAP", new Measurement(0, Optional.empty(), List.of()));
        assertThat(map.values()).hasSize(2);
        assertThat(map.deviation()).contains(0.0);

        ResultFiles files = new ResultFiles(directory.resolve("results"));
        files.write(result);
        assertThat(files.readAll()).containsExactly(result);
    }

    @Test
    void aTableHasTheBestModelFirst() {
        String page = ResultsPage.markdown(List.of(result("prior@x", 0.2), result("plant@x", 0.5)));
        assertThat(page).contains("## x, dev", "| `plant` | 2 | 50.0 ± 1.0 |", "1. runs, commit `abc`");
        assertThat(page.indexOf("`plant` |")).isLessThan(page.indexOf("`prior` |"));
    }

    private static ExperimentResult result(String experiment, double map) {
        return new ExperimentResult(
                experiment,
                "dev",
                10,
                List.of(1L, 2L),
                java.util.Map.of("MAP", new Measurement(map, Optional.of(0.01), List.of())),
                new Provenance("runs", Optional.of("abc"), Optional.empty(), Optional.empty()));
    }
}
