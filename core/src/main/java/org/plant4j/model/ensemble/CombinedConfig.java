package org.plant4j.model.ensemble;

import java.nio.file.Path;
import java.util.List;
import org.plant4j.model.Model;
import org.plant4j.model.ModelConfig;
import org.plant4j.tensor.Compute;
import org.plant4j.text.LabelIndex;

/** Settings of a model that combines others, which are trained as separate experiments. */
interface CombinedConfig extends ModelConfig {

    /** The experiments of the members, by file or packaged name. */
    List<String> members();

    /** Each member is trained with each of these seeds; empty: with the experiment's seed. */
    List<Long> seeds();

    @Override
    default List<String> memberExperiments() {
        return members();
    }

    @Override
    default List<Long> memberSeeds() {
        return seeds();
    }

    /** Support for zero-shot labels is checked for each member. */
    @Override
    default boolean supportsZeroShot() {
        return true;
    }

    /** A run directory stores the configs of the trained members instead. */
    @Override
    default Model load(Path directory, int vocabularySize, LabelIndex labels, Compute compute) {
        throw new UnsupportedOperationException("The members are not trained");
    }
}
