package org.plant4j.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.plant4j.Coder;
import org.plant4j.Evaluation;
import org.plant4j.FrequencyBucket;
import org.plant4j.MetricNames;
import org.plant4j.Suggestion;
import org.plant4j.UserError;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.experiment.Experiment;
import org.plant4j.text.LabelIndex;
import org.plant4j.text.PreparedCorpus;

/** Zero-shot labels, from preparation to prediction. */
class ZeroShotRunTest extends PipelineTestCase {

    /** Sixty invented signs. */
    private static final List<String> SIGNS = Stream.of("ba", "cu", "do", "fe", "gi", "ho", "ju", "ka", "le", "mi")
            .flatMap(
                    first -> Stream.of("nor", "pax", "rum", "sel", "tif", "voz").map(first::concat))
            .toList();

    /** The first 56 signs have trained labels; the last four occur in training documents, but not their codes. */
    private static final int TRAINED = 56;

    private Path codeSet;

    @BeforeEach
    void writeDocuments() {
        List<String> codes = new ArrayList<>(List.of("code\tdescription\tparent\tvalid", "A\tsigns\t\t0"));
        for (int i = 0; i < SIGNS.size(); i++) {
            codes.add(code(i) + "\t" + SIGNS.get(i) + "\tA\t1");
        }
        codes.add("B10.0\ta yawn\tB\t1");
        codes.add("B\tothers\t\t0");
        codeSet = tiny.write("signs.tsv", codes.toArray(String[]::new));
        writeDocuments("train.csv", 240, TRAINED);
        writeDocuments("dev.csv", 60, SIGNS.size());
        writeDocuments("test.csv", 10, SIGNS.size());
        tiny.append("dev.csv", "none,Nothing but banor.,A00.0;Z99.9");
    }

    private static String code(int sign) {
        return "A" + (sign < 10 ? "0" : "") + sign + ".0";
    }

    /** Documents with three signs each; only the first {@code coded} signs have codes. */
    private void writeDocuments(String file, int count, int coded) {
        List<String> lines = new ArrayList<>(List.of("id,text,codes"));
        for (int i = 0; i < count; i++) {
            int[] signs = {i % SIGNS.size(), (7 * i + 3) % SIGNS.size(), (3 * i + i / 20 + 11) % TRAINED};
            StringBuilder text = new StringBuilder("Seen with");
            List<String> codes = new ArrayList<>();
            for (int sign : signs) {
                text.append(' ').append(SIGNS.get(sign));
                if (sign < coded && !codes.contains(code(sign))) {
                    codes.add(code(sign));
                }
            }
            lines.add(file + i + "," + text + ".," + String.join(";", codes));
        }
        tiny.write(file, lines.toArray(String[]::new));
    }

    private Experiment experiment(String unseen, String... overrides) {
        List<String> all = new ArrayList<>(List.of(
                "code_sets=[" + codeSet + "]",
                "preprocessing.zero_shot_labels=" + unseen,
                "model.encoder={type: bilstm, embedding: 64, hidden: 4, dropout: 0}",
                "model.projection=64",
                "model.lexical=true",
                "model.dropout=0",
                "model.label_attention=false",
                "model.zero_shot_rate=0.2",
                "training.prior_bias=false",
                "training.encoder_learning_rate_scale=0.01",
                "training.layer_decay=1",
                "training.learning_rate=0.01",
                "training.epochs=12"));
        all.addAll(List.of(overrides));
        return tiny.described("description-attention", all.toArray(String[]::new));
    }

    private FrequencyBucket unseen(Experiment experiment) {
        return Evaluation.read(runDirectory(experiment).metrics(PreparedCorpus.DEV))
                .buckets()
                .get(0);
    }

