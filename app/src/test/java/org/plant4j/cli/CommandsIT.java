package org.plant4j.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.cli.terminal.Terminal;
import org.plant4j.prediction.RankingMerge;

/** Runs every command on a small demo corpus, from training to explanation. */
public class CommandsIT {

    private static final String NOTE =
            "Admitted with heart failure and essential hypertension. Treated with furosemide.";
    private static final String SIZES = "corpus.options.sizes=120/30/30";

    @TempDir
    static Path directory;

    private static Path linear;
    private static Path laat;

    /** Exit code and output of a command. */
    private record Outcome(int status, String out, String err) {

        JsonNode json() {
            try {
                return new ObjectMapper().readTree(out);
            } catch (IOException e) {
                throw new AssertionError(out, e);
            }
        }
    }

    private static Outcome plant(String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int status = Main.run(Terminal.NONE, new PrintWriter(out), new PrintWriter(err), args);
        return new Outcome(status, out.toString(), err.toString());
    }

    private static Outcome succeed(String... args) {
        Outcome outcome = plant(args);
        assertThat(outcome.status()).as(outcome.err()).isZero();
        return outcome;
    }

    private static Outcome laat(String... more) {
        return succeed(Stream.concat(
                        Stream.of(
                                "run",
                                "laat@demo",
                                "--runs",
                                directory.toString(),
                                "--set",
                                SIZES,
                                "--set",
                                "word_vectors.size=16",
                                "--set",
                                "model.embedding=16",
                                "--set",
                                "model.hidden=16",
                                "--set",
                                "model.projection=16",
                                "--set",
                                "training.epochs=2",
                                "--set",
                                "evaluation.bootstrap_samples=50"),
                        Stream.of(more))
                .toArray(String[]::new));
    }

    @BeforeAll
    static void train() {
        linear = directory.resolve("linear@demo");
        laat = directory.resolve("laat@demo");
        Outcome first = succeed("run", "linear@demo", "--runs", directory.toString(), "--set", SIZES);
        assertThat(first.err()).contains("prepare", "model", "evaluate", "Report: ");
        assertThat(first.out()).contains("MAP", "micro-F1", "linear@demo", "30 test documents");
        laat();
    }

    @Test
    void aSecondRunReusesEveryStage() {
        Outcome again = laat();
        assertThat(again.err())
                .containsPattern("prepare +reused")
                .containsPattern("network +reused")
                .containsPattern("evaluate +reused");
        assertThat(Files.exists(laat.resolve("plant.log"))).isTrue();
    }

    @Test
    void theStoredSettingsReproduceTheRun() {
        Outcome again = succeed("run", laat.resolve("experiment.yaml").toString(), "--runs", directory.toString());
        assertThat(again.err()).containsPattern("(model|network) +reused");
    }

    @Test
    void otherSettingsNeedForce() {
        Outcome refused =
                plant("run", "prior@demo", "--runs", directory.toString(), "--set", SIZES, "--set", "name=linear@demo");
        assertThat(refused.status()).isEqualTo(2);
        assertThat(refused.err()).contains("other settings", "--force");
    }

    @Test
    void forceTrainsAgain() {
        String[] prior = {"run", "prior@demo", "--runs", directory.toString(), "--set", SIZES, "--set", "name=forced"};
        succeed(prior);
        Outcome forced =
                succeed(Stream.concat(Stream.of(prior), Stream.of("--force")).toArray(String[]::new));
        assertThat(forced.err()).doesNotContainPattern("model +reused");
    }

    @Test
    void seedsGiveMeanAndDeviation() {
        Outcome seeds = succeed(
                "run",
                "prior@demo",
                "--runs",
                directory.toString(),
                "--set",
                SIZES,
                "--seeds",
                "1,2",
                "--set",
                "seed=9");
        assertThat(seeds.out()).contains("prior@demo-s1", "prior@demo-s2", "prior@demo (2 seeds)", " ± 0.00");
    }

