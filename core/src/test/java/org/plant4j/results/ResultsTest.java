package org.plant4j.results;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.experiment.Experiment;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.experiment.RunManifest;
import org.plant4j.inspection.CorpusFacts;
import org.plant4j.model.output.EvidenceMethod;
import org.plant4j.pipeline.Pipeline;
import org.plant4j.pipeline.TinyExperiment;
import org.plant4j.results.ExperimentResult.Cost;
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
                .isEqualTo(ResultsPage.markdown(REPOSITORY.resolve("results")));
    }

    /** The highest mean over all measured networks, and for none of them worse than another method beyond its interval. */
    @Test
    void theDefaultEvidenceMethodIsTheBestOfAllMeasuredNetworks() {
        Map<String, JsonNode> networks =
                new HashMap<>(MeasurementTables.readAll(REPOSITORY.resolve("results/evidence")));
        networks.values().removeIf(methods -> methods.size() == 1); // linear models
        assertThat(networks).isNotEmpty();
        String byDefault = EvidenceMethod.ofAttentionNetworks().get(0).id();
        Map<String, Double> sums = new HashMap<>();
        networks.forEach((run, methods) -> {
            double best = 0;
            double bound = 0;
            for (JsonNode method : methods) {
                double auprc = method.path("plausibility").path("auprc").asDouble();
                String name = method.path("method").asText();
                sums.merge(name, auprc, Double::sum);
                best = Math.max(best, auprc);
                bound = name.equals(byDefault)
                        ? method.path("auprcInterval").path("high").asDouble()
                        : bound;
            }
            assertThat(best).as(run).isLessThanOrEqualTo(bound);
        });
        assertThat(Collections.max(sums.entrySet(), Map.Entry.comparingByValue())
                        .getKey())
                .isEqualTo(byDefault);
    }

    @Test
    void aResultOfAnEarlierVersionHasNoAveragePrecision() throws IOException {
        Files.writeString(directory.resolve("plant@x.json"), """
                {"experiment": "plant@x", "split": "dev", "documents": 2, "seeds": [1],
                 "metrics": {"MAP": {"mean": 0.5, "deviation": null, "values": [0.5]}},
                 "provenance": {"source": "runs", "commit": null, "command": null, "data": null}}
                """);
        assertThat(new ResultFiles(directory).readAll()).singleElement().satisfies(result -> {
            assertThat(result.experiment()).isEqualTo("plant@x");
            assertThat(result.averagePrecision()).isEmpty();
        });
    }

    /** Two corpora: auto takes mention-matching (60 of 62) and description-matching (25 of 26), regrets 2 and 1; always linear: 20 and 0. */
    @Test
    void theChoiceOfAutoIsComparedWithTheBestModelOfTheSameMachine() {
        List<CorpusProfile> profiles = List.of(
                new CorpusProfile("a", true, new CorpusFacts(500, 500, 400, 5, 1)),
                new CorpusProfile("b", true, new CorpusFacts(5000, 7000, 100, 2, 0)));
        AutoTable table = new AutoTable(
                profiles,
                List.of(
                        result("mention-matching@a", 0.6),
                        result("plant@a", 0.62),
                        result("linear@a", 0.42),
                        result("description-attention@a", 0.7), // needs a GPU
                        result("description-matching@b", 0.25),
                        result("linear@b", 0.26)));
        assertThat(table.choices().lines().skip(2))
                .contains(
                        "| a | 500 | 500 | two cores, 120 min | `mention-matching` | 60.0 | `plant` | 62.0 | 2.0 |",
                        "| a | 500 | 500 | GPU and encoder, 120 min | `description-attention-evidence` | not measured"
                                + " | `description-attention` | 70.0 |  |",
                        "| b | 5,000 | 7,000 | two cores, 120 min | `description-matching` | 25.0 | `linear` | 26.0 | 1.0 |");
        assertThat(table.singleModels().lines().skip(2)).containsExactly("| `auto` | 1.5 |", "| `linear` | 10.0 |");
    }

    @Test
    void theTableInTheReadmeAgreesWithTheResults() throws IOException {
        Map<String, ExperimentResult> results = new HashMap<>();
        new ResultFiles(REPOSITORY.resolve("results"))
                .readAll()
                .forEach(result -> results.put(result.experiment(), result));
        List<String> corpora = List.of("cantemist", "codiesp-d", "codiesp-p");
        int figures = 0;
        for (String row : Files.readAllLines(REPOSITORY.resolve("README.md"))) {
            if (!row.startsWith("| `") || !row.matches(".*\\|(.*\\|){6}")) {
                continue;
            }
            String[] cells = row.replace("*", "").split("\\|", -1);
            for (int i = 0; i < 2 * corpora.size() && cells.length == 9; i++) {
                String figure = cells[2 + i].strip();
                if (!figure.isEmpty()) {
                    String experiment = cells[1].strip().replace("`", "") + "@" + corpora.get(i / 2);
                    assertThat(figure)
                            .as(experiment)
                            .isEqualTo(percent(
                                    results.get(experiment), i % 2 == 0 ? "MAP" : ExperimentResult.RARE_MICRO_F1));
                    figures++;
                }
            }
        }
        assertThat(figures).isGreaterThan(20);
    }

    @Test
    void theDemoTableInTheReadmeAgreesWithTheResults() throws IOException {
        Map<String, ExperimentResult> results = new HashMap<>();
        new ResultFiles(REPOSITORY.resolve("results"))
                .readAll()
                .forEach(result -> results.put(result.experiment(), result));
        List<String> metrics = List.of("MAP", "micro-F1", ExperimentResult.RARE_MICRO_F1);
        List<String> rows = Files.readAllLines(REPOSITORY.resolve("README.md")).stream()
                .filter(row -> row.matches("\\| `[a-z-]+@demo` .*"))
                .toList();
        assertThat(rows).hasSize(5);
        for (String row : rows) {
            String[] cells = row.replace("*", "").replace("`", "").split("\\|", -1);
            for (int i = 0; i < metrics.size(); i++) {
                String experiment = cells[1].strip();
                assertThat(cells[2 + i].strip())
                        .as(experiment + " " + metrics.get(i))
                        .isEqualTo(percent(results.get(experiment), metrics.get(i)));
            }
        }
    }

    private static String percent(@Nullable ExperimentResult result, String metric) {
        assertThat(result).isNotNull();
        Measurement measurement = Objects.requireNonNull(result).metrics().get(metric);
        return String.format(
                Locale.ROOT, "%.1f", 100 * Objects.requireNonNull(measurement).mean());
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
        assertThat(result.metrics()).containsKey(ExperimentResult.UNSEEN_MICRO_F1); // test has a code that train lacks
        assertThat(result.cost()).hasValueSatisfying(cost -> {
            assertThat(cost.device()).startsWith("CPU, ");
            assertThat(cost.seconds().values()).hasSize(2).allMatch(seconds -> seconds >= 0); // in steps of 10 ms
        });

        ResultFiles files = new ResultFiles(directory.resolve("results"));
        files.write(result);
        assertThat(files.readAll()).containsExactly(result);
    }

    @Test
    void resultsWithoutACorpusNameHaveTheirOwnTable() {
        assertThat(ResultsPage.markdown(List.of(result("mine", 0.2)))).contains("## other experiments, ", "| `mine` |");
    }

    @Test
    void aTableHasTheBestModelFirst() {
        String page = ResultsPage.markdown(List.of(result("prior@x", 0.2), result("plant@x", 0.5)));
        assertThat(page).contains("## x, dev", "| `plant` | 2 | 50.0 ± 1.0 |", "1. runs, commit `abc`");
        assertThat(page.indexOf("`plant` |")).isLessThan(page.indexOf("`prior` |"));
    }

    @Test
    void aTableShowsTimeAndMemoryOfTraining() {
        Measurement resident = new Measurement(4096, Optional.empty(), List.of(4096.0));
        Measurement gpu = new Measurement(2560, Optional.empty(), List.of(2560.0));
        Measurement seconds = new Measurement(90, Optional.of(2.0), List.of(88.0, 92.0));
        ExperimentResult onGpu = withCost(
                result("plant@x", 0.5),
                new Cost("NVIDIA X", seconds, Map.of(RunManifest.RESIDENT, resident, RunManifest.GPU, gpu)));
        Measurement cpuSeconds = new Measurement(3.33, Optional.empty(), List.of(3.33));
        ExperimentResult onCpu = withCost(
                result("linear@x", 0.4), new Cost("CPU, 1 core", cpuSeconds, Map.of(RunManifest.RESIDENT, resident)));
        assertThat(ResultsPage.markdown(List.of(onGpu, onCpu)))
                .contains("|  | 1.5 | 2.5 | 1 |", "1. runs, commit `abc`, NVIDIA X")
                .contains("|  | 0.06 | 4.0 | 2 |", "2. runs, commit `abc`, CPU, 1 core");
    }

    private static ExperimentResult withCost(ExperimentResult result, Cost cost) {
        return new ExperimentResult(
                result.experiment(),
                result.split(),
                result.documents(),
                result.seeds(),
                result.metrics(),
                Optional.of(cost),
                result.averagePrecision(),
                result.provenance());
    }

    /** Of 2^4 ways to swap four documents, 2 differ as much as the observed one: p is about 1/8. */
    @Test
    void aModelIsTestedAgainstTheControl() {
        String page = ResultsPage.markdown(List.of(
                result("control@x", 0.2, List.of(0.1, 0.2, 0.3, 0.4)),
                result("plant@x", 0.5, List.of(0.2, 0.4, 0.6, 0.8)),
                result("laat@x", 0.4, List.of())));
        String row = page.lines()
                .filter(line -> line.startsWith("| `plant`"))
                .findFirst()
                .orElseThrow();
        double p = Double.parseDouble(row.split("\\|", -1)[11].strip());
        assertThat(p).isBetween(0.11, 0.14);
        assertThat(page.lines()
                        .filter(line -> line.startsWith("| `laat`"))
                        .findFirst()
                        .orElseThrow())
                .endsWith("|  |  |  |  | 1 |");
    }

    private static ExperimentResult result(String experiment, double map) {
        return result(experiment, map, List.of());
    }

    private static ExperimentResult result(String experiment, double map, List<Double> averagePrecision) {
        return new ExperimentResult(
                experiment,
                "dev",
                10,
                List.of(1L, 2L),
                Map.of("MAP", new Measurement(map, Optional.of(0.01), List.of())),
                Optional.empty(),
                averagePrecision,
                new Provenance("runs", Optional.of("abc"), Optional.empty(), Optional.empty()));
    }
}
