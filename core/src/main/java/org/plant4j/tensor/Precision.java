package org.plant4j.tensor;

/** The number format of products and recurrences; parameters, losses and optimizer always stay in float32. */
public enum Precision {
    FLOAT32,
    BFLOAT16
}
