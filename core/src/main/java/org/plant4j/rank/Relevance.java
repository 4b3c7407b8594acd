package org.plant4j.rank;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.plant4j.UserError;
import org.plant4j.support.AtomicFile;

/**
 * The most informative tokens of each label with their mutual information ("gain"), best first.
 *
 * <p>File format, big-endian: magic "P4RELEVA", version (int), L (int), then for each label the number n of its tokens
 * (int), the tokens (n ints) and their gains (n floats).
 */
public final class Relevance {

    private static final long MAGIC = 0x503452454C455641L;
    private static final int VERSION = 1;

    private final int[][] tokens;
    private final float[][] gains;

    /** Tokens of each label, best first, and their gains. */
    public Relevance(int[][] tokens, float[][] gains) {
        this.tokens = tokens;
        this.gains = gains;
    }

    /** The top tokens of labels 0, 1, …. */
    public static Relevance of(List<TopTokens> labels) {
        return new Relevance(
                labels.stream().map(TopTokens::tokens).toArray(int[][]::new),
                labels.stream().map(TopTokens::gains).toArray(float[][]::new));
    }

    /** Number of labels, including those without tokens. */
    public int labels() {
        return tokens.length;
    }

    /** Number of tokens of the label. */
    public int size(int label) {
        return tokens[label].length;
    }

    /** The label's tokens, best first. */
    public int[] tokens(int label) {
        return tokens[label].clone();
    }

    /** The gains of the label's tokens, descending. */
    public float[] gains(int label) {
        return gains[label].clone();
    }

    /** The tokens themselves, not to be changed. */
    int[] sharedTokens(int label) {
        return tokens[label];
    }

    /** The gains themselves, not to be changed. */
    float[] sharedGains(int label) {
        return gains[label];
    }

    /** For an index by token: where the pairs of each token start if pairs are sorted by token, and their number. */
    public int[] tokenStarts(int vocabularySize) {
        int[] starts = new int[vocabularySize + 1];
        for (int[] ofLabel : tokens) {
            for (int token : ofLabel) {
                starts[token + 1]++;
            }
        }
        Arrays.parallelPrefix(starts, Math::addExact);
        return starts;
    }

    /** The relevance of these labels alone, in this order. */
    Relevance ofLabels(int... labels) {
        return new Relevance(
                Arrays.stream(labels).mapToObj(label -> tokens[label]).toArray(int[][]::new),
                Arrays.stream(labels).mapToObj(label -> gains[label]).toArray(float[][]::new));
    }

    /** The gain of a token for a label, 0 if it is not listed; a linear search. */
    public float gain(int label, int token) {
        for (int i = 0; i < tokens[label].length; i++) {
            if (tokens[label][i] == token) {
                return gains[label][i];
            }
        }
        return 0;
    }

    /** Writes the file atomically. */
    public void write(Path file) {
        AtomicFile.write(file, temporary -> {
            try (DataOutputStream out =
                    new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(temporary), 1 << 16))) {
                out.writeLong(MAGIC);
                out.writeInt(VERSION);
                out.writeInt(tokens.length);
                for (int label = 0; label < tokens.length; label++) {
                    out.writeInt(tokens[label].length);
                    for (int token : tokens[label]) {
                        out.writeInt(token);
                    }
                    for (float gain : gains[label]) {
                        out.writeFloat(gain);
                    }
                }
            }
        });
    }

    public static Relevance read(Path file) {
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(Files.newInputStream(file), 1 << 16))) {
            if (in.readLong() != MAGIC || in.readInt() != VERSION) {
                throw damaged(file);
            }
            int[][] tokens = new int[in.readInt()][];
            float[][] gains = new float[tokens.length][];
            for (int label = 0; label < tokens.length; label++) {
                tokens[label] = new int[in.readInt()];
                gains[label] = new float[tokens[label].length];
                for (int i = 0; i < tokens[label].length; i++) {
                    tokens[label][i] = in.readInt();
                }
                for (int i = 0; i < gains[label].length; i++) {
                    gains[label][i] = in.readFloat();
                }
            }
            return new Relevance(tokens, gains);
        } catch (NoSuchFileException e) {
            throw new UserError(
                    "The file with mutual information is missing",
                    file.toString(),
                    "compute it from the training documents",
                    e);
        } catch (EOFException e) {
            throw damaged(file);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
    }

    private static UserError damaged(Path file) {
        return new UserError(
                "Not a file with mutual information of this version, or truncated",
                file.toString(),
                "delete it; it will be computed again");
    }
}
