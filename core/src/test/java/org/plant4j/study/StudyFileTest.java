package org.plant4j.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.UserError;
import org.plant4j.experiment.EncoderSizes;
import org.plant4j.experiment.Experiment;
import org.plant4j.experiment.ExperimentLibrary;
import org.plant4j.model.baseline.Laat;
import org.plant4j.pipeline.TinyExperiment;

class StudyFileTest {

    @TempDir
    Path directory;

    private TinyExperiment tiny;

    @BeforeEach
    void writeExperiment() {
        tiny = TinyExperiment.in(directory);
        tiny.laat(); // writes laat-tiny.yaml, whose name is "tiny"
    }

    private Study read(String... lines) {
        return StudyFile.read(tiny.write("study.yaml", lines), List.of());
    }

    @Test
    void everyVariantIsRunWithEverySizeAndSeed() {
        Study study = read(
                "name: shots", "kind: low-shot", "variants: {LAAT: laat-tiny.yaml}", "sizes: [8, 0]", "seeds: [1, 7]");
        assertThat(study.plannedRuns())
                .extracting(cell -> cell.experiment().name())
                .containsExactly("tiny-n8-s1", "tiny-n8-s7", "tiny-s1", "tiny-s7");
        Experiment second = study.plannedRuns().get(1).experiment();
        assertThat(second.preprocessing().maxTrainingDocuments()).isEqualTo(8);
        assertThat(second.seed()).isEqualTo(7);
    }

    @Test
    void aVariantWithSettingsIsASeparateRun() {
        Study study = read(
                "name: less",
                "kind: ablation",
                "variants:",
                "  LAAT: laat-tiny.yaml",
                "  'Less dropout!': {experiment: laat-tiny.yaml, set: {model.dropout: 0.05, training.epochs: 2}}",
                "seeds: [1]",
                "set: {compute.threads: 2}");
        Experiment plain = study.plannedRuns().get(0).experiment();
        Experiment less = study.plannedRuns().get(1).experiment();
        assertThat(plain.name()).isEqualTo("tiny-s1"); // compute settings do not change the name
        assertThat(plain.compute().threads()).isEqualTo(2);
        assertThat(less.name()).matches("tiny-less-dropout-[0-9a-f]+-s1");
        assertThat(((Laat.Config) less.model()).dropout()).isEqualTo(0.05);
        assertThat(less.training().epochs()).isEqualTo(2);
        assertThat(less.compute().threads()).isEqualTo(2);
    }

    @Test
    void commandLineSettingsApplyToAllVariants() {
        Path file =
                tiny.write("study.yaml", "name: a", "kind: ablation", "variants: {LAAT: laat-tiny.yaml}", "seeds: [1]");
        Study study = StudyFile.read(file, List.of("training.epochs=9"));
        assertThat(study.plannedRuns().get(0).experiment().training().epochs()).isEqualTo(9);
    }

    @Test
    void variantsThatDefineTheSameRunAreRejected() {
        Study study =
                read("name: a", "kind: ablation", "variants: {A: laat-tiny.yaml, B: laat-tiny.yaml}", "seeds: [1]");
        UserError error = catchThrowableOfType(UserError.class, study::plannedRuns);
        assertThat(error.what()).contains("'A'", "'B'", "tiny-s1");
    }

    @Test
    void errorsUseTheTermsOfTheFile() {
        UserError kind = catchThrowableOfType(
                UserError.class, () -> read("name: a", "kind: low_shot", "variants: {A: laat}", "seeds: [1]"));
        assertThat(kind.what()).contains("kind");
        assertThat(kind.remedy()).contains("low-shot, overfitting, ablation, rare-labels, interpretability");
        UserError key = catchThrowableOfType(
                UserError.class, () -> read("name: a", "kind: ablation", "variant: {A: laat}", "seeds: [1]"));
        assertThat(key.what()).contains("variant");
        UserError seeds = catchThrowableOfType(
                UserError.class, () -> read("name: a", "kind: ablation", "variants: {A: laat}", "seeds: []"));
        assertThat(seeds.what()).contains("no seeds");
        UserError none = catchThrowableOfType(UserError.class, () -> StudyFile.open("lowshot@demo", List.of()));
        assertThat(none.remedy()).contains("low-shot");
    }

    @Test
    void everyStudyOfTheLibraryRunsOnCorpora() throws IOException {
        List<String> overrides = List.of(EncoderSizes.write(directory.resolve("encoder")));
        for (String study : ExperimentLibrary.names(ExperimentLibrary.Kind.STUDIES)) {
            for (String corpus : List.of("demo", "codiesp-d")) {
                Study read = StudyFile.open(study + "@" + corpus, overrides);
                assertThat(read.name()).isEqualTo(study.replace('/', '-') + "@" + corpus);
                boolean needsEncoder = read.variants().values().stream() // which is not imported here
                        .anyMatch(variant -> String.valueOf(variant.set().get("pretrained_encoder"))
                                .contains("xlm-roberta"));
                if (!needsEncoder) {
                    assertThat(read.plannedRuns())
                            .as(study)
                            .hasSizeGreaterThanOrEqualTo(read.variants().size());
                }
            }
        }
    }

    @Test
    void aCorpusCanReplaceSettingsOfAStudy() {
        assertThat(StudyFile.open("overfitting@codiesp-d", List.of()).sizes()).containsExactly(0);
        Study demo = StudyFile.open("overfitting@demo", List.of());
        assertThat(demo.sizes()).containsExactly(200);
        assertThat(demo.plannedRuns().get(0).experiment().training().maxBatchTokens())
                .isEqualTo(8192);
    }

    @Test
    void aStudyOfTheLibraryNeedsACorpus() {
        UserError error = catchThrowableOfType(UserError.class, () -> StudyFile.open("low-shot", List.of()));
        assertThat(error.remedy()).contains("low-shot@demo", "codiesp-d");
    }

    @Test
    void aStudyThatListsCorporaRunsOnTheFirstThatExists() {
        Study study = StudyFile.open("paper/000-table-3", List.of());
        assertThat(study.name()).startsWith("paper-000-table-3@");
        assertThat(study.metrics()).contains("P@8");
    }

    @Test
    void aCorpusCanSubstituteModelsOfAStudy() {
        Study study = StudyFile.open("paper/003-table-6@mimic3-full", List.of());
        assertThat(Objects.requireNonNull(study.variants().get("ISD")).experiment())
                .isEqualTo("isd-paper@mimic3-full");
    }
}
