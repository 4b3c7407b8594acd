package org.plant4j.model;

import java.util.List;

/** Makes one model of trained members. */
@FunctionalInterface
public interface MemberCombiner {

    /** A model made of members, and the configuration that loads it. */
    record Combined(ModelConfig config, Model model) {}

    /** The members in the order of the experiment, with their configurations. The caller closes them. */
    Combined combine(List<ModelConfig> configs, List<Model> members);
}
