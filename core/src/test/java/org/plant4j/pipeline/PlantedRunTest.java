package org.plant4j.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.plant4j.Coder;
import org.plant4j.UserError;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.experiment.Experiment;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.experiment.TopTokens;
import org.plant4j.pipeline.evaluation.ShortlistTuning;
import org.plant4j.text.LabelIndex;

class PlantedRunTest extends PipelineTestCase {

    @Test
    void theRankerTakesTheSeedAndMutualInformationIsShared() throws IOException {
        assertThat(run(tiny.plant())).isTrue();
        assertThat(stages)
                .satisfiesExactly(
                        prepare -> assertThat(prepare).startsWith("prepare: "),
                        mi -> assertThat(mi).matches("mutual-information: \\d+ tokens for 4 labels"),
                        rank -> assertThat(rank)
                                .matches("ranker: nDCG@20 \\d+\\.\\d{2} % on training tokens, \\d+\\.\\d{2} % on"
                                        + " held-out tokens"),
                        train -> assertThat(train).matches("network: best epoch [12] of 2, .*"),
                        evaluate -> assertThat(evaluate).isEqualTo("evaluate: done"));
        RunDirectory run = runDirectory(tiny.plant());
        assertThat(Stream.of(run.relevance(), run.ranker(), run.rankerConfig(), run.rankerHistory()))
                .allMatch(Files::exists);
        assertThat(manifest(run).seconds()).containsKeys("mutual-information", "ranker");

        stages.clear();
        run(tiny.plant("name=other", "seed=2"));
        assertThat(stages).startsWith("prepare: reused", "mutual-information: reused");
        assertThat(stages.get(2)).startsWith("ranker: nDCG@20");
        assertThat(weights("other")).isNotEqualTo(weights("tiny"));

        stages.clear();
        run(tiny.plant("name=longer", "ranker.epochs=4"));
        assertThat(stages.get(1)).isEqualTo("mutual-information: reused");
        assertThat(stages.get(2)).startsWith("ranker: nDCG@20");
        assertThat(catchThrowableOfType(UserError.class, () -> run(tiny.plant("ranker.epochs=4"))))
                .hasMessageContaining("other settings");
    }

    /** All four labels are among the best 15, so shortlists must have four labels. */
    @Test
    void theSizeOfShortlistsIsChosenOnDevWithoutTrainingAgain() {
        run(tiny.plant());
        RunDirectory run = runDirectory(tiny.plant());
        stages.clear();
        run(tiny.plant("evaluation.shortlist_agreement=0.99"));
        assertThat(stages)
                .noneMatch(line -> line.startsWith("network: best"))
                .anyMatch(line -> line.matches("shortlist: 4 labels; same best 15 for 100.0 % of \\d+ documents"));
        assertThat(run.read(run.shortlist(), ShortlistTuning.Choice.class).size())
                .isEqualTo(4);
        assertThat(run.modelConfig()).isEqualTo(tiny.plant("model.shortlist=4").model());
        try (Coder coder = Coder.load(run.path())) {
            assertThat(coder.code("breath with wheezing", 4).suggestions()).hasSize(4);
        }
        run(tiny.plant());
        assertThat(run.modelConfig()).isEqualTo(tiny.plant().model());
        assertThat(run.read(run.shortlist(), ShortlistTuning.Choice.class)).isEqualTo(ShortlistTuning.Choice.NONE);
    }

    @Test
    void stagesThatAModelDoesNotNeedAreSkipped() {
        run(tiny.plant("model.static=false", "model.differentiable=false"));
        assertThat(stages).noneMatch(line -> line.startsWith("mutual-information") || line.startsWith("ranker"));
        assertThat(runDirectory(tiny.plant()).relevance()).doesNotExist();
        stages.clear();
        run(tiny.plant("name=static", "model.differentiable=false", "ranker=null"));
        assertThat(stages)
                .anyMatch(line -> line.startsWith("mutual-information"))
                .noneMatch(line -> line.startsWith("ranker"));
        assertThat(new RunDirectory(tiny.runs().resolve("static")).ranker()).doesNotExist();
    }

    @Test
    void theLabelAttentionOfDescriptionAttentionCanBePlanted() {
        Path other = tiny.write(
                "other.tsv", "code\tdescription\tparent\tvalid", "R06.2\twheezing\t\t1", "R00.2\tpalpitations\t\t1");
        Experiment planted = tiny.described(
                "plant-descriptions",
                "code_sets=[" + directory.resolve("code-set.tsv") + ", " + other + "]",
                "model.encoder={type: bilstm, embedding: 8, hidden: 8, dropout: 0}",
                "preprocessing.zero_shot_labels=code_set",
                "preprocessing.min_token_count=1",
                "ranker.epochs=3",
                "ranker.top_tokens=10",
                "ranker.sampled_tokens=10",
                "ranker.held_out_every=3",
                "model.planted.ranker.size=8");
        assertThat(run(planted)).isTrue();
        assertThat(stages)
                .anyMatch(line -> line.startsWith("mutual-information: ") && line.endsWith(" 4 labels"))
                .anyMatch(line -> line.startsWith("ranker"));
        LabelIndex labels = LabelIndex.read(runDirectory(planted).labels());
        assertThat(labels.trainedCount()).isEqualTo(4);
        assertThat(labels.size()).isEqualTo(6);
        assertThat(manifest(runDirectory(planted)).seconds()).containsKeys("mutual-information", "ranker");
        try (Coder coder = Coder.load(runDirectory(planted).path())) {
            assertThat(coder.code("breath with wheezing", 6).suggestions()).hasSize(6);
        }
        assertThat(TopTokens.read(runDirectory(planted), "I50.9", 5).byRanker()).hasSize(5);
        assertThat(catchThrowableOfType(UserError.class, () -> TopTokens.read(runDirectory(planted), "R06.2", 5)))
                .hasMessageContaining("has no top tokens");
    }

    @Test
    void aRankerCanStartFromWordVectors() {
        run(tiny.plant(VECTORS, "ranker.start=vectors"));
        assertThat(stages)
                .anyMatch(line -> line.startsWith("word-vectors"))
                .anyMatch(line -> line.startsWith("ranker"));
        assertThat(catchThrowableOfType(UserError.class, () -> tiny.plant("ranker.start=vectors")))
                .hasMessageContaining("there are none");
        assertThat(catchThrowableOfType(
                        UserError.class, () -> tiny.plant(VECTORS, "ranker.start=vectors", "model.ranker.size=9")))
                .hasMessageContaining("do not fit a ranker of size 9");
    }

    @Test
    void missingSectionsOfAPlantedModelAreReported() {
        assertThat(catchThrowableOfType(UserError.class, () -> tiny.plant("mutual_information=null")))
                .hasMessageContaining("needs the section");
        assertThat(catchThrowableOfType(UserError.class, () -> tiny.plant("ranker=null"))
                        .where())
                .endsWith("ranker");
    }

    @Test
    void anInterruptedRankerIsNotCached() throws IOException {
        AtomicInteger polls = new AtomicInteger();
        assertThat(run(tiny.plant(), BadRowHandler.fail(), false, () -> polls.incrementAndGet() > 2))
                .isFalse();
        assertThat(stages).last().asString().contains("interrupted");
        try (Stream<Path> cached = Files.list(tiny.runs().resolve(".cache"))) {
            assertThat(cached.filter(Files::isDirectory))
                    .noneMatch(path -> path.getFileName().toString().startsWith("ranker"));
        }
        assertThat(run(tiny.plant())).isTrue();
    }
}
