package org.plant4j.model.matching;

import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.plant4j.UserError;
import org.plant4j.model.boosting.BoostedTrees;
import org.plant4j.model.linear.PairRegression;
import org.plant4j.support.Arguments;
import org.plant4j.support.AtomicFile;
import org.plant4j.text.LabelIndex;

/**
 * Reads and writes {@code mention-ranker.bin}, big-endian: magic "P4MENTRK", version (int); the loose
 * stem of each token (ints), the stems in UTF-8, separated by line feeds (bytes), and their weights (floats); the number of similar
 * mentions (int) and of each its stems, documents, marked documents, labels, their counts and its length (ints); the scales
 * (floats) and weights (bytes) of the tagger; the depth of the trees (int), their bias (double), features (ints), thresholds and
 * leaves (floats). Version 2 ends with the number of translated names (int), or -1 if the names are those of description matching,
 * and of each its label (int), stems (ints) and length (int). Arrays are preceded by their length.
 */
final class MentionRankerFile {

    private static final String NAME = "mention-ranker.bin";
    private static final long MAGIC = 0x50344D454E54524BL;
    private static final int VERSION = 2;
    private static final int NOT_TRANSLATED = -1;

    private MentionRankerFile() {}

    /** Writes a ranker; {@code translated} tells whether its names are others than those of description matching. */
    static void write(Path directory, MentionRanker ranker, boolean translated) {
        AtomicFile.write(directory.resolve(NAME), draft -> {
            Files.createDirectories(directory);
            try (DataOutputStream out =
                    new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(draft), 1 << 16))) {
                out.writeLong(MAGIC);
                out.writeInt(ranker.features().isVersion1() ? 1 : VERSION);
                RankerFeatures features = ranker.features();
                writeSimilar(out, features.phrases().similar());
                writeFloats(out, features.tagger().scales());
                for (byte[] weights : features.tagger().weights()) {
                    writeBytes(out, weights);
                }
                BoostedTrees trees = ranker.trees();
                out.writeInt(trees.depth());
                out.writeDouble(trees.bias());
                writeInts(out, trees.features());
                writeFloats(out, trees.thresholds());
                writeFloats(out, trees.leaves());
                if (!features.isVersion1()) {
                    writeNames(out, translated ? Optional.of(features.phrases().names()) : Optional.empty());
                }
            }
        });
    }

    private static void writeNames(DataOutputStream out, Optional<SimilarMentionIndex> translated) throws IOException {
        if (translated.isEmpty()) {
            out.writeInt(NOT_TRANSLATED);
            return;
        }
        List<SimilarMentionIndex.SimilarMention> names = translated.get().mentions();
        out.writeInt(names.size());
        for (SimilarMentionIndex.SimilarMention name : names) {
            out.writeInt(name.mention().labels()[0]);
            writeInts(out, name.mention().stems());
            out.writeInt(name.length());
        }
    }

    private static Optional<List<SimilarMentionIndex.Name>> readNames(ByteBuffer in, int stems, int labels) {
        int count = in.getInt();
        if (count == NOT_TRANSLATED) {
            return Optional.empty();
        }
        Arguments.between(0, in.remaining() / (3 * Integer.BYTES), "names", count);
        List<SimilarMentionIndex.Name> names = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int label = Arguments.between(0, labels - 1, "label", in.getInt());
            SimilarMentionIndex.Name name = new SimilarMentionIndex.Name(label, readInts(in), in.getInt());
            requireIds(0, stems, "stem", name.stems());
            names.add(name);
        }
        return Optional.of(names);
    }

    private static void writeSimilar(DataOutputStream out, SimilarMentionIndex index) throws IOException {
        writeInts(out, index.stems().byToken());
        writeBytes(out, String.join("\n", index.stems().texts()).getBytes(StandardCharsets.UTF_8));
        writeFloats(out, index.weights());
        out.writeInt(index.mentions().size());
        for (SimilarMentionIndex.SimilarMention similar : index.mentions()) {
            MentionIndex.Mention mention = similar.mention();
            writeInts(out, mention.stems());
            out.writeInt(mention.documents());
            out.writeInt(mention.marked());
            writeInts(out, mention.labels());
            writeInts(out, mention.counts());
            out.writeInt(similar.length());
        }
    }

    /** Sizes of the model: tokens of its vocabulary, and features of a candidate without the ranker's. */
    record Sizes(int vocabulary, int baseFeatures) {}

    /** Reads the ranker of a model with these mentions and regression. */
    static MentionRanker read(
            Path directory,
            MentionIndex mentions,
            DescriptionIndex descriptions,
            PairRegression regression,
            LabelIndex labels,
            Sizes sizes) {
        Path file = directory.resolve(NAME);
        try {
            return read(ByteBuffer.wrap(Files.readAllBytes(file)), mentions, descriptions, regression, labels, sizes);
        } catch (NoSuchFileException e) {
            throw new UserError(
                    "The ranker of mention matching is missing",
                    file.toString(),
                    "name the directory of a finished run",
                    e);
        } catch (BufferUnderflowException | IllegalArgumentException e) {
            throw new UserError(
                    "The file is not a ranker of mention matching of this version, or is damaged or truncated",
                    file.toString(),
                    "train the model again",
                    e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static MentionRanker read(
            ByteBuffer in,
            MentionIndex mentions,
            DescriptionIndex descriptions,
            PairRegression regression,
            LabelIndex labels,
            Sizes sizes) {
        Arguments.check(in.getLong() == MAGIC, "magic", "another", "P4MENTRK");
        int version = Arguments.between(1, VERSION, "version", in.getInt());
        SimilarMentionIndex similar = readSimilar(in, labels.size());
        int tokens = similar.stems().byToken().length;
        Arguments.check(tokens == sizes.vocabulary, "tokens", tokens, "" + sizes.vocabulary);
        float[] scales = readFloats(in);
        byte[][] weights = new byte[MentionTagger.TAGS][];
        for (int tag = 0; tag < weights.length; tag++) {
            weights[tag] = readBytes(in);
        }
        MentionTagger tagger = new MentionTagger(similar.stems(), weights, scales);
        BoostedTrees trees =
                new BoostedTrees(in.getInt(), in.getDouble(), readInts(in), readFloats(in), readFloats(in));
        List<SimilarMentionIndex.Name> names = (version == 1
                        ? Optional.<List<SimilarMentionIndex.Name>>empty()
                        : readNames(in, similar.stems().size(), labels.size()))
                .orElseGet(() -> similar.names(descriptions.descriptionTokens()));
        Arguments.check(!in.hasRemaining(), "bytes after the end", in.remaining(), "0");
        requireIds(BoostedTrees.NO_SPLIT, sizes.baseFeatures + RankerFeatures.FURTHER, "feature", trees.features());
        RankerFeatures features =
                new RankerFeatures(new RankerFeatures.Phrases(mentions, similar, names), tagger, labels, version == 1);
        return new MentionRanker(features, trees, regression);
    }

    private static SimilarMentionIndex readSimilar(ByteBuffer in, int labels) {
        int[] byToken = readInts(in);
        String texts = new String(readBytes(in), StandardCharsets.UTF_8);
        LooseStems stems = new LooseStems(byToken, texts.isEmpty() ? List.of() : List.of(texts.split("\n", -1)));
        requireIds(DescriptionIndex.UNKNOWN, stems.size(), "stem", byToken);
        float[] weights = readFloats(in);
        Arguments.check(weights.length == stems.size(), "weights", weights.length, "" + stems.size());
        int count = length(in, 6 * Integer.BYTES); // of a mention without stems and labels
        List<SimilarMentionIndex.SimilarMention> mentions = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            MentionIndex.Mention mention =
                    new MentionIndex.Mention(readInts(in), in.getInt(), in.getInt(), readInts(in), readInts(in));
            requireIds(0, stems.size(), "stem", mention.stems());
            requireIds(0, labels, "label", mention.labels());
            Arguments.check(
                    mention.counts().length == mention.labels().length,
                    "counts",
                    mention.counts().length,
                    "as many as labels");
            mentions.add(new SimilarMentionIndex.SimilarMention(mention, in.getInt()));
        }
        return new SimilarMentionIndex(stems, weights, mentions);
    }

    private static void requireIds(int lowest, int end, String name, int[] ids) {
        for (int id : ids) {
            Arguments.between(lowest, end - 1, name, id);
        }
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

    private static void writeBytes(DataOutputStream out, byte[] values) throws IOException {
        out.writeInt(values.length);
        out.write(values);
    }

    /** The length of an array, at most what the rest of the file can hold, so that a damaged one does not exhaust the memory. */
    private static int length(ByteBuffer in, int elementBytes) {
        return Arguments.between(0, in.remaining() / elementBytes, "length", in.getInt());
    }

    private static int[] readInts(ByteBuffer in) {
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

    private static byte[] readBytes(ByteBuffer in) {
        byte[] values = new byte[length(in, 1)];
        in.get(values);
        return values;
    }
}
