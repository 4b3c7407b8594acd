package org.plant4j.experiment;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;

/** Learned word vectors kept for the next run: rows, columns, then the numbers. */
record VectorFile(Path path) {

    void write(float[][] vectors) {
        Path draft = path.resolveSibling(
                path.getFileName() + ".tmp" + ProcessHandle.current().pid());
        try (DataOutputStream out = new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(draft)))) {
            out.writeInt(vectors.length);
            out.writeInt(vectors[0].length);
            for (float[] row : vectors) {
                for (float value : row) {
                    out.writeFloat(value);
                }
            }
            out.close();
            Files.move(draft, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + path, e);
        }
    }

    /** Nothing where there is no file, or only part of one: then they are learned anew. */
    Optional<float[][]> read() {
        if (!Files.exists(path)) {
            return Optional.empty();
        }
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(Files.newInputStream(path)))) {
            int rows = in.readInt();
            int columns = in.readInt();
            float[][] vectors = new float[rows][columns];
            for (float[] row : vectors) {
                for (int i = 0; i < columns; i++) {
                    row[i] = in.readFloat();
                }
            }
            return Optional.of(vectors);
        } catch (EOFException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + path, e);
        }
    }
}
