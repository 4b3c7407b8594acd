package org.plant4j.model.matching;

import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.plant4j.UserError;
import org.plant4j.encoder.BertEncoder;
import org.plant4j.encoder.SentenceEncoder;
import org.plant4j.support.Arguments;
import org.plant4j.support.AtomicFile;

/**
 * Reads and writes {@code sentences.bin}, big-endian: magic "P4SENTEN", version (int), the sizes of the encoder (its tokens,
 * layers, hidden size, heads, intermediate size, positions, their offset, types, and the ids of the tokens begin, end and mask as
 * ints, epsilon as double), the number of tokens of the vocabulary (int) and the subwords of each (their number and ids, ints), the
 * number of labels (int), the scale of each label's vector (float) and its values (bytes), and the number of labels of ridge
 * regression, or 0 (int), with the weights of each (floats). The weights of the encoder are in {@code sentence-encoder.safetensors}.
 */
final class SentenceFile {

    private static final String NAME = "sentences.bin";
    private static final String ENCODER = "sentence-encoder.safetensors";
    private static final long MAGIC = 0x503453454E54454EL;
    private static final int VERSION = 1;

    private SentenceFile() {}

    static void write(Path directory, Sentences sentences) {
        sentences.encoder().save(directory.resolve(ENCODER));
        AtomicFile.write(directory.resolve(NAME), draft -> {
            try (DataOutputStream out =
                    new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(draft), 1 << 16))) {
                out.writeLong(MAGIC);
                out.writeInt(VERSION);
                writeSizes(out, sentences.encoder());
                out.writeInt(sentences.subwords().length);
                for (int[] subwords : sentences.subwords()) {
                    DescriptionMatchingFile.writeInts(out, subwords);
                }
                LabelVectors labels = sentences.labels();
                out.writeInt(labels.scales().length);
                for (int label = 0; label < labels.scales().length; label++) {
                    out.writeFloat(labels.scales()[label]);
                    out.write(labels.values()[label]);
                }
                out.writeInt(sentences.ridgeWeights().length);
                for (float[] weights : sentences.ridgeWeights()) {
                    for (float weight : weights) {
                        out.writeFloat(weight);
                    }
                }
            }
        });
    }

    private static void writeSizes(DataOutputStream out, SentenceEncoder encoder) throws IOException {
        BertEncoder.Config config = encoder.config();
        out.writeInt(encoder.vocabularySize());
        out.writeInt(config.layers());
        out.writeInt(config.hidden());
        out.writeInt(config.heads());
        out.writeInt(config.intermediate());
        out.writeInt(config.positions());
        out.writeInt(config.positionOffset());
        out.writeInt(config.types());
        out.writeInt(config.begin());
        out.writeInt(config.end());
        out.writeInt(config.mask());
        out.writeDouble(config.epsilon());
    }

    /** Reads what a model with so many tokens and labels wrote. */
    static Sentences read(Path directory, SentenceSettings settings, int tokens, int labels) {
        Path file = directory.resolve(NAME);
        try {
            return read(ByteBuffer.wrap(Files.readAllBytes(file)), directory, settings, tokens, labels);
        } catch (NoSuchFileException e) {
            throw new UserError(
                    "The sentence embeddings of description matching are missing",
                    file.toString(),
                    "name the directory of a finished run",
                    e);
        } catch (BufferUnderflowException | IllegalArgumentException e) {
            throw new UserError(
                    "The file does not have sentence embeddings of this version, or is damaged or truncated",
                    file.toString(),
                    "train the model again",
                    e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Sentences read(ByteBuffer in, Path directory, SentenceSettings settings, int tokens, int labels) {
        Arguments.check(in.getLong() == MAGIC, "magic", "another", "P4SENTEN");
        Arguments.between(VERSION, VERSION, "version", in.getInt());
        int vocabulary = in.getInt();
        BertEncoder.Config config = readSizes(in);
        int hidden = config.hidden();
        int[][] subwords = new int[Arguments.between(tokens, tokens, "tokens", in.getInt())][];
        for (int token = 0; token < tokens; token++) {
            subwords[token] =
                    DescriptionMatchingFile.requireIds(0, vocabulary, "subword", DescriptionMatchingFile.readInts(in));
        }
        Arguments.between(labels, labels, "labels", in.getInt());
        requireRemaining(in, labels, Float.BYTES + hidden);
        float[] scales = new float[labels];
        byte[][] values = new byte[labels][hidden];
        for (int label = 0; label < labels; label++) {
            scales[label] = in.getFloat();
            in.get(values[label]);
        }
        int trained = Arguments.between(0, labels, "labels of ridge regression", in.getInt());
        requireRemaining(in, trained, Float.BYTES * hidden);
        float[][] weights = new float[trained][hidden];
        for (float[] row : weights) {
            in.asFloatBuffer().get(row);
            in.position(in.position() + Float.BYTES * hidden);
        }
        Arguments.check(!in.hasRemaining(), "bytes after the end", in.remaining(), "0");
        return new Sentences(
                settings,
                SentenceEncoder.load(directory.resolve(ENCODER), config, vocabulary),
                subwords,
                new LabelVectors(scales, values),
                weights);
    }

    /** Checked before the memory is allocated, so that a damaged file does not exhaust it. */
    private static void requireRemaining(ByteBuffer in, int rows, int bytes) {
        Arguments.check((long) rows * bytes <= in.remaining(), "rows", rows, "<= " + in.remaining() / bytes);
    }

    private static BertEncoder.Config readSizes(ByteBuffer in) {
        BertEncoder.Config.Builder sizes = BertEncoder.Config.builder()
                .layers(in.getInt())
                .hidden(in.getInt())
                .heads(in.getInt())
                .intermediate(in.getInt());
        int positions = in.getInt();
        int offset = in.getInt();
        return sizes.positions(positions)
                .positionOffset(offset)
                .window(BertEncoder.Config.maxWindow(positions, offset))
                .types(in.getInt())
                .begin(in.getInt())
                .end(in.getInt())
                .mask(in.getInt())
                .epsilon(in.getDouble())
                .build();
    }
}