    @Test
    void runPrintsJson() {
        JsonNode runs = succeed("train", "linear@demo", "--runs", directory.toString(), "--set", SIZES, "--json")
                .json();
        assertThat(runs.at("/0/run").asText()).isEqualTo("linear@demo");
        assertThat(runs.at("/0/metrics/MAP").asDouble()).isBetween(0.2, 1.0);
        assertThat(runs.at("/0/split").asText()).isEqualTo("test");
    }

    @Test
    void preparePrintsTheSizesOfTheCorpus() {
        JsonNode sizes = succeed("prepare", "linear@demo", "--runs", directory.toString(), "--set", SIZES, "--json")
                .json();
        assertThat(sizes.get("train documents").asInt()).isEqualTo(120);
        assertThat(sizes.get("test documents").asInt()).isEqualTo(30);
        assertThat(sizes.get("passages").asInt()).isPositive();
        String[] whole = {
            "prepare",
            "linear@demo",
            "--runs",
            directory.toString(),
            "--set",
            SIZES,
            "--set",
            "preprocessing.passage_tokens=0"
        };
        assertThat(succeed(whole).out()).doesNotContain("passages");
    }

    @Test
    void evaluateShowsAllMetricsAndWritesTheReport() throws IOException {
        Files.delete(linear.resolve("report.html"));
        Outcome missing = plant("predict", linear.toString(), "--text", NOTE);
        assertThat(missing.status()).isEqualTo(2);
        assertThat(missing.err()).contains("report.html is missing", "plant evaluate " + linear);
        Outcome both = succeed("evaluate", linear.toString());
        assertThat(both.out()).contains("nDCG@15", "macro-F1-CAML", "test", "dev", "unseen");
        assertThat(linear.resolve("report.html")).exists();
        JsonNode dev = succeed("evaluate", linear.toString(), "--split", "dev", "--json")
                .json();
        assertThat(dev.at("/dev/metrics/MAP").asDouble()).isPositive();
        assertThat(dev.has("test")).isFalse();
        assertThat(dev.at("/calibration/dev/0/bucket").asText()).isEqualTo("all");
        assertThat(dev.at("/calibration/test").isMissingNode()).isTrue();
    }

    @Test
    void evaluateCalibratesAnUncalibratedRun() throws IOException {
        String calibration = Files.readString(laat.resolve("calibration.json"));
        ObjectNode manifest = (ObjectNode) new ObjectMapper().readTree(Files.readString(laat.resolve("manifest.json")));
        manifest.remove(List.of("format", "files", "checksum")); // as in earlier versions
        Files.writeString(laat.resolve("manifest.json"), manifest.toString());
        Files.delete(laat.resolve("calibration.json"));
        succeed("evaluate", laat.toString());
        assertThat(laat.resolve("calibration.json")).hasContent(calibration);
    }

    @Test
    void predictCodesAFhirResource() throws IOException {
        String data = Base64.getEncoder().encodeToString(NOTE.getBytes(StandardCharsets.UTF_8));
        Path resource = Files.writeString(
                directory.resolve("note.json"),
                "{\"resourceType\":\"DocumentReference\",\"id\":\"1\",\"status\":\"current\",\"content\":[{\"attachment\":"
                        + "{\"contentType\":\"text/plain\",\"data\":\"" + data + "\"}}]}");
        JsonNode bundle = succeed("predict", linear.toString(), "--fhir", resource.toString())
                .json();
        assertThat(bundle.get("resourceType").asText()).isEqualTo("Bundle");
        JsonNode condition = bundle.at("/entry/0/resource");
        assertThat(condition.at("/code/coding/0/system").asText()).isEqualTo("http://hl7.org/fhir/sid/icd-10-cm");
        assertThat(condition.at("/evidence/0/detail/0/reference").asText()).isEqualTo("DocumentReference/1");

        Outcome both = plant("predict", linear.toString(), "--fhir", resource.toString(), "--text", NOTE);
        assertThat(both.status()).isEqualTo(2);
        Outcome none = plant(
                "predict",
                linear.toString(),
                "--fhir",
                Files.writeString(resource, "{\"a\": 1}").toString());
        assertThat(none.status()).isEqualTo(2);
        assertThat(none.err()).contains("Not a FHIR R4 resource");
    }

