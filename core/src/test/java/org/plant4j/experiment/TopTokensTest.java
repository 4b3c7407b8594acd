package org.plant4j.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.UserError;
import org.plant4j.pipeline.TinyExperiment;

class TopTokensTest {

    @TempDir
    static Path directory;

    private static TinyExperiment tiny;
    private static RunDirectory run;

    @BeforeAll
    static void train() {
        tiny = TinyExperiment.in(directory);
        run = new RunDirectory(tiny.run(
                tiny.plant("ranker.epochs=60", "ranker.top_tokens=2", "ranker.held_out_every=0", "training.epochs=1")));
    }

    @Test
    void bothListsStartWithTheTokensOfTheLabel() {
        TopTokens top = TopTokens.read(run, "I50.9", 2);

        assertThat(top.byMutualInformation())
                .extracting(TopTokens.TopToken::token)
                .containsExactlyInAnyOrder("heart", "failing");
        assertThat(top.byRanker()).extracting(TopTokens.TopToken::token).containsExactlyInAnyOrder("heart", "failing");
        assertThat(top.countShared()).isEqualTo(2);
        assertThat(top.byMutualInformation().get(0).value()).isPositive();
        assertThat(top.byRanker().get(0).rankInOther().orElseThrow()).isBetween(1, 2);
    }

    @Test
    void theRankerRanksTheWholeVocabulary() {
        TopTokens top = TopTokens.read(run, "I50.9", 1000);

        assertThat(top.byRanker())
                .hasSizeGreaterThan(top.byMutualInformation().size())
                .isSortedAccordingTo((a, b) -> Double.compare(b.value(), a.value()))
                .anyMatch(token -> token.rankInOther().equals(Optional.empty()))
                .noneMatch(token -> token.token().startsWith("<"));
    }

    @Test
    void runsWithoutARankerAreRejected() {
        RunDirectory prior = new RunDirectory(tiny.run(tiny.prior("name=prior")));
        assertThat(catchThrowableOfType(UserError.class, () -> TopTokens.read(prior, "I50.9", 5)))
                .hasMessageContaining("no ranker");
    }

    @Test
    void unknownAndUntrainedCodesAreRejected() {
        assertThat(catchThrowableOfType(UserError.class, () -> TopTokens.read(run, "I50.8", 5))
                        .remedy())
                .contains("I50.9");
        assertThat(catchThrowableOfType(UserError.class, () -> TopTokens.read(run, "Z99.2", 5)))
                .hasMessageContaining("has no training documents");
    }
}
