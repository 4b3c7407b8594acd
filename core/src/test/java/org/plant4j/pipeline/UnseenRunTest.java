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
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.experiment.Experiment;
import org.plant4j.metric.Evaluation;
import org.plant4j.metric.FrequencyBucket;
import org.plant4j.metric.MetricNames;
import org.plant4j.prediction.Suggestion;
import org.plant4j.support.UserError;
import org.plant4j.text.LabelIndex;

/** Zero-shot labels, from preparation to prediction. */
class UnseenRunTest extends TinyRuns {

    /** Sixty made-up signs. */
    private static final List<String> SIGNS = Stream.of("ba", "cu", "do", "fe", "gi", "ho", "ju", "ka", "le", "mi")
            .flatMap(
                    first -> Stream.of("nor", "pax", "rum", "sel", "tif", "voz").map(first::concat))
            .toList();

    /** Of the codes of the book that mean them the last four have no training document, though their words stand there. */
    private static final int LEARNED = 56;

    private Path book;

    @BeforeEach
    void writeNotes() {
        List<String> codes = new ArrayList<>(List.of("code\tdescription\tparent\tvalid", "A\tsigns\t\t0"));
        for (int i = 0; i < SIGNS.size(); i++) {
            codes.add(code(i) + "\t" + SIGNS.get(i) + "\tA\t1");
        }
        codes.add("B10.0\ta yawn\tB\t1");
        codes.add("B\tothers\t\t0");
        book = tiny.write("signs.tsv", codes.toArray(String[]::new));
        notes("train.csv", 240, LEARNED);
        notes("dev.csv", 60, SIGNS.size());
        notes("test.csv", 10, SIGNS.size());
        tiny.append("dev.csv", "none,Nothing but banor.,A00.0;Z99.9");
    }

    private static String code(int sign) {
        return "A" + (sign < 10 ? "0" : "") + sign + ".0";
    }

    /** Three signs a note; codes of the first so many are given. */
    private void notes(String file, int count, int coded) {
        List<String> lines = new ArrayList<>(List.of("id,text,codes"));
        for (int i = 0; i < count; i++) {
            int[] signs = {i % SIGNS.size(), (7 * i + 3) % SIGNS.size(), (3 * i + i / 20 + 11) % LEARNED};
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
                "code_sets=[" + book + "]",
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
        return Evaluation.read(folder(experiment).metrics(Pipeline.DEV))
                .buckets()
                .get(0);
    }

    @Test
    void aCodeThatOnlyTheBookKnowsIsGivenAndExplained() {
        Experiment without = experiment("none", "name=without");
        Experiment with = experiment("code_set", "name=with", "evaluation.thresholds=per_label");
        assertThat(run(without)).isTrue();
        assertThat(run(with)).isTrue();
        assertThat(stages).anyMatch(line -> line.contains("56 labels, 5 zero-shot labels"));

        LabelIndex labels = LabelIndex.read(folder(with).labels());
        assertThat(labels.trainedCount()).isEqualTo(LEARNED);
        assertThat(labels.codes())
                .endsWith("A56.0", "A57.0", "A58.0", "A59.0", "B10.0", "Z99.9")
                .hasSize(62);
        assertThat(labels.size()).isEqualTo(61);

        assertThat(unseen(without).metrics())
                .containsEntry(MetricNames.MICRO_RECALL, 0.0)
                .containsEntry(MetricNames.MAP, 0.0);
        Map<String, Double> found = unseen(with).metrics();
        assertThat(found.get(MetricNames.GOLD_LABELS)).isEqualTo(5); // the four, and one that no book has
        assertThat(found.get(MetricNames.MICRO_RECALL)).isPositive();
        assertThat(found.get(MetricNames.MAP)).isGreaterThan(0.5);

        try (Coder coder = Coder.load(folder(with).path())) {
            String note = "Seen with banor mirum mivoz.";
            assertThat(coder.explain(note, "A59.0").suggestion().score())
                    .isGreaterThan(coder.explain("Seen with banor cupax dorum.", "A59.0")
                            .suggestion()
                            .score());
            assertThat(coder.code(note).subList(0, 3).stream().map(Suggestion::code))
                    .containsExactlyInAnyOrder("A00.0", "A56.0", "A59.0");
            assertThat(coder.explain(note, List.of("A59.0", "A00.0"))).hasSize(2);
            assertThat(coder.codes()).contains("B10.0").doesNotContain("Z99.9");
        }
    }

    @Test
    void siblingsLeaveOutOtherHeadingsAndEachChoiceIsAnotherCorpus() {
        Pipeline siblings = new Pipeline(experiment("siblings"), tiny.runs(), TinyExperiment.session(stages));
        assertThat(siblings.prepare().labels().size()).isEqualTo(60);
        Pipeline none = new Pipeline(experiment("none"), tiny.runs(), TinyExperiment.session(stages));
        assertThat(none.prepare().labels().size()).isEqualTo(LEARNED);
        LabelIndex rare = new Pipeline(
                        experiment("code_set", "preprocessing.min_label_documents=13"),
                        tiny.runs(),
                        TinyExperiment.session(stages))
                .prepare()
                .labels();
        assertThat(rare.size()).isEqualTo(61);
        assertThat(rare.trainedCount()).isBetween(1, LEARNED - 1);
        assertThat(rare.frequency(rare.trainedCount())).isBetween(1, 12); // too few to learn from, told all the same
    }

    @Test
    void anotherBookIsAnotherCorpusWhereItLendsCodes() throws IOException {
        String before = new CorpusStage(experiment("code_set"), TinyExperiment.session(stages)).fingerprint();
        String without = new CorpusStage(experiment("none"), TinyExperiment.session(stages)).fingerprint();
        tiny.append("signs.tsv", "B11.0\ta sneeze\tB\t1");
        assertThat(new CorpusStage(experiment("code_set"), TinyExperiment.session(stages)).fingerprint())
                .isNotEqualTo(before);
        assertThat(new CorpusStage(experiment("none"), TinyExperiment.session(stages)).fingerprint())
                .isEqualTo(without);
    }

    @Test
    void aTrainingThatGoesOnDrawsTheSameStrangers() throws IOException {
        run(experiment("code_set", "name=unbroken", "training.epochs=2"));
        Experiment broken = experiment("code_set", "name=broken", "training.epochs=2");
        AtomicInteger looks = new AtomicInteger();
        assertThat(run(broken, BadRowHandler.fail(), false, () -> looks.incrementAndGet() > 35))
                .isFalse();
        assertThat(run(broken)).isTrue();
        assertThat(weights("broken")).isEqualTo(weights("unbroken"));
    }

    @Test
    void whatCannotGiveThemIsToldBeforeAnythingIsDone() {
        UserError model =
                catchThrowableOfType(UserError.class, () -> tiny.laat("preprocessing.zero_shot_labels=code_set"));
        assertThat(model).hasMessageContaining("cannot predict zero-shot labels");
        assertThat(model.where()).contains("preprocessing.zero_shot_labels");
        assertThat(model.remedy()).contains("description-attention");
        UserError noBook = catchThrowableOfType(UserError.class, () -> experiment("siblings", "code_sets=[]"));
        assertThat(noBook.where()).contains("code_sets");
        UserError wrong = catchThrowableOfType(UserError.class, () -> experiment("some"));
        assertThat(wrong.remedy()).contains("none, siblings, code_set");
    }
}
