package org.plant4j.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.plant4j.UserError;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.experiment.Experiment;
import org.plant4j.text.PreparedCorpus;
import org.plant4j.text.TokenStore;
import org.plant4j.text.Vocabulary;

class CorpusStageTest extends PipelineTestCase {

    @Test
    void anEmptyTrainingSplitIsReported() throws IOException {
        tiny.write("train.csv", "id,text,codes");
        UserError error = catchThrowableOfType(UserError.class, () -> run(tiny.laat()));
        assertThat(error.where()).contains("train");
        assertThat(runDirectory(tiny.laat()).path()).doesNotExist();
        tiny.write("train.csv", "id,text,codes", "a,Heart failing.,");
        assertThat(catchThrowableOfType(UserError.class, () -> run(tiny.prior("corpus.options.uncoded=keep"))))
                .hasMessageContaining("No training document has a code");
    }

    @Test
    void aSampleOfTrainingDocumentsDependsOnTheSeed() {
        PreparedCorpus five = prepared(tiny.prior("preprocessing.max_training_documents=5"));
        assertThat(five.train().size()).isEqualTo(5);
        assertThat(five.split(PreparedCorpus.DEV).size()).isEqualTo(8);
        assertThat(five.split(PreparedCorpus.TEST).size()).isEqualTo(9);
        List<String> ofFive = ids(five.train());
        List<String> ofTen = ids(
                prepared(tiny.prior("preprocessing.max_training_documents=10")).train());
        assertThat(ofTen).hasSize(10).containsSubsequence(ofFive);
        assertThat(ids(prepared(tiny.prior("preprocessing.max_training_documents=5", "seed=2"))
                        .train()))
                .isNotEqualTo(ofFive);
        assertThat(prepared(tiny.prior("preprocessing.max_training_documents=99"))
                        .train()
                        .size())
                .isEqualTo(24);
        int one = prepared(tiny.prior("preprocessing.max_training_documents=1"))
                .labels()
                .size();
        assertThat(one).isBetween(1, 2); // codes of the sample alone
    }

    private PreparedCorpus prepared(Experiment experiment) {
        return new Pipeline(experiment, tiny.runs(), TinyExperiment.session(stages)).prepare();
    }

    private static List<String> ids(TokenStore split) {
        return IntStream.range(0, split.size()).mapToObj(split::id).toList();
    }

    @Test
    void aBadRowLeavesNothingBehind() throws IOException {
        tiny.append("test.csv", "x,,I50.9");
        UserError error = catchThrowableOfType(UserError.class, () -> run(tiny.prior()));
        assertThat(error.where()).contains("test.csv:11");
        try (Stream<Path> left = Files.walk(tiny.runs())) {
            assertThat(left.filter(Files::isRegularFile)
                            .filter(file -> !file.toString().endsWith(".lock")))
                    .isEmpty();
        }
    }

    @Test
    void skippedBadRowsAreCounted() {
        tiny.append("train.csv", "x,,I50.9");
        tiny.append("train.csv", "y,Heart failing.,");
        BadRowHandler badRows = BadRowHandler.skip();
        run(tiny.prior(), badRows, false, () -> false);
        assertThat(badRows.skipped()).isEqualTo(2);
        assertThat(manifest(runDirectory(tiny.prior())).sizes()).containsEntry("train", 24L);
    }

    @Test
    void unlabelledTextExtendsTheVocabularyWithoutDevAndTest() throws IOException {
        tiny.append("dev.csv", "d,Oddly developed zebra.,I50.9");
        tiny.append("test.csv", "t,Testing quagga!,I50.9");
        tiny.write("more.csv", "id,text", "1,oddly   Developed zebra.", "2,Testing quagga!", "3,A furtive okapi.");
        Experiment experiment = tiny.laat(
                VECTORS,
                "unlabelled=[{format: csv, path: " + directory.resolve("more.csv")
                        + ", options: {uncoded: keep, fractions: 60/20/20}}]");
        PreparedCorpus prepared = new Pipeline(experiment, tiny.runs(), TinyExperiment.session(stages)).prepare();
        assertThat(Stream.of("zebra", "quagga", "developed").map(prepared.vocabulary()::id))
                .containsOnly(Vocabulary.UNKNOWN);
        assertThat(Stream.of("furtive", "okapi").map(prepared.vocabulary()::id)).doesNotContain(Vocabulary.UNKNOWN);
        assertThat(prepared.split(PreparedCorpus.UNLABELLED).size()).isEqualTo(1);
        assertThat(run(experiment)).isTrue();
    }
}
