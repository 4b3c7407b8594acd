package org.plant4j;

/** Number format of matrix products and recurrences; parameters, losses and optimizer state are always float32. */
public enum Precision {
    /** Single precision, 32 bits. */
    FLOAT32,

    /** 16 bits with the exponent range of single precision; faster on recent GPUs and CPUs. */
    BFLOAT16,

    /**
     * 8-bit integers in the large matrix products of predictions on a CPU, bfloat16 or float32 elsewhere. Weights are
     * quantized when they are first used, activations in each product. Scores change slightly, and depend slightly on the
     * other documents of a batch.
     */
    INT8
}
