package org.plant4j.models;

import java.util.List;

/** A network that reads what its labels mean. */
public interface Described {

    /** The tokens of each label's description, before anything is learned. */
    void describe(List<int[]> descriptions);
}
