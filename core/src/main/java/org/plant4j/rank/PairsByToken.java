package org.plant4j.rank;

/**
 * Pairs of token and label with a gain, by token and then label.
 *
 * @param starts by token, into the other arrays, and their number
 * @param labels of the pairs
 * @param gains of the pairs
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record PairsByToken(int[] starts, int[] labels, float[] gains) {

    @FunctionalInterface
    interface Consumer {
        void accept(int pair, int position);
    }

    /** The number of pairs of the tokens of a document. */
    long count(long[] document) {
        long count = 0;
        for (long token : document) {
            count += starts[(int) token + 1] - starts[(int) token];
        }
        return count;
    }

    /** Visits the pairs of the tokens from one position of a document to another. */
    void forEach(long[] document, int from, int to, Consumer consumer) {
        for (int position = from; position < to; position++) {
            int token = (int) document[position];
            for (int pair = starts[token]; pair < starts[token + 1]; pair++) {
                consumer.accept(pair, position);
            }
        }
    }
}
