package org.plant4j.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.plant4j.UserError;
import org.plant4j.corpus.BadRows;
import org.plant4j.predict.RunFolder;

class PlantedRunTest extends TinyRuns {

    @Test
    void whatIsPlantedIsLearnedBeforeTheModelAndSharedByRunsOfEverySeed() throws IOException {
        assertThat(run(tiny.plant())).isTrue();
        assertThat(heard)
                .satisfiesExactly(
                        prepare -> assertThat(prepare).startsWith("prepare: "),
                        mi -> assertThat(mi).matches("mi: \\d+ words that speak for 4 codes"),
                        rank -> assertThat(rank)
                                .matches("rank: nDCG@20 [01]\\.\\d{4} learned, [01]\\.\\d{4} on held-out words"),
                        train -> assertThat(train).startsWith("train: best of 2 epochs"),
                        evaluate -> assertThat(evaluate).isEqualTo("evaluate: done"));
        RunFolder run = folder(tiny.plant());
        assertThat(Stream.of(run.relevance(), run.ranker(), run.rankerConfig(), run.rankerHistory()))
                .allMatch(Files::exists);
        assertThat(manifest(run).seconds()).containsKeys("mi", "rank");

        heard.clear();
        run(tiny.plant("name=other", "seed=2"));
        assertThat(heard).startsWith("prepare: reused", "mi: reused", "rank: reused");
        assertThat(weights("other")).isNotEqualTo(weights("tiny"));

        heard.clear();
        run(tiny.plant("name=longer", "rank.epochs=4"));
        assertThat(heard.get(1)).isEqualTo("mi: reused");
        assertThat(heard.get(2)).startsWith("rank: nDCG@20");
        assertThat(catchThrowableOfType(UserError.class, () -> run(tiny.plant("rank.epochs=4"))))
                .hasMessageContaining("other settings");
    }

    @Test
    void aModelThatPlantsNothingRunsNoneOfTheStagesAndAStaticOneNoRanker() {
        run(tiny.plant("model.static=false", "model.differentiable=false"));
        assertThat(heard).noneMatch(line -> line.startsWith("mi") || line.startsWith("rank"));
        assertThat(folder(tiny.plant()).relevance()).doesNotExist();
        heard.clear();
        run(tiny.plant("name=static", "model.differentiable=false", "rank=null"));
        assertThat(heard).anyMatch(line -> line.startsWith("mi")).noneMatch(line -> line.startsWith("rank"));
        assertThat(new RunFolder(tiny.runs().resolve("static")).ranker()).doesNotExist();
    }

    @Test
    void aRankerMayStartFromTheWordVectors() {
        run(tiny.plant(VECTORS, "rank.start=vectors"));
        assertThat(heard).anyMatch(line -> line.startsWith("vectors")).anyMatch(line -> line.startsWith("rank"));
        assertThat(catchThrowableOfType(UserError.class, () -> tiny.plant("rank.start=vectors")))
                .hasMessageContaining("there are none");
        assertThat(catchThrowableOfType(
                        UserError.class, () -> tiny.plant(VECTORS, "rank.start=vectors", "model.ranker.size=9")))
                .hasMessageContaining("do not fit a ranker of 9");
    }

    @Test
    void aPlantedModelSaysWhatItLacks() {
        assertThat(catchThrowableOfType(UserError.class, () -> tiny.plant("relevance=null")))
                .hasMessageContaining("nothing to plant");
        assertThat(catchThrowableOfType(UserError.class, () -> tiny.plant("rank=null"))
                        .where())
                .endsWith("rank");
    }

    @Test
    void aRankerThatIsInterruptedIsNotKept() throws IOException {
        AtomicInteger looks = new AtomicInteger();
        assertThat(run(tiny.plant(), BadRows.fail(), false, () -> looks.incrementAndGet() > 2))
                .isFalse();
        assertThat(heard).last().asString().contains("interrupted");
        try (Stream<Path> cached = Files.list(tiny.runs().resolve(".cache"))) {
            assertThat(cached.filter(Files::isDirectory))
                    .noneMatch(path -> path.getFileName().toString().startsWith("rank"));
        }
        assertThat(run(tiny.plant())).isTrue();
    }
}
