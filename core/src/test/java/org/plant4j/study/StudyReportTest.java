package org.plant4j.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.Evaluation;
import org.plant4j.Progress;
import org.plant4j.experiment.ExperimentFile;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.pipeline.TinyExperiment;

class StudyReportTest {

    @TempDir
    Path directory;

    private TinyExperiment tiny;

    @BeforeEach
    void writeExperiments() {
        tiny = TinyExperiment.in(directory);
        tiny.prior(); // writes prior-tiny.yaml
        tiny.write("linear.yaml", "extends: [prior-tiny.yaml, linear]", "name: straight");
        tiny.laat(); // writes laat-tiny.yaml
        tiny.write(
                "laat.yaml",
                "extends: laat-tiny.yaml",
                "name: laat",
                "word_vectors: null",
                "model: {embedding: 8, hidden: 8, projection: 8, initial_deviation: 0.3}",
                "training: {epochs: 4, learning_rate: 0.03, batch_size: 4}");
    }

    private StudyReport report(String... lines) {
        List<String> all = new ArrayList<>(List.of("name: asked", "seeds: [1, 2]"));
        all.addAll(List.of(lines));
        Study study = StudyFile.read(tiny.write("study.yaml", all.toArray(String[]::new)), List.of());
        study.plannedRuns().forEach(cell -> tiny.run(cell.experiment()));
        StudyReport report = StudyReport.write(study, tiny.runs(), "a test", Progress.NONE);
        assertThat(report.htmlFile()).isRegularFile();
        return report;
    }

