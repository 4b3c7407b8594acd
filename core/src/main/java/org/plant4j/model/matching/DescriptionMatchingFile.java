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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.plant4j.UserError;
import org.plant4j.model.linear.LinearSvm;
import org.plant4j.model.linear.PairRegression;
import org.plant4j.support.Arguments;
import org.plant4j.support.AtomicFile;

/**
 * Reads and writes {@code description-matching.bin}, big-endian: magic "P4DESCRM", version (int), the stem of each token (ints),
 * the idf of each stem (doubles) and of unknown tokens (double), the number of labels (int) and the stems of each description
 * (ints), the lowest and highest value of each feature (floats), its mean and scale and the weights of the regression (doubles);
 * with mentions, which came with version 2, their number (int, or 0) and of each its stems (ints), the training documents that
 * contain it and in which it is evidence (ints), its labels and their counts (ints). Arrays are preceded by their length. Ridge
 * regression has its own file, {@code linear.bin}.
 */
final class DescriptionMatchingFile {

    private static final String NAME = "description-matching.bin";
    private static final long MAGIC = 0x503444455343524DL;
    private static final int VERSION = 2;
    private static final int VERSION_WITHOUT_MENTIONS = 1;

    private DescriptionMatchingFile() {}

    static void write(
            Path directory, DescriptionIndex index, Optional<MentionIndex> mentions, PairRegression regression) {
        AtomicFile.write(directory.resolve(NAME), draft -> {
            Files.createDirectories(directory);
            try (DataOutputStream out =
                    new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(draft), 1 << 16))) {
                out.writeLong(MAGIC);
                out.writeInt(VERSION);
                writeInts(out, index.stemOf());
                writeDoubles(out, index.idf());
                out.writeDouble(index.unknownIdf());
                LabelNames names = index.names();
                out.writeInt(names.labels());
                for (int label = 0; label < names.labels(); label++) {
                    writeInts(out, names.stems(label));
                }
                writeFloats(out, regression.lowest());
                writeFloats(out, regression.highest());
                writeDoubles(out, regression.mean());
                writeDoubles(out, regression.scale());
                writeDoubles(out, regression.weights());
                writeMentions(out, mentions.map(MentionIndex::mentions).orElseGet(List::of));
            }
        });
    }

    static DescriptionMatching read(Path directory, DescriptionMatching.Config config, int[] frequencies) {
        Path file = directory.resolve(NAME);
        try {
            return read(ByteBuffer.wrap(Files.readAllBytes(file)), directory, config, frequencies);
        } catch (NoSuchFileException e) {
            throw new UserError(
                    "The model of description matching is missing",
                    file.toString(),
                    "name the directory of a finished run",
                    e);
        } catch (BufferUnderflowException | IllegalArgumentException e) {
            throw new UserError(
                    "The file is not description matching of this version, or is damaged or truncated",
                    file.toString(),
                    "train the model again",
                    e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static DescriptionMatching read(
            ByteBuffer in, Path directory, DescriptionMatching.Config config, int[] frequencies) {
        Arguments.check(in.getLong() == MAGIC, "magic", "another", "P4DESCRM");
        int version = Arguments.between(VERSION_WITHOUT_MENTIONS, VERSION, "version", in.getInt());
        int[] stemOf = readInts(in);
        double[] idf = readDoubles(in);
        double unknownIdf = in.getDouble();
        int[][] descriptions = new int[length(in, Integer.BYTES)][];
        for (int label = 0; label < descriptions.length; label++) {
            descriptions[label] = requireIds(DescriptionIndex.UNKNOWN, idf.length, "stem", readInts(in));
        }
        PairRegression regression =
                new PairRegression(readFloats(in), readFloats(in), readDoubles(in), readDoubles(in), readDoubles(in));
        List<MentionIndex.Mention> mentions =
                version == VERSION_WITHOUT_MENTIONS ? List.of() : readMentions(in, idf.length, frequencies.length);
        requireIds(DescriptionIndex.UNKNOWN, idf.length, "stem", stemOf);
        Arguments.check(
                descriptions.length == frequencies.length, "labels", descriptions.length, "" + frequencies.length);
        int features = regression.mean().length;
        Arguments.check(features <= config.features(), "features", features, "<= " + config.features());
        Arguments.check(!in.hasRemaining(), "bytes after the end", in.remaining(), "0");
        return new DescriptionMatching(
                config,
                frequencies,
                new DescriptionIndex(stemOf, idf, names(directory, config, descriptions, idf.length), unknownIdf),
                mentions.isEmpty() ? Optional.empty() : Optional.of(new MentionIndex(stemOf, mentions)),
                config.ridgePenalty() == 0 ? Optional.empty() : Optional.of(LinearSvm.load(directory)),
                regression);
    }

    private static LabelNames names(
            Path directory, DescriptionMatching.Config config, int[][] descriptions, int stems) {
        return new LabelNames(
                descriptions,
                config.usesSynonyms() ? SynonymFile.read(directory, descriptions.length, stems) : List.of());
    }

    private static void writeMentions(DataOutputStream out, List<MentionIndex.Mention> mentions) throws IOException {
        out.writeInt(mentions.size());
        for (MentionIndex.Mention mention : mentions) {
            writeInts(out, mention.stems());
            out.writeInt(mention.documents());
            out.writeInt(mention.marked());
            writeInts(out, mention.labels());
            writeInts(out, mention.counts());
        }
    }

    private static List<MentionIndex.Mention> readMentions(ByteBuffer in, int stems, int labels) {
        int count = length(in, 5 * Integer.BYTES); // of a mention without stems and labels
        List<MentionIndex.Mention> mentions = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            MentionIndex.Mention mention =
                    new MentionIndex.Mention(readInts(in), in.getInt(), in.getInt(), readInts(in), readInts(in));
            requireIds(0, stems, "stem", mention.stems());
            requireIds(0, labels, "label", mention.labels());
            Arguments.check(
                    mention.counts().length == mention.labels().length,
                    "counts",
                    mention.counts().length,
                    "as many as labels");
            mentions.add(mention);
        }
        return mentions;
    }

    static int[] requireIds(int lowest, int end, String name, int[] ids) {
        for (int id : ids) {
            Arguments.between(lowest, end - 1, name, id);
        }
        return ids;
    }

    static void writeInts(DataOutputStream out, int[] values) throws IOException {
        out.writeInt(values.length);
        for (int value : values) {
            out.writeInt(value);
        }
    }

    private static void writeDoubles(DataOutputStream out, double[] values) throws IOException {
        out.writeInt(values.length);
        for (double value : values) {
            out.writeDouble(value);
        }
    }

    private static void writeFloats(DataOutputStream out, float[] values) throws IOException {
        out.writeInt(values.length);
        for (float value : values) {
            out.writeFloat(value);
        }
    }

    /** The length of an array, at most what the rest of the file can hold, so that a damaged one does not exhaust the memory. */
    static int length(ByteBuffer in, int elementBytes) {
        return Arguments.between(0, in.remaining() / elementBytes, "length", in.getInt());
    }

    static int[] readInts(ByteBuffer in) {
        int[] values = new int[length(in, Integer.BYTES)];
        for (int i = 0; i < values.length; i++) {
            values[i] = in.getInt();
        }
        return values;
    }

    private static float[] readFloats(ByteBuffer in) {
        float[] values = new float[length(in, Float.BYTES)];
        for (int i = 0; i < values.length; i++) {
            values[i] = in.getFloat();
        }
        return values;
    }

    private static double[] readDoubles(ByteBuffer in) {
        double[] values = new double[length(in, Double.BYTES)];
        for (int i = 0; i < values.length; i++) {
            values[i] = in.getDouble();
        }
        return values;
    }
}
