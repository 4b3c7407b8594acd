package org.plant4j.results;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BenchmarkPageTest {

    private static final String PAGE = "before\n<!-- measurements -->\nold\n<!-- /measurements -->\nafter\n";

    @TempDir
    private Path results;

    @BeforeEach
    void createDirectories() throws IOException {
        Files.createDirectories(results.resolve("bench"));
        Files.createDirectories(results.resolve("precision"));
    }

    private void store(String file, String json) throws IOException {
        Files.writeString(results.resolve(file), json);
    }

    @Test
    void thePageInTheRepositoryIsGeneratedFromItsResults() throws IOException {
        String page = Files.readString(Path.of("../docs/benchmarks.md"));
        assertThat(page).contains("<!-- measurements -->\n", "<!-- /measurements -->\n");
        assertThat(page)
                .as("docs/benchmarks.md is out of date: run `plant bench report`")
                .isEqualTo(BenchmarkPage.update(page, Path.of("../results")));
    }

    @Test
    void writesComparisonsWithTheirIntervalsAndCommands() throws IOException {
        store("bench/fast@2-cores.json", """
                {"command": "plant bench laat --precision bfloat16 --shortlist 9", "earlier": "plant bench", "rows": {"prediction, 1 document":
                 {"earlier_median_ms": 1530.4, "present_median_ms": 306.1, "ratio": 5.004, "low": 4.5, "high": 5.566}}}
                """);
        assertThat(BenchmarkPage.update(PAGE, results)).isEqualTo("""
                before
                <!-- measurements -->

                ### Against version 0.1

                Medians over the turns of `plant bench compare`; *times faster* with its 95 % confidence interval. Version 0.1 has neither int8 nor shortlists.

                | file | row | version 0.1 | ms | now | ms | times faster |
                |---|---|---|---:|---|---:|---:|
                | [`fast@2-cores`](../results/bench/fast@2-cores.json) | prediction, 1 document | float32 | 1,530 | bfloat16, shortlist of 9 | 306 | 5.00 (4.50–5.57) |

                ```
                # version 0.1: plant bench
                plant bench laat --precision bfloat16 --shortlist 9
                ```

                <!-- /measurements -->
                after
                """);
    }

    @Test
    void writesEnginesWithTheFastestHighlighted() throws IOException {
        store("bench/bert@2-cores.json", """
                {"title": "BERT", "command": "python bench/bert.py", "rows": {
                 "plant, int8": {"engine": "Plant4j", "precision": "int8", "median_ms": 200},
                 "torch, int8": {"engine": "PyTorch 2", "precision": "int8", "median_ms": 400}}}
                """);
        assertThat(BenchmarkPage.update(PAGE, results))
                .contains("### BERT\n", "| Plant4j | int8 | **200** |\n| PyTorch 2 | int8 | 400 |\n");
    }

    @Test
    void writesTheAccuracyOfEachModelByPrecision() throws IOException {
        store("precision/mine@float32.json", """
                {"dev.jsonl": {"documents": 250, "metrics": {"MAP": 0.5698}}}""");
        store("precision/mine@int8.json", """
                {"dev.jsonl": {"documents": 250, "metrics": {"MAP": 0.5690}}}""");
        assertThat(BenchmarkPage.update(PAGE, results)).contains("| `mine` | 250 | 56.98 | – | 56.90 |\n");
    }

    @Test
    void leavesOutOtherFiles() throws IOException {
        store("bench/plant@h200.json", """
                {"machine": "one H200", "rows": [{"command": "plant bench plant"}]}""");
        assertThat(BenchmarkPage.update(PAGE, results))
                .isEqualTo("before\n<!-- measurements -->\n\n<!-- /measurements -->\nafter\n");
    }
}
