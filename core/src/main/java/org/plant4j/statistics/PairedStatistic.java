package org.plant4j.statistics;

/** A metric of two runs over the same documents, and its difference after some documents changed sides. */
public interface PairedStatistic {

    String name();

    double first();

    double second();

    /** First less second with the documents swapped whose bit is set. */
    double difference(long[] swapped);

    /** 1 for a document that changes sides, else 0. */
    static int swapBit(long[] swapped, int document) {
        return (int) (swapped[document >>> 6] >>> document) & 1; // a shift takes its distance modulo 64
    }
}
