package org.plant4j.pipeline;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.plant4j.UserError;

/** A file of word vectors: the number of rows and columns as 32-bit integers, then the values as 32-bit floats. */
record WordVectorFile(Path path) {

    void write(float[][] vectors) {
        try (DataOutputStream out = new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(path)))) {
            out.writeInt(vectors.length);
            out.writeInt(vectors[0].length);
            for (float[] row : vectors) {
                for (float value : row) {
                    out.writeFloat(value);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + path, e);
        }
    }

    float[][] read() {
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(Files.newInputStream(path)))) {
            int rows = in.readInt();
            int columns = in.readInt();
            float[][] vectors = new float[rows][columns];
            for (float[] row : vectors) {
                for (int i = 0; i < columns; i++) {
                    row[i] = in.readFloat();
                }
            }
            return vectors;
        } catch (EOFException e) {
            throw new UserError(
                    "The file of word vectors is truncated",
                    path.toString(),
                    "delete it; they will be trained again",
                    e);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + path, e);
        }
    }
}