    private static StudyResult mean(StudyReport report, String variant, long documents, String group, String metric) {
        return report.results().stream()
                .filter(result -> result.seed().isEmpty()
                        && result.variant().equals(variant)
                        && result.documents() == documents
                        && result.group().orElse("").equals(group)
                        && result.metric().equals(metric))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void lowShotComparesMeansOverSeeds() throws IOException {
        StudyReport report =
                report("kind: low-shot", "variants: {prior: prior-tiny.yaml, linear: linear.yaml}", "sizes: [0, 6]");
        StudyResult linear = mean(report, "linear", 24, "", "MAP");
        double expected = (map("straight-s1") + map("straight-s2")) / 2;
        assertThat(linear.value()).isEqualTo(expected, within(1e-9));
        assertThat(linear.difference().orElseThrow())
                .isEqualTo(expected - mean(report, "prior", 24, "", "MAP").value(), within(1e-9));
        assertThat(linear.pValue().orElseThrow()).isBetween(0.0, 0.1);
        assertThat(mean(report, "prior", 6, "", "P@5").pValue()).isEmpty();
        assertThat(report.table().rows()).hasSize(4);
        assertThat(report.table().rows().get(0).get(0).value()).isEqualTo(6); // fewest documents first
        assertThat(Files.readString(report.htmlFile())).contains("P@15 by training documents", "for the same MAP");

        JsonNode json = new ObjectMapper()
                .readTree(directory.resolve("runs/studies/asked/results.json").toFile());
        assertThat(json.get("kind").asText()).isEqualTo("low-shot");
        assertThat(json.get("split").asText()).isEqualTo("test");
        assertThat(json.get("results")).hasSize(report.results().size());
        List<String> tsv = Files.readAllLines(directory.resolve("runs/studies/asked/results.tsv"));
        assertThat(tsv.get(0)).startsWith("variant\tdocuments\tgroup\tseed\tmetric\tvalue");
        assertThat(tsv).hasSize(report.results().size() + 1).allMatch(line -> line.split("\t", -1).length == 10);
    }

    private double map(String run) {
        return Evaluation.read(new RunDirectory(tiny.runs().resolve(run)).metrics("test"))
                .metric("MAP");
    }

    @Test
    void neededDocumentsAreInterpolatedOnTheLearningCurve() {
        double[] documents = {10, 100, 1000};
        double[] values = {0.1, 0.3, 0.4};
        assertThat(LowShot.neededDocuments(documents, values, 0.05)).isEqualTo("≤ 10");
        assertThat(LowShot.neededDocuments(documents, values, 0.2))
                .isEqualTo("32"); // halfway on a logarithmic scale: 10^1.5
        assertThat(LowShot.neededDocuments(documents, values, 0.4)).isEqualTo("1000");
        assertThat(LowShot.neededDocuments(documents, values, 0.5)).isEqualTo("> 1000");
    }

    @Test
    void overfittingReportsEveryEpoch() throws IOException {
        StudyReport report = report("kind: overfitting", "variants: {LAAT: laat.yaml}");
        assertThat(report.results()).hasSize(3 * 4);
        assertThat(mean(report, "LAAT", 24, "epoch 4", "train loss").value())
                .isLessThan(mean(report, "LAAT", 24, "epoch 1", "train loss").value());
        assertThat(Files.readString(report.htmlFile())).contains("LAAT: loss by epoch", "P@15 on dev by epoch");
    }

    @Test
    void ablationsAreComparedWithTheFirstVariant() {
        StudyReport report = report(
                "kind: ablation",
                "split: dev",
                "variants:",
                "  linear: linear.yaml",
                "  pruned: {experiment: linear.yaml, set: {model.prune: 0.3}}");
        assertThat(mean(report, "linear", 24, "", "MAP").difference()).isEmpty();
        assertThat(mean(report, "pruned", 24, "", "micro-F1").pValue()).isPresent();
        assertThat(report.caption()).contains("2 seeds", "8 dev documents");
    }

    @Test
    void comparisonsEvaluateGroupsOfLabels() throws IOException {
        StudyReport report = report(
                "kind: comparison",
                "groups: [all, top 2, diagnoses]",
                "metrics: [micro-AUC, micro-F1, macro-F1-gold, MAP, P@5]",
                "variants: {prior: prior-tiny.yaml, linear: linear.yaml}");
        assertThat(mean(report, "linear", 24, "all", "MAP").value())
                .isEqualTo((map("straight-s1") + map("straight-s2")) / 2, within(1e-9));
        assertThat(mean(report, "linear", 24, "all", "micro-AUC").value()).isBetween(0.0, 1.0);
        assertThat(mean(report, "linear", 24, "top 2", "micro-AUC").value()).isNaN();
        assertThat(mean(report, "linear", 24, "top 2", "macro-F1-gold").value()).isBetween(0.0, 1.0);
        assertThat(mean(report, "linear", 24, "diagnoses", "micro-F1").pValue()).isPresent();
        assertThat(report.table().rows()).hasSize(6);
        assertThat(Files.readString(report.htmlFile())).contains("there is no AUC");
    }

    @Test
    void aGroupThatContainsAllLabelsHasAuc() throws IOException {
        StudyReport report = report(
                "kind: comparison",
                "groups: [rare 50]",
                "metrics: [macro-AUC, micro-AUC, macro-F1-gold]",
                "variants: {prior: prior-tiny.yaml, linear: linear.yaml}");
        assertThat(mean(report, "linear", 24, "rare 50", "micro-AUC").value()).isBetween(0.0, 1.0);
        assertThat(mean(report, "linear", 24, "rare 50", "micro-AUC").pValue()).isEmpty();
        assertThat(mean(report, "linear", 24, "rare 50", "macro-F1-gold").pValue())
                .isPresent();
        assertThat(Files.readString(report.htmlFile())).doesNotContain("there is no AUC");
    }

    @Test
    void corpusStatisticsCountDocumentsAndLabels() throws IOException {
        StudyReport report = report("kind: corpus-statistics", "variants: {prior: prior-tiny.yaml}");
        assertThat(mean(report, "corpus", 0, "train", "documents").value()).isEqualTo(24);
        assertThat(mean(report, "corpus", 0, "train", "labels not in train").value())
                .isZero();
        assertThat(mean(report, "corpus", 0, "labelled", "documents").value()).isEqualTo(24 + 8 + 9);
        assertThat(mean(report, "corpus", 0, "labelled", "labels").value()).isEqualTo(5);
        assertThat(mean(report, "corpus", 0, "labelled", "labels not in train").value())
                .isEqualTo(1);
        assertThat(Files.readString(report.htmlFile())).contains("Labels by number of training documents");
    }

    @Test
    void quantilesAreNearestRanks() {
        int[] sorted = {1, 2, 3, 10};
        assertThat(CorpusStatistics.quantile(sorted, 0.25)).isEqualTo(1);
        assertThat(CorpusStatistics.quantile(sorted, 0.5)).isEqualTo(2);
        assertThat(CorpusStatistics.quantile(sorted, 0.75)).isEqualTo(3);
    }

    /** Ranks 0 1 2 3 against 0 1.5 1.5 3: covariance 4.5, variances 5 and 4.5. */
    @Test
    void rankersAndClassifiersAreCorrelatedByRank() {
        assertThat(RankerQuality.spearman(new double[] {1, 2, 3, 4}, new double[] {10, 20, 20, 90}))
                .isCloseTo(4.5 / Math.sqrt(5 * 4.5), within(1e-12));
    }

    @Test
    void rareLabelsAreReportedByFrequencyBucket() throws IOException {
        StudyReport report =
                report("kind: rare-labels", "variants: {prior: prior-tiny.yaml, linear: linear.yaml}", "sizes: [8]");
        assertThat(report.results())
                .isNotEmpty()
                .allMatch(result -> result.group().isPresent());
        assertThat(Files.readString(report.htmlFile())).contains("micro-F1 by label frequency");
    }

    @Test
    void factorsAreAveragedOverTheirVariants() throws IOException {
        StudyReport report = report(
                "kind: variant-grid",
                "variants:",
                "  prior: {experiment: prior-tiny.yaml, factors: {reads: nothing}}",
                "  linear: {experiment: linear.yaml, factors: {reads: words, pruned: not}}",
                "  pruned: {experiment: linear.yaml, set: {model.prune: 0.3}, factors: {reads: words, pruned: well}}");
        assertThat(mean(report, "words", 24, "reads", "MAP").value())
                .isEqualTo(
                        (mean(report, "linear", 24, "", "MAP").value()
                                        + mean(report, "pruned", 24, "", "MAP").value())
                                / 2,
                        within(1e-9));
        assertThat(mean(report, "nothing", 24, "reads", "predicted-labels").value())
                .isEqualTo(mean(report, "prior", 24, "", "predicted-labels").value());
        assertThat(report.table().rows()).hasSize(4);
        assertThat(Files.readString(report.htmlFile())).contains("Factors", "distinct labels", "labels per document");
    }

    @Test
    void factorsAreOptional() {
        StudyReport report = report("kind: variant-grid", "variants: {linear: linear.yaml}");
        assertThat(report.table().rows()).hasSize(1);
    }

    @Test
    void frequentLabelsAreRemoved() throws IOException {
        StudyReport report = report(
                "kind: frequent-labels-removed",
                "variants: {prior: prior-tiny.yaml, linear: linear.yaml}",
                "removed_labels: [0, 1]");
        assertThat(mean(report, "linear", 24, "none removed", "MAP").value())
                .isEqualTo((map("straight-s1") + map("straight-s2")) / 2, within(1e-9));
        assertThat(mean(report, "prior", 24, "top 1 removed", "MAP").value())
                .isLessThan(mean(report, "prior", 24, "none removed", "MAP").value());
        assertThat(mean(report, "linear", 24, "top 1 removed", "MAP").pValue()).isPresent();
        assertThat(mean(report, "linear", 24, "top 1 removed", "predicted-labels")
                        .value())
                .isLessThan(mean(report, "linear", 24, "none removed", "predicted-labels")
                        .value());
        assertThat(report.table().rows()).hasSize(4);
        assertThat(Files.readString(report.htmlFile())).contains("MAP without the most frequent labels");
    }

    @Test
    void evidenceIsComparedWithAnnotations() throws IOException {
        StudyReport report = report(
                "kind: interpretability",
                "variants: {linear: linear@demo, prior: prior@demo}",
                "set: {corpus.options.sizes: 60/10/20, evaluation.bootstrap_samples: 0}");
        double linear = mean(report, "linear", 60, "", "AUPRC").value();
        StudyResult random = mean(report, "random weights", 0, "", "AUPRC");
        StudyResult uniform = mean(report, "uniform weights", 0, "", "AUPRC");
        assertThat(linear).isGreaterThan(2 * random.value());
        assertThat(random.pValue().orElseThrow()).isLessThan(0.01);
        // Without weights all tokens tie, and average precision is the share of annotated tokens.
        assertThat(mean(report, "prior", 60, "", "AUPRC").value()).isEqualTo(uniform.value(), within(1e-9));
        assertThat(mean(report, "uniform weights", 0, "", "recall").value()).isEqualTo(1);
        assertThat(mean(report, "prior", 60, "", "F1").value()).isZero();
        assertThat(Files.readString(report.htmlFile())).contains("annotated", "uniform weights");
    }

    @Test
    void sharpnessUsesSharedViewsOrEvidence() {
        tiny.write("isd.yaml", ExperimentFile.toYaml(tiny.isd("name=isd")));
        StudyReport report = report(
                "kind: attention-sharpness",
                "variants:",
                "  ISD: isd.yaml",
                "  alone: {experiment: isd.yaml, set: {model.self_distillation: false}}",
                "  linear: linear.yaml");
        for (String variant : List.of("ISD", "alone", "linear")) {
            assertThat(mean(report, variant, 24, "", "standard deviation").value())
                    .isPositive();
            assertThat(mean(report, variant, 24, "", "effective tokens").value())
                    .isBetween(1.0, 12.0);
        }
        assertThat(report.table().rows()).hasSize(3);
    }

    @Test
    void sharperWeightsDeviateMoreAndCoverFewerTokens() {
        // (0.5, 0.5, 0, 0) deviates by 0.25 from 0.25 everywhere and covers two tokens; rows without weight are
        // skipped.
        assertSharpness(0.25, 2, new float[][] {{0.5f, 0.5f, 0, 0}, {0, 0, 0, 0}});
        assertSharpness(0, 4, new float[][] {{0.25f, 0.25f, 0.25f, 0.25f}});
        // One token of four: √((0.75² + 3 · 0.25²) / 4).
        assertSharpness(Math.sqrt(0.75 / 4), 1, new float[][] {{0, 1, 0, 0}});
    }

    private static void assertSharpness(double deviation, double effectiveTokens, float[][] weights) {
        AttentionSharpness.Sharpness sharpness = AttentionSharpness.Sharpness.of(weights);
        assertThat(sharpness.deviation()).isEqualTo(deviation, within(1e-6));
        assertThat(sharpness.effectiveTokens()).isEqualTo(effectiveTokens, within(1e-6));
    }

    @Test
    void withoutAnnotationsTopTokensAreReported() throws IOException {
        StudyReport report = report("kind: interpretability", "variants: {linear: linear.yaml}", "codes: [I50.9]");
        assertThat(report.table().rows()).hasSize(1);
        assertThat(report.table().rows().get(0).get(2).text()).contains("heart").contains("failing");
        assertThat(Files.readString(report.htmlFile())).contains("no evidence annotations");
    }
}
