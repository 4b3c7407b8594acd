package org.plant4j;

/** Number format of matrix products and recurrences; parameters, losses and optimizer state are always float32. */
public enum Precision {
    /** Single precision, 32 bits. */
    FLOAT32,

    /** 16 bits with the exponent range of single precision; faster on recent GPUs and CPUs. */
    BFLOAT16
}
