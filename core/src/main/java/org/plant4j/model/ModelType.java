package org.plant4j.model;

import java.util.Optional;
import java.util.function.Supplier;
import org.plant4j.support.Arguments;

/**
 * A registered model: its name in experiment files and its configuration record.
 *
 * @param example creates a small configuration with which the contract test trains the model on a tiny corpus; empty
 *     for a type that is stored in a run directory but cannot be named in an experiment
 */
public record ModelType(
        String name, Class<? extends ModelConfig> configClass, Optional<Supplier<? extends ModelConfig>> example) {

    public ModelType {
        Arguments.check(name.matches("[a-z0-9]+(-[a-z0-9]+)*"), "name", name, "lower-case words joined by '-'");
    }

    /** A model that experiments can name. */
    public static <C extends ModelConfig> ModelType of(String name, Class<C> configClass, Supplier<C> example) {
        return new ModelType(name, configClass, Optional.of(example));
    }

    /** A model that can only be loaded, not named in an experiment. */
    public static ModelType stored(String name, Class<? extends ModelConfig> configClass) {
        return new ModelType(name, configClass, Optional.empty());
    }
}