    @Test
    void comparePrintsDifferencesAndPValues() {
        Outcome table = succeed("compare", laat.toString(), linear.toString(), "--permutations", "200");
        assertThat(table.out()).contains("laat@demo", "linear@demo", "difference", "30 test documents");
        JsonNode json = succeed("compare", linear.toString(), linear.toString(), "--permutations", "50", "--json")
                .json();
        assertThat(json.at("/comparison/rows/0/difference").asDouble()).isZero();
        assertThat(json.at("/comparison/rows/0/pValue").asDouble()).isEqualTo(1);
    }

    @Test
    void predictCodesATextWithEvidence() {
        Outcome table = succeed("predict", linear.toString(), "--text", NOTE, "--top", "3");
        assertThat(table.out()).contains("score", "evidence");
        assertThat(table.out().lines()).hasSize(2 + 3 + 1);
        JsonNode json =
                succeed("predict", laat.toString(), "--text", NOTE, "--json").json();
        assertThat(json.get("codes")).hasSize(15);
        JsonNode span = json.at("/codes/0/evidence/0");
        assertThat(NOTE.substring(span.get("start").asInt(), span.get("end").asInt()))
                .isEqualTo(span.get("text").asText());
    }

    @Test
    void predictReadsStandardInput() {
        InputStream before = System.in;
        try {
            System.setIn(new ByteArrayInputStream(NOTE.getBytes(StandardCharsets.UTF_8)));
            assertThat(succeed("predict", linear.toString(), "--json")
                            .json()
                            .get("id")
                            .asText())
                    .isEqualTo("-");
        } finally {
            System.setIn(before);
        }
    }

    @Test
    void predictPrintsJsonLinesForSeveralFiles() throws IOException {
        Path one = Files.writeString(directory.resolve("one.txt"), NOTE);
        Path two = Files.writeString(directory.resolve("two.txt"), NOTE);
        List<String> lines = succeed("predict", linear.toString(), one.toString(), two.toString(), "--json")
                .out()
                .lines()
                .toList();
        assertThat(lines).hasSize(2);
        assertThat(lines.get(1)).startsWith("{\"id\":\"two\"");
    }

    @Test
    void predictWritesARankingOfASplit() throws IOException {
        Path file = directory.resolve("ranked").resolve("codes.tsv");
        Outcome outcome = succeed(
                "predict",
                linear.toString(),
                "--split",
                "test",
                "--ranking",
                file.toString(),
                "--top",
                "3",
                "--lowercase");
        assertThat(outcome.out()).isEmpty();
        List<String> lines = Files.readAllLines(file);
        assertThat(lines).hasSize(30 * 3);
        List<String[]> first =
                lines.subList(0, 3).stream().map(line -> line.split("\t", -1)).toList();
        assertThat(first).extracting(row -> row[2]).containsExactly("1", "2", "3");
        assertThat(first).extracting(row -> row[0]).containsOnly(first.get(0)[0]);
        assertThat(first).allSatisfy(row -> assertThat(row[1]).isLowerCase());
        assertThat(Double.parseDouble(first.get(0)[3])).isGreaterThanOrEqualTo(Double.parseDouble(first.get(1)[3]));
        assertThat(plant("predict", linear.toString(), "--split", "dev-set").err())
                .contains("no split 'dev-set'", "train, dev or test");
    }

    @Test
    void scoringARankingGivesTheMetricsOfItsRun() {
        String file = directory.resolve("linear-dev.tsv.gz").toString();
        succeed("predict", linear.toString(), "--split", "dev", "--ranking", file, "--top", "10000", "--lowercase");
        String experiment = linear.resolve("experiment.yaml").toString();
        Outcome outcome = succeed("ranking", "score", experiment, file, "--json");
        assertThat(outcome.err()).isEmpty();
        JsonNode score = outcome.json();
        assertThat(score.get("documents").asInt()).isEqualTo(30);
        assertThat(score.get("missing")).isEmpty();
        JsonNode evaluated = succeed("evaluate", linear.toString(), "--split", "dev", "--json")
                .json()
                .get("dev")
                .get("metrics");
        for (String metric : List.of("MAP", "P@5", "P@8", "P@15")) {
            assertThat(score.get("metrics").get(metric).asDouble())
                    .as(metric)
                    .isCloseTo(evaluated.get(metric).asDouble(), within(1e-9));
        }
        assertThat(succeed("ranking", "score", experiment, file).out()).contains("MAP", "P@15", "on 30 dev documents.");
        assertThat(plant("ranking", "score", experiment, file, "--split", "test")
                        .err())
                .contains("None of the ranked documents", "linear-dev.tsv.gz", "split that was ranked");
    }

