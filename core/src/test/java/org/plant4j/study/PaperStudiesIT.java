package org.plant4j.study;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.plant4j.Progress;
import org.plant4j.experiment.ExperimentLibrary;
import org.plant4j.experiment.TinyEncoder;
import org.plant4j.pipeline.TinyExperiment;
import org.plant4j.tensor.Engine;

/**
 * Every table and figure of the papers from its study file, with all variants, on a few sentences: with the models that the
 * studies run on MIMIC, but smaller, and with one seed and one epoch. Runs are shared between studies.
 */
class PaperStudiesIT {

    private static final String PREFIX = "paper/";

    @TempDir
    static Path directory;

    private static TinyExperiment tiny;

    @BeforeAll
    static void writeCorpus() {
        Engine.setThreads(1);
        tiny = TinyExperiment.in(directory);
        TinyEncoder.write(directory.resolve("encoders/mbert"));
        TinyEncoder.write(directory.resolve("encoders/xlm-roberta-base"));
        tiny.write(
                "codes.tsv",
                "code\tdescription\tparent\tvalid",
                "E11.9\traised sugar\t\t1",
                "I50.9\tfailing heart\t\t1",
                "J45.909\tbreath with wheezing\t\t1",
                "N18.6\tkidney on dialysis\t\t1");
        tiny.write("tiny.yaml", """
                corpus: {format: csv, path: ., train: [train.csv], dev: [dev.csv], test: [test.csv]}
                code_sets: [codes.tsv]
                synonyms: [codes.tsv]
                substitutes: # those of MIMIC-III
                  plant: plant-paper
                  plant-stateful: plant-paper
                  plant-awd-lstm: plant-paper
                  plant-bidirectional: plant-paper-bidirectional
                  control: control-paper
                  isd: isd-paper
                models:
                  base:
                    preprocessing: {min_token_count: 1}
                    training: {epochs: 1, batch_size: 8, learning_rate: 0.01}
                    evaluation: {bootstrap_samples: 20}
                    compute: {device: cpu, threads: 1}
                  text-cnn: {word_vectors: {size: 8}, model: {embedding: 8, filters: 4}}
                  bi-gru: {word_vectors: {size: 8}, model: {embedding: 8, hidden: 4}}
                  caml: {word_vectors: {size: 8}, model: {embedding: 8, filters: 4}}
                  dr-caml: {word_vectors: {size: 8}, model: {embedding: 8, filters: 4}}
                  multires-cnn: {word_vectors: {size: 8}, model: {embedding: 8, filters: 4, kernels: [3, 5]}}
                  msatt-kg: {word_vectors: {size: 8}, model: {embedding: 8, filters: 8, scales: 2}}
                  hypercore: {word_vectors: {size: 8}, model: {embedding: 8, filters: 8, ball: 4, neighbours: 2}}
                  effective-can: {word_vectors: {size: 8}, model: {embedding: 8, filters: [8, 8], kernel: 3}}
                  laat: {word_vectors: {size: 8}, model: {embedding: 8, hidden: 4, projection: 4}}
                  joint-laat: {word_vectors: {size: 8}, model: {embedding: 8, hidden: 4, projection: 4, categories: 4}}
                  ha-gru: {word_vectors: {size: 8}, model: {embedding: 8, hidden: 4, attention: 4, sentence_tokens: 5}}
                  discnet: {word_vectors: {size: 8}, model: {embedding: 8, sentence_tokens: 5}}
                  msmn: {word_vectors: {size: 8}, model: {embedding: 8, hidden: 4, layers: 1, size: 8, terms: 2}}
                  isd-paper:
                    word_vectors: {size: 8, epochs: 1}
                    model: {encoder: {embedding: 8, filters: 4, kernels: [1, 3]}, queries: 4, intermediate: 8}
                    training: {epochs: 1}
                  plant-paper:
                    language_model: {embedding: 8, hidden: 8, layers: 1, epochs: 1, bptt: 8, batch_size: 4, start: null}
                    ranker: {epochs: 1, top_tokens: 10, sampled_tokens: 10, held_out_every: 3}
                    model: {encoder: {embedding: 8, hidden: 8, layers: 1}, ranker: {size: 8}, segment: 8, window: 16, keep: 4}
                    training: {epochs: 1}
                  plant-paper-backward: {language_model: {start: null}}
                  masked-language-model: {masked_language_model: {epochs: 1, batch_size: 8, window: 14}}
                  pooled-bert: {pretrained_encoder: encoders/mbert, model: {encoder: {window: 14}, window: 8, overlap: 3}}
                  description-attention:
                    pretrained_encoder: encoders/mbert
                    model: {encoder: {window: 14}, projection: 8, window: 8, overlap: 3, label_tokens: 6}
                  kept:
                    pretrained_encoder: encoders/mbert
                    model: {encoder: {attention_window: 8}, yes_token: at, no_token: "on"}
                """);
    }

    static Stream<String> studies() {
        return ExperimentLibrary.names(ExperimentLibrary.Kind.STUDIES).stream().filter(name -> name.startsWith(PREFIX));
    }

    @ParameterizedTest
    @MethodSource("studies")
    void runsAndReports(String name) {
        String file = name.substring(PREFIX.length()) + ".yaml";
        String text = ExperimentLibrary.text(ExperimentLibrary.Kind.STUDIES, name)
                .orElseThrow()
                .replaceAll("seeds: \\[.*]", "seeds: [1]")
                .replaceAll("sizes: \\[.*]", "sizes: [8, 16]")
                .replaceAll("(training\\.epochs|training\\.patience|ranker\\.epochs): [0-9]+", "$1: 1")
                .replaceAll("model\\.window: 150", "model.window: 10") // positions of the small encoder
                .replace(
                        "${PLANT4J_ENCODERS:encoders}",
                        directory.resolve("encoders").toString());
        tiny.write(file, text);
        Study study = StudyFile.open(directory.resolve(file) + "@" + directory.resolve("tiny.yaml"), List.of());
        study.plannedRuns().forEach(run -> tiny.run(run.experiment()));
        StudyReport report = StudyReport.write(study, tiny.runs(), "a test", Progress.NONE);
        assertThat(report.htmlFile()).isRegularFile();
        List<String> measured =
                report.results().stream().map(StudyResult::variant).distinct().toList();
        assertThat(measured)
                .containsAll(
                        study.kind() == Study.Kind.CORPUS_STATISTICS
                                ? List.of("corpus")
                                : study.variants().keySet());
    }
}
