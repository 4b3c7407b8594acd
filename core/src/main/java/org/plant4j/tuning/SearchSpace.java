package org.plant4j.tuning;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.plant4j.UserError;

/** The settings that a search tries. */
public record SearchSpace(List<Parameter> parameters) {

    private static final int MAX_GRID = 10_000;

    /** Draws that may repeat an earlier combination before a small space counts as exhausted. */
    private static final int MAX_REPEATED = 1000;

    public SearchSpace {
        parameters = List.copyOf(parameters);
        if (parameters.stream().map(Parameter::key).distinct().count() < parameters.size()) {
            throw new UserError("A setting is searched twice", "--try", "list all values of a setting in one --try");
        }
    }

    /** All combinations, the last parameter changing fastest. */
    public List<Trial> grid() {
        List<Trial> trials = List.of(new Trial(List.of()));
        for (Parameter parameter : parameters) {
            if (parameter.isRange()) {
                throw new UserError(
                        "A grid needs a list of values, not a range",
                        "--try " + parameter.key(),
                        "list values, or search at random: --trials 20");
            }
            List<Trial> extended = new ArrayList<>();
            for (Trial trial : trials) {
                parameter.values().forEach(value -> extended.add(trial.with(parameter.key(), value)));
            }
            trials = extended;
            if (trials.size() > MAX_GRID) {
                throw new UserError(
                        "The grid has more than " + MAX_GRID + " combinations",
                        "--try",
                        "try fewer values, or search at random: --trials 20");
            }
        }
        return trials;
    }

    /** Different random combinations, the same for the same seed; a longer search begins with those of a shorter one. */
    public List<Trial> random(int count, long seed) {
        Random random = new Random(seed);
        Set<Trial> trials = new LinkedHashSet<>();
        int repeated = 0;
        while (trials.size() < count && repeated < MAX_REPEATED) {
            Trial trial = new Trial(List.of());
            for (Parameter parameter : parameters) {
                trial = trial.with(parameter.key(), parameter.draw(random));
            }
            repeated += trials.add(trial) ? 0 : 1;
        }
        return List.copyOf(trials);
    }
}