    @Test
    void rankingsAreMerged() throws IOException {
        String one = directory.resolve("merge-linear.tsv").toString();
        String two = directory.resolve("merge-laat.tsv.gz").toString();
        Path both = directory.resolve("merged").resolve("both.tsv");
        succeed("predict", linear.toString(), "--split", "dev", "--ranking", one, "--top", "20");
        succeed("predict", laat.toString(), "--split", "dev", "--ranking", two, "--top", "20");
        Outcome merged = succeed(
                "ranking", "merge", one, two, "-o", both.toString(), "--weights", "2,1", "--top", "5", "--lowercase");
        assertThat(merged.out()).isEmpty();
        assertThat(merged.err()).contains("Wrote " + both, "30 documents");
        List<String> lines = Files.readAllLines(both);
        assertThat(lines)
                .hasSize(30 * 5)
                .allSatisfy(line -> assertThat(line.split("\t", -1)[1]).isLowerCase());
        succeed("ranking", "score", linear.resolve("experiment.yaml").toString(), both.toString());
    }

    @Test
    void weightsOfRankingsAreLearned() throws IOException {
        String experiment = linear.resolve("experiment.yaml").toString();
        String one = directory.resolve("fit-linear.tsv").toString();
        String two = directory.resolve("fit-laat.tsv").toString();
        String weights = directory.resolve("weights.json").toString();
        Path merged = directory.resolve("fitted.tsv");
        succeed("predict", linear.toString(), "--split", "dev", "--ranking", one, "--top", "20");
        succeed("predict", laat.toString(), "--split", "dev", "--ranking", two, "--top", "20");
        Outcome fitted = succeed("ranking", "fit", experiment, one, two, "-o", weights);
        assertThat(fitted.out()).contains("fit-linear.tsv", "fit-laat.tsv", "cross-validated", "on 30 dev documents");
        succeed("ranking", "merge", one, two, "-o", merged.toString(), "--fitted", weights, "--experiment", experiment);
        // The weights were chosen on these documents.
        double equal = RankingMerge.read(Path.of(weights)).meanMap();
        double learned = succeed("ranking", "score", experiment, merged.toString(), "--json")
                .json()
                .at("/metrics/MAP")
                .asDouble();
        assertThat(learned).isGreaterThanOrEqualTo(equal - 1e-9);
    }

    @Test
    void aStudyRunsItsVariantsInTheirOwnProcesses() throws IOException {
        Path study = Files.writeString(directory.resolve("study.yaml"), """
                name: floors
                kind: low-shot
                variants: {prior: prior@demo, linear: linear@demo}
                sizes: [10]
                seeds: [1]
                set: {corpus.options.sizes: 20/10/10, evaluation.bootstrap_samples: 0}
                """);
        String runs = directory.resolve("study-runs").toString();
        Outcome outcome = succeed("study", study.toString(), "--runs", runs, "--jobs", "2");
        assertThat(outcome.out()).contains("prior", "linear", "P@15", "10 test documents");
        assertThat(outcome.err()).contains("floors: 2 runs", "done in", "Report: ");
        assertThat(directory.resolve("study-runs/studies/floors/results.json")).exists();
        Outcome again = succeed("study", study.toString(), "--runs", runs, "--json");
        assertThat(again.err()).containsPattern("(model|network) +reused");
        assertThat(again.json().size()).isEqualTo(12);
    }

