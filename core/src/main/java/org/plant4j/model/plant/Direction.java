package org.plant4j.model.plant;

/** The order in which a network reads the tokens of a document. */
public enum Direction {
    FORWARD,
    BACKWARD
}
