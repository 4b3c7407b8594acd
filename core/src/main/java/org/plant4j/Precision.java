package org.plant4j;

/** Number format of matrix products and recurrences; parameters, losses and optimizer state are always float32. */
public enum Precision {
    FLOAT32,
    BFLOAT16
}