    @Test
    void aStudyReportsWhichRunsFailed() throws IOException {
        Path study = Files.writeString(directory.resolve("broken.yaml"), """
                name: broken
                kind: ablation
                variants:
                  prior: prior@demo
                  lost: {experiment: prior@demo, set: {corpus.format: csv, corpus.path: nowhere.csv}}
                seeds: [1]
                set: {corpus.options.sizes: 20/10/10, evaluation.bootstrap_samples: 0}
                """);
        Outcome outcome = plant(
                "study",
                study.toString(),
                "--runs",
                directory.resolve("broken-runs").toString(),
                "--jobs",
                "2");
        assertThat(outcome.status()).isEqualTo(2);
        assertThat(outcome.err()).contains("1 of 2 runs failed: prior@demo-lost", "logs", "resume");
    }

    @Test
    void predictWritesTabSeparatedCodesForACorpus() {
        List<String> lines = succeed(
                        "predict",
                        linear.toString(),
                        "--format",
                        "demo",
                        "--split",
                        "test",
                        "--option",
                        "sizes=120/30/30",
                        "--tsv",
                        "--lowercase",
                        "--top",
                        "4")
                .out()
                .lines()
                .toList();
        assertThat(lines).hasSize(30 * 4);
        assertThat(lines.get(0)).matches("demo-00151\t[a-z0-9.]+");
    }

    @Test
    void explainHighlightsTheEvidenceForACode() {
        Outcome best = succeed("explain", linear.toString(), "--text", NOTE);
        assertThat(best.out()).contains("«");
        Outcome named = succeed("explain", linear.toString(), "--text", NOTE, "--code", "i10");
        assertThat(named.out()).startsWith("I10  Essential (primary) hypertension");
    }

    @Test
    void explainWritesAPage() {
        Path page = directory.resolve("pages").resolve("note.html");
        succeed("explain", laat.toString(), "--text", NOTE, "--html", page.toString());
        assertThat(page).content().contains("<mark", "furosemide");
    }

    @Test
    void explainWritesAPageOfRandomCodesThatDependsOnTheSeedOnly() throws IOException {
        List<String> pages = new ArrayList<>();
        for (String seed : List.of("1", "1", "2")) {
            Path page = directory.resolve("sample.html");
            succeed("explain", linear.toString(), "--sample", "3", "--seed", seed, "--html", page.toString());
            pages.add(Files.readString(page));
        }
        assertThat(pages.get(0)).contains("3 codes.", "demo-").isEqualTo(pages.get(1));
        assertThat(pages.get(2)).isNotEqualTo(pages.get(0));
        assertThat(plant("explain", linear.toString(), "--sample", "3").err()).contains("--sample needs --html");
        assertThat(plant("explain", linear.toString(), "--text", NOTE, "--seed", "2")
                        .err())
                .contains("--sample");
    }

    @Test
    void topTokensShowsThePlantedTokensOfACode() {
        String[] sizes = {
            "name=planted",
            SIZES,
            "word_vectors=null",
            "model.encoder.embedding=16",
            "model.encoder.hidden=16",
            "model.ranker.size=16",
            "training.epochs=1",
            "evaluation.bootstrap_samples=50"
        };
        succeed(Stream.concat(
                        Stream.of("run", "plant@demo", "--runs", directory.toString()),
                        Stream.of(sizes).flatMap(setting -> Stream.of("--set", setting)))
                .toArray(String[]::new));
        String run = directory.resolve("planted").toString();
        Outcome shown = succeed("top-tokens", run, "i10", "--top", "5");
        assertThat(shown.out())
                .startsWith("I10  Essential (primary) hypertension")
                .contains("mutual information", "ranker", "hypertension", "✓");
        JsonNode json = succeed("top-tokens", run, "I10", "--json").json();
        assertThat(json.get("byRanker")).hasSize(20);
        Outcome none = plant("top-tokens", laat.toString(), "I10");
        assertThat(none.status()).isEqualTo(2);
        assertThat(none.err()).contains("no ranker", "PLANT model");
    }

