package org.plant4j.tuning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.plant4j.UserError;

class SearchSpaceTest {

    @Test
    void aGridHasAllCombinations() {
        assertThat(space("training.epochs=1,2", "model.scales=[1, 2],[3, 4]").grid())
                .extracting(Trial::settings)
                .containsExactly(
                        List.of("training.epochs=1", "model.scales=[1, 2]"),
                        List.of("training.epochs=1", "model.scales=[3, 4]"),
                        List.of("training.epochs=2", "model.scales=[1, 2]"),
                        List.of("training.epochs=2", "model.scales=[3, 4]"));
    }

    @Test
    void randomTrialsAreReproducibleDifferentAndWithinTheRange() {
        SearchSpace space = space("training.learning_rate=1e-4..1e-2", "training.epochs=3..5");
        List<Trial> trials = space.random(200, 7);
        assertThat(trials).hasSize(200).doesNotHaveDuplicates();
        assertThat(space.random(20, 7)).isEqualTo(trials.subList(0, 20));
        assertThat(space.random(20, 8)).isNotEqualTo(trials.subList(0, 20));
        List<Double> rates = trials.stream()
                .map(trial -> Double.parseDouble(trial.value("training.learning_rate")))
                .toList();
        assertThat(rates).allMatch(rate -> rate >= 1e-4 && rate <= 1e-2);
        // Half of the values of a logarithmic range are below its geometric mean.
        assertThat(rates.stream().filter(rate -> rate < 1e-3).count()).isBetween(75L, 125L);
        assertThat(trials.stream().map(trial -> trial.value("training.epochs")).distinct())
                .containsExactlyInAnyOrder("3", "4", "5");
    }

    @Test
    void aSmallSpaceEndsWithFewerTrials() {
        assertThat(space("training.epochs=1,2").random(10, 1)).hasSize(2);
    }

    @Test
    void theNameOfATrialDependsOnItsSettings() {
        Trial trial = new Trial(List.of("a=1", "b=2"));
        assertThat(trial.id()).hasSize(8).isEqualTo(new Trial(List.of("a=1", "b=2")).id());
        assertThat(trial.id()).isNotEqualTo(new Trial(List.of("a=1", "b=3")).id());
    }

    @Test
    void wrongValuesAreErrors() {
        assertThatThrownBy(() -> Parameter.parse("training.epochs")).isInstanceOf(UserError.class);
        assertThatThrownBy(() -> Parameter.parse("training.epochs=5..2")).isInstanceOf(UserError.class);
        assertThatThrownBy(() -> Parameter.parse("training.epochs=1,,2")).isInstanceOf(UserError.class);
        assertThatThrownBy(() -> space("a=1..2").grid()).hasMessageContaining("not a range");
        assertThatThrownBy(() -> space("a=1", "a=2")).hasMessageContaining("searched twice");
    }

    private static SearchSpace space(String... parameters) {
        return new SearchSpace(
                List.of(parameters).stream().map(Parameter::parse).toList());
    }
}
