package org.plant4j.model.linear;

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
import org.plant4j.UserError;
import org.plant4j.support.AtomicFile;

/**
 * Reads and writes {@code label-tree.bin}, big-endian: magic "P4LBTREE", version (int), V and L (ints), idf (V doubles), the
 * number of trees (int), and for each tree its nodes, parents first. A node has its number of child nodes (int, 0 for a leaf
 * node), its labels, and its weights: tokens, start, children, weights, bias. Arrays are preceded by their length.
 */
final class LabelTreeFile {

    private static final String NAME = "label-tree.bin";
    private static final long MAGIC = 0x50344C4254524545L;
    private static final int VERSION = 1;

    private LabelTreeFile() {}

    static void write(Path directory, TfIdf features, int labels, List<TreeNode> trees) {
        AtomicFile.write(directory.resolve(NAME), draft -> {
            Files.createDirectories(directory);
            try (DataOutputStream out =
                    new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(draft), 1 << 16))) {
                out.writeLong(MAGIC);
                out.writeInt(VERSION);
                out.writeInt(features.idf().length);
                out.writeInt(labels);
                for (double idf : features.idf()) {
                    out.writeDouble(idf);
                }
                out.writeInt(trees.size());
                for (TreeNode tree : trees) {
                    writeNode(out, tree);
                }
            }
        });
    }

    private static void writeNode(DataOutputStream out, TreeNode node) throws IOException {
        out.writeInt(node.nodes().size());
        writeInts(out, node.labels());
        writeInts(out, node.weights().tokens());
        writeInts(out, node.weights().start());
        writeInts(out, node.weights().children());
        writeFloats(out, node.weights().weights());
        writeFloats(out, node.weights().bias());
        for (TreeNode child : node.nodes()) {
            writeNode(out, child);
        }
    }

    static LabelTree read(Path directory, LabelTree.Config config) {
        Path file = directory.resolve(NAME);
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(Files.newInputStream(file), 1 << 16))) {
            if (in.readLong() != MAGIC || in.readInt() != VERSION) {
                throw damaged(file);
            }
            double[] idf = new double[in.readInt()];
            int labels = in.readInt();
            for (int token = 0; token < idf.length; token++) {
                idf[token] = in.readDouble();
            }
            return new LabelTree(config, new TfIdf(idf, true), labels, readNodes(in, in.readInt()));
        } catch (NoSuchFileException e) {
            throw new UserError(
                    "The label tree is missing", file.toString(), "name the directory of a finished run", e);
        } catch (EOFException e) {
            throw damaged(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<TreeNode> readNodes(DataInputStream in, int count) throws IOException {
        List<TreeNode> nodes = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            int children = in.readInt();
            int[] labels = readInts(in);
            NodeWeights weights =
                    new NodeWeights(readInts(in), readInts(in), readInts(in), readFloats(in), readFloats(in));
            nodes.add(new TreeNode(readNodes(in, children), labels, weights));
        }
        return nodes;
    }

    private static void writeInts(DataOutputStream out, int[] values) throws IOException {
        out.writeInt(values.length);
        for (int value : values) {
            out.writeInt(value);
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

    private static UserError damaged(Path file) {
        return new UserError(
                "The file is not a label tree of this version, or is truncated",
                file.toString(),
                "train the model again");
    }
}
