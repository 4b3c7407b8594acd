package org.plant4j.model;

import java.util.List;

/** A network that reads what its labels mean. */
public interface DescriptionAware {

    /** The tokens of each label's description, before anything is learned. */
    void setDescriptions(List<int[]> descriptions);
}
