package org.plant4j.model.matching;

/**
 * A vector per label, in a byte per value: a value is its byte times the scale of its label. This is a quarter of the memory of
 * floats, and changes cosines by less than 0.01.
 *
 * @param scales largest absolute value of each vector / 127; 0 for a label without a vector
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record LabelVectors(float[] scales, byte[][] values) {

    private static final int LARGEST = 127;

    static LabelVectors of(float[][] vectors) {
        float[] scales = new float[vectors.length];
        byte[][] values = new byte[vectors.length][];
        for (int label = 0; label < scales.length; label++) {
            float largest = 0;
            for (float value : vectors[label]) {
                largest = Math.max(largest, Math.abs(value));
            }
            scales[label] = largest / LARGEST;
            values[label] = new byte[vectors[label].length];
            for (int i = 0; i < values[label].length && largest > 0; i++) {
                values[label][i] = (byte) Math.round(vectors[label][i] / scales[label]);
            }
        }
        return new LabelVectors(scales, values);
    }

    boolean isPresent(int label) {
        return scales[label] > 0;
    }

    float dot(int label, float[] vector) {
        float sum = 0;
        for (int i = 0; i < vector.length; i++) {
            sum += values[label][i] * vector[i];
        }
        return sum * scales[label];
    }
}
