package org.plant4j.model.linear;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.plant4j.UserError;
import org.plant4j.support.AtomicFile;

/**
 * Reads and writes {@code linear.bin}, big-endian: magic "P4LINEAR", version (int), sublinear tf (byte 0 or 1), V and L
 * (ints), idf (V doubles), bias (L floats), and for each of the V tokens the number n of its weights (int), their labels (n
 * ints) and the weights (n floats).
 */
final class LinearSvmFile {

    private static final String NAME = "linear.bin";
    private static final long MAGIC = 0x50344C494E454152L;
    private static final int VERSION = 1;

    private LinearSvmFile() {}

    static void write(Path directory, TfIdf features, SparseWeights weights) {
        AtomicFile.write(directory.resolve(NAME), draft -> {
            Files.createDirectories(directory);
            try (DataOutputStream out =
                    new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(draft), 1 << 16))) {
                out.writeLong(MAGIC);
                out.writeInt(VERSION);
                out.writeBoolean(features.sublinear());
                out.writeInt(features.idf().length);
                out.writeInt(weights.bias().length);
                for (double idf : features.idf()) {
                    out.writeDouble(idf);
                }
                writeFloats(out, weights.bias());
                for (int token = 0; token < features.idf().length; token++) {
                    int[] labels = weights.labels()[token];
                    ByteBuffer bytes = ByteBuffer.allocate(labels.length * Integer.BYTES);
                    bytes.asIntBuffer().put(labels);
                    out.writeInt(labels.length);
                    out.write(bytes.array());
                    writeFloats(out, weights.weights()[token]);
                }
            }
        });
    }

    static LinearSvm read(Path directory) {
        Path file = directory.resolve(NAME);
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(Files.newInputStream(file), 1 << 16))) {
            if (in.readLong() != MAGIC || in.readInt() != VERSION) {
                throw damaged(file);
            }
            boolean sublinear = in.readBoolean();
            double[] idf = new double[in.readInt()];
            float[] bias = new float[in.readInt()];
            for (int token = 0; token < idf.length; token++) {
                idf[token] = in.readDouble();
            }
            readFloats(in, bias);
            int[][] labels = new int[idf.length][];
            float[][] weights = new float[idf.length][];
            for (int token = 0; token < idf.length; token++) {
                labels[token] = new int[in.readInt()];
                weights[token] = new float[labels[token].length];
                bytes(in, labels[token].length).asIntBuffer().get(labels[token]);
                readFloats(in, weights[token]);
            }
            return new LinearSvm(new TfIdf(idf, sublinear), new SparseWeights(labels, weights, bias));
        } catch (NoSuchFileException e) {
            throw new UserError(
                    "The linear model is missing", file.toString(), "name the directory of a finished run", e);
        } catch (EOFException e) {
            throw damaged(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void writeFloats(DataOutputStream out, float[] values) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(values.length * Float.BYTES);
        bytes.asFloatBuffer().put(values);
        out.write(bytes.array());
    }

    private static void readFloats(DataInputStream in, float[] values) throws IOException {
        bytes(in, values.length).asFloatBuffer().get(values);
    }

    private static ByteBuffer bytes(DataInputStream in, int numbers) throws IOException {
        byte[] bytes = new byte[numbers * Integer.BYTES];
        in.readFully(bytes);
        return ByteBuffer.wrap(bytes);
    }

    private static UserError damaged(Path file) {
        return new UserError(
                "The file is not a linear model of this version, or is truncated",
                file.toString(),
                "train the model again");
    }
}
