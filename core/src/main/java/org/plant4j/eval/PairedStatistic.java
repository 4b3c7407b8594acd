package org.plant4j.eval;

/** A metric of two runs over the same documents, and its difference after some documents changed sides. */
interface PairedStatistic {

    String name();

    double first();

    double second();

    /** First less second with the documents swapped whose bit is set. */
    double difference(long[] swapped);

    static boolean isSwapped(long[] swapped, int document) {
        return (swapped[document >>> 6] >>> document & 1) != 0; // a shift takes its distance modulo 64
    }
}