    @Test
    void domainMeasuresTheDetectionOfForeignTexts() throws IOException {
        Path notes = Files.createDirectories(directory.resolve("notes"));
        Files.writeString(notes.resolve("one.txt"), "El paciente ingresa por dolor abdominal de dos días.");
        Path file = directory.resolve("measured").resolve("domain.json");
        Outcome shown = succeed(
                "domain",
                linear.toString(),
                "--documents",
                "20",
                "--foreign",
                "spanish=" + notes,
                "--output",
                file.toString());
        assertThat(shown.out()).contains("other languages", "shuffled words", "source code", "AUROC");
        JsonNode measured = new ObjectMapper().readTree(file.toFile());
        assertThat(measured.at("/closestLanguage").asText()).isEqualTo("English");
        assertThat(measured.at("/corpus/0/name").asText()).isEqualTo("dev");
        assertThat(measured.at("/corpus/0/rejected").asDouble()).isLessThan(0.1);
        assertThat(measured.at("/foreign/0/name").asText()).isEqualTo("other languages");
        assertThat(measured.at("/foreign/0/auroc/guard").asDouble()).isGreaterThan(0.99);
        JsonNode last = measured.get("foreign").get(measured.get("foreign").size() - 1);
        assertThat(last.get("name").asText()).isEqualTo("spanish");
        assertThat(last.get("rejected").asDouble()).isEqualTo(1);

        Outcome missing = plant("domain", linear.toString(), "--foreign", "nowhere");
        assertThat(missing.status()).isEqualTo(2);
        assertThat(missing.err()).contains("--foreign nowhere", "a directory of text files");
    }

    @Test
    void anUnknownCodeIsReported() {
        Outcome outcome = plant("explain", linear.toString(), "--text", NOTE, "--code", "X99");
        assertThat(outcome.status()).isEqualTo(2);
        assertThat(outcome.err()).contains("has no code X99");
    }

    @Test
    void corpusStatsOfAnExport() throws IOException {
        Path file = directory.resolve("demo.jsonl");
        Path plot = directory.resolve("skew.html");
        succeed(
                "corpus",
                "export",
                "--format",
                "demo",
                "--option",
                "sizes=40/5/5",
                "--split",
                "train",
                "--output",
                file.toString());
        assertThat(Files.readAllLines(file)).hasSize(40);
        Outcome stats = succeed("corpus", "stats", "--format", "jsonl", file.toString(), "--plot", plot.toString());
        assertThat(stats.out()).contains("distinct codes", "tokens per document");
        assertThat(plot).content().contains("<svg");
        Files.writeString(file, Files.readString(file) + "{\"id\": 1}\n");
        assertThat(plant("corpus", "stats", "--format", "jsonl", file.toString())
                        .status())
                .isEqualTo(2);
        Outcome skipped = succeed("corpus", "stats", "--format", "jsonl", file.toString(), "--skip-bad-rows", "--json");
        assertThat(skipped.json().at("/splits/0/documents").asInt()).isEqualTo(40);
        assertThat(skipped.err()).contains("Skipped 1 row");
    }

    @Test
    void corpusShowPrintsADocumentWithItsCodes() {
        Outcome shown = succeed("corpus", "show", "--format", "demo", "--id", "demo-00002");
        assertThat(shown.out()).startsWith("demo-00002").contains("«");
    }

    @Test
    void theDemoRunsComparesAndExplains() {
        Path runs = directory.resolve("demo-runs");
        String[] args = {
            "demo",
            "--full",
            "--runs",
            runs.toString(),
            "--set",
            SIZES,
            "--set",
            "training.epochs=1",
            "--set",
            "evaluation.bootstrap_samples=50"
        };
        Outcome demo = succeed(args);
        assertThat(demo.out())
                .contains("prior-small@demo", "linear-small@demo", "plant-small@demo")
                .contains("prior@demo", "linear@demo", "laat@demo", "control@demo", "plant@demo")
                .contains("its unplanted control", "After one epoch PLANT has a dev MAP of ")
                .contains("Top tokens for", "mutual information", "Try next:", "Generated documents");
        assertThat(runs.resolve("demo").resolve("report.html"))
                .content()
                .contains("Planted tokens", "PLANT and the other models", "An explained document");
        assertThat(succeed(args).err()).containsPattern("(model|network) +reused");
    }
}
