package org.plant4j.statistics;

/** A metric of two runs over the same documents that can be recomputed with the results of some documents swapped. */
public interface PairedStatistic {

    String name();

    /** The metric of the first run. */
    double first();

    /** The metric of the second run. */
    double second();

    /** First minus second, after swapping the results of every document whose bit is set. */
    double difference(long[] swapped);

    /** The bit of a document: 1 if its results are swapped, else 0. */
    static int swapBit(long[] swapped, int document) {
        return (int) (swapped[document >>> 6] >>> document) & 1; // >>> uses the shift distance modulo 64
    }
}
