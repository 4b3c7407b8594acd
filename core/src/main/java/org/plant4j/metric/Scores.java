package org.plant4j.metric;

import org.plant4j.support.Arguments;

/**
 * The scores of every label for the documents of a split. Metrics read them one document at a time, so that they may be
 * in a file ({@link ScoreFile}). Safe for use by several threads.
 */
public interface Scores {

    int documents();

    int labels();

    /** The scores of a document, one per label; the caller does not change them. */
    float[] row(int document);

    /** Scores in memory, (documents, labels). */
    static Scores of(float[][] rows) {
        int labels = rows.length == 0 ? 0 : rows[0].length;
        for (float[] row : rows) {
            Arguments.check(row.length == labels, "labels", row.length, "" + labels + ", as in the first document");
        }
        return new Scores() {
            @Override
            public int documents() {
                return rows.length;
            }

            @Override
            public int labels() {
                return labels;
            }

            @Override
            public float[] row(int document) {
                return rows[document];
            }
        };
    }

    /** The scores of a document without NaN, which cannot be ranked. */
    default float[] checkedRow(int document) {
        float[] row = row(document);
        for (int label = 0; label < row.length; label++) {
            if (Float.isNaN(row[label])) {
                throw new IllegalArgumentException("score: NaN at document " + document + ", label " + label);
            }
        }
        return row;
    }
}
