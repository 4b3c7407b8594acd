package org.plant4j.model.plant;

/** The order in which a network reads a document's tokens. */
public enum Direction {
    FORWARD,
    BACKWARD
}