    @Test
    void zeroShotLabelsArePredictedAndExplained() {
        Experiment without = experiment("none", "name=without");
        Experiment with = experiment("code_set", "name=with", "evaluation.thresholds=per_label");
        assertThat(run(without)).isTrue();
        assertThat(run(with)).isTrue();
        assertThat(stages).anyMatch(line -> line.contains("labels 56 · zero-shot labels 5"));

        LabelIndex labels = LabelIndex.read(runDirectory(with).labels());
        assertThat(labels.trainedCount()).isEqualTo(TRAINED);
        assertThat(labels.codes())
                .endsWith("A56.0", "A57.0", "A58.0", "A59.0", "B10.0", "Z99.9")
                .hasSize(62);
        assertThat(labels.size()).isEqualTo(61);

        assertThat(unseen(without).metrics())
                .containsEntry(MetricNames.MICRO_RECALL, 0.0)
                .containsEntry(MetricNames.MAP, 0.0);
        Map<String, Double> found = unseen(with).metrics();
        assertThat(found.get(MetricNames.GOLD_LABELS))
                .isEqualTo(5); // four zero-shot labels, and one that is not in the code set
        assertThat(found.get(MetricNames.MICRO_RECALL)).isPositive();
        assertThat(found.get(MetricNames.MAP)).isGreaterThan(0.5);

        try (Coder coder = Coder.load(runDirectory(with).path())) {
            String text = "Seen with banor mirum mivoz.";
            assertThat(coder.explain(text, "A59.0").suggestion().score())
                    .isGreaterThan(coder.explain("Seen with banor cupax dorum.", "A59.0")
                            .suggestion()
                            .score());
            assertThat(coder.code(text).suggestions().subList(0, 3).stream().map(Suggestion::code))
                    .containsExactlyInAnyOrder("A00.0", "A56.0", "A59.0");
            assertThat(coder.explain(text, List.of("A59.0", "A00.0"))).hasSize(2);
            assertThat(coder.codes()).contains("B10.0").doesNotContain("Z99.9");
        }
    }

    @Test
    void zeroShotLabelsAreSelectedBySetting() {
        Pipeline siblings = new Pipeline(experiment("siblings"), tiny.runs(), TinyExperiment.session(stages));
        assertThat(siblings.prepare().labels().size()).isEqualTo(60);
        Pipeline none = new Pipeline(experiment("none"), tiny.runs(), TinyExperiment.session(stages));
        assertThat(none.prepare().labels().size()).isEqualTo(TRAINED);
        LabelIndex rare = new Pipeline(
                        experiment("code_set", "preprocessing.min_label_documents=13"),
                        tiny.runs(),
                        TinyExperiment.session(stages))
                .prepare()
                .labels();
        assertThat(rare.size()).isEqualTo(61);
        assertThat(rare.trainedCount()).isBetween(1, TRAINED - 1);
        assertThat(rare.frequency(rare.trainedCount())).isBetween(1, 12); // too few to be trained
    }

    @Test
    void fingerprintDependsOnTheCodeSetIfItProvidesZeroShotLabels() throws IOException {
        String before = new CorpusStage(experiment("code_set"), TinyExperiment.session(stages), new LocalEngine())
                .fingerprint();
        String without =
                new CorpusStage(experiment("none"), TinyExperiment.session(stages), new LocalEngine()).fingerprint();
        tiny.append("signs.tsv", "B11.0\ta sneeze\tB\t1");
        assertThat(new CorpusStage(experiment("code_set"), TinyExperiment.session(stages), new LocalEngine())
                        .fingerprint())
                .isNotEqualTo(before);
        assertThat(new CorpusStage(experiment("none"), TinyExperiment.session(stages), new LocalEngine()).fingerprint())
                .isEqualTo(without);
    }

    @Test
    void resumedTrainingSamplesTheSameZeroShotMasks() throws IOException {
        run(experiment("code_set", "name=uninterrupted", "training.epochs=2"));
        Experiment interrupted = experiment("code_set", "name=interrupted", "training.epochs=2");
        AtomicInteger polls = new AtomicInteger();
        assertThat(run(interrupted, BadRowHandler.fail(), false, () -> polls.incrementAndGet() > 35))
                .isFalse();
        assertThat(run(interrupted)).isTrue();
        assertThat(weights("interrupted")).isEqualTo(weights("uninterrupted"));
    }

    @Test
    void missingZeroShotSupportIsReportedWhenTheFileIsRead() {
        UserError model =
                catchThrowableOfType(UserError.class, () -> tiny.laat("preprocessing.zero_shot_labels=code_set"));
        assertThat(model).hasMessageContaining("cannot predict zero-shot labels");
        assertThat(model.where()).contains("preprocessing.zero_shot_labels");
        assertThat(model.remedy()).contains("description-attention");
        UserError noCodeSet = catchThrowableOfType(UserError.class, () -> experiment("siblings", "code_sets=[]"));
        assertThat(noCodeSet.where()).contains("code_sets");
        UserError wrong = catchThrowableOfType(UserError.class, () -> experiment("some"));
        assertThat(wrong.remedy()).contains("none, siblings, code_set");
    }
}
