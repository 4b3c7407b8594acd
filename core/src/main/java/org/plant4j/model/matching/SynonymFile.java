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
import org.plant4j.UserError;
import org.plant4j.support.Arguments;
import org.plant4j.support.AtomicFile;

/**
 * Reads and writes {@code synonyms.bin}, big-endian: magic "P4SYNONY", version (int), the number of synonyms (int), and of each
 * its label (int), the number of its stems (int) and the stems (ints).
 */
final class SynonymFile {

    private static final String NAME = "synonyms.bin";
    private static final long MAGIC = 0x503453594E4F4E59L;
    private static final int VERSION = 1;

    private SynonymFile() {}

    static void write(Path directory, List<LabelNames.Synonym> synonyms) {
        AtomicFile.write(directory.resolve(NAME), draft -> {
            try (DataOutputStream out =
                    new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(draft), 1 << 16))) {
                out.writeLong(MAGIC);
                out.writeInt(VERSION);
                out.writeInt(synonyms.size());
                for (LabelNames.Synonym synonym : synonyms) {
                    out.writeInt(synonym.label());
                    DescriptionMatchingFile.writeInts(out, synonym.stems());
                }
            }
        });
    }

    /** Reads synonyms of so many labels, with ids of so many stems. */
    static List<LabelNames.Synonym> read(Path directory, int labels, int stems) {
        Path file = directory.resolve(NAME);
        try {
            return read(ByteBuffer.wrap(Files.readAllBytes(file)), labels, stems);
        } catch (NoSuchFileException e) {
            throw new UserError(
                    "The synonyms of description matching are missing",
                    file.toString(),
                    "name the directory of a finished run",
                    e);
        } catch (BufferUnderflowException | IllegalArgumentException e) {
            throw new UserError(
                    "The file does not have synonyms of this version, or is damaged or truncated",
                    file.toString(),
                    "train the model again",
                    e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<LabelNames.Synonym> read(ByteBuffer in, int labels, int stems) {
        Arguments.check(in.getLong() == MAGIC, "magic", "another", "P4SYNONY");
        Arguments.between(VERSION, VERSION, "version", in.getInt());
        int count = DescriptionMatchingFile.length(in, 2 * Integer.BYTES);
        List<LabelNames.Synonym> synonyms = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int label = Arguments.between(0, labels - 1, "label", in.getInt());
            int[] ids = DescriptionMatchingFile.readInts(in);
            synonyms.add(new LabelNames.Synonym(
                    label, DescriptionMatchingFile.requireIds(DescriptionIndex.UNKNOWN, stems, "stem", ids)));
        }
        Arguments.check(!in.hasRemaining(), "bytes after the end", in.remaining(), "0");
        return synonyms;
    }
}
