package org.plant4j.predict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.UserError;
import org.plant4j.experiment.TinyExperiment;

class CodeWordsTest {

    @TempDir
    static Path folder;

    private static TinyExperiment tiny;
    private static RunFolder run;

    @BeforeAll
    static void train() {
        tiny = TinyExperiment.in(folder);
        run = new RunFolder(
                tiny.run(tiny.plant("rank.epochs=60", "rank.listed=2", "rank.held_out=0", "training.epochs=1")));
    }

    @Test
    void bothOrdersPutTheWordsOfTheCodeFirst() {
        CodeWords words = CodeWords.of(run, "I50.9", 2);

        assertThat(words.byInformation())
                .extracting(CodeWords.Word::word)
                .containsExactlyInAnyOrder("heart", "failing");
        assertThat(words.byRanker()).extracting(CodeWords.Word::word).containsExactlyInAnyOrder("heart", "failing");
        assertThat(words.agreed()).isEqualTo(2);
        assertThat(words.byInformation().get(0).value()).isPositive();
        assertThat(words.byRanker().get(0).rankInOther().orElseThrow()).isBetween(1, 2);
    }

    @Test
    void theRankersOrderIsOverTheWholeVocabulary() {
        CodeWords words = CodeWords.of(run, "I50.9", 1000);

        assertThat(words.byRanker())
                .hasSizeGreaterThan(words.byInformation().size())
                .isSortedAccordingTo((a, b) -> Double.compare(b.value(), a.value()))
                .anyMatch(word -> word.rankInOther().equals(Optional.empty()))
                .noneMatch(word -> word.word().startsWith("<"));
    }

    @Test
    void aRunWithoutARankerSaysSo() {
        RunFolder prior = new RunFolder(tiny.run(tiny.prior("name=prior")));
        assertThat(catchThrowableOfType(UserError.class, () -> CodeWords.of(prior, "I50.9", 5)))
                .hasMessageContaining("no ranker");
    }

    @Test
    void anUnknownCodeAndOneNeverLearnedAreTold() {
        assertThat(catchThrowableOfType(UserError.class, () -> CodeWords.of(run, "I50.8", 5))
                        .remedy())
                .contains("I50.9");
        assertThat(catchThrowableOfType(UserError.class, () -> CodeWords.of(run, "Z99.2", 5)))
                .hasMessageContaining("never occurred in training");
    }
}
