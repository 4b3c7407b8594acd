package org.plant4j.model.matching;

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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.plant4j.UserError;
import org.plant4j.model.linear.LinearSvm;
import org.plant4j.model.linear.PairRegression;
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
                out.writeInt(index.labels());
                for (int[] description : index.descriptions()) {
                    writeInts(out, description);
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
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(Files.newInputStream(file), 1 << 16))) {
            long magic = in.readLong();
            int version = in.readInt();
            if (magic != MAGIC || version < VERSION_WITHOUT_MENTIONS || version > VERSION) {
                throw damaged(file);
            }
            int[] stemOf = readInts(in);
            double[] idf = readDoubles(in);
            double unknownIdf = in.readDouble();
            int[][] descriptions = new int[in.readInt()][];
            for (int label = 0; label < descriptions.length; label++) {
                descriptions[label] = readInts(in);
            }
            PairRegression regression = new PairRegression(
                    readFloats(in), readFloats(in), readDoubles(in), readDoubles(in), readDoubles(in));
            List<MentionIndex.Mention> mentions = version == VERSION_WITHOUT_MENTIONS ? List.of() : readMentions(in);
            return new DescriptionMatching(
                    config,
                    frequencies,
                    new DescriptionIndex(stemOf, idf, descriptions, unknownIdf),
                    mentions.isEmpty() ? Optional.empty() : Optional.of(new MentionIndex(stemOf, mentions)),
                    config.ridgePenalty() == 0 ? Optional.empty() : Optional.of(LinearSvm.load(directory)),
                    regression);
        } catch (NoSuchFileException e) {
            throw new UserError(
                    "The model of description matching is missing",
                    file.toString(),
                    "name the directory of a finished run",
                    e);
        } catch (EOFException e) {
            throw damaged(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
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

    private static List<MentionIndex.Mention> readMentions(DataInputStream in) throws IOException {
        int count = in.readInt();
        List<MentionIndex.Mention> mentions = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            mentions.add(
                    new MentionIndex.Mention(readInts(in), in.readInt(), in.readInt(), readInts(in), readInts(in)));
        }
        return mentions;
    }

    private static void writeInts(DataOutputStream out, int[] values) throws IOException {
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

    private static int[] readInts(DataInputStream in) throws IOException {
        int[] values = new int[in.readInt()];
        for (int i = 0; i < values.length; i++) {
            values[i] = in.readInt();
        }
        return values;
    }

    private static float[] readFloats(DataInputStream in) throws IOException {
        float[] values = new float[in.readInt()];
        for (int i = 0; i < values.length; i++) {
            values[i] = in.readFloat();
        }
        return values;
    }

    private static double[] readDoubles(DataInputStream in) throws IOException {
        double[] values = new double[in.readInt()];
        for (int i = 0; i < values.length; i++) {
            values[i] = in.readDouble();
        }
        return values;
    }

    private static UserError damaged(Path file) {
        return new UserError(
                "The file is not description matching of this version, or is truncated",
                file.toString(),
                "train the model again");
    }
}
