package org.plant4j.models;

/** The order in which a network reads a document's tokens. */
public enum Direction {
    FORWARD,
    BACKWARD
}
