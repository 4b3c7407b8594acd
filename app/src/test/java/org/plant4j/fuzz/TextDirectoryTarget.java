package org.plant4j.fuzz;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.plant4j.Document;

/** The reader of directories of text files. */
final class TextDirectoryTarget implements FuzzTarget {

    private final Path directory;

    TextDirectoryTarget(Path directory) {
        this.directory = directory;
    }

    @Override
    public String name() {
        return "text";
    }

    @Override
    public Outcome test(FuzzInput input) {
        CorpusFiles files = new CorpusFiles().put("notes.md", "not a document");
        List<Document> documents = new ArrayList<>();
        boolean valid = true;
        boolean binary = false;
        for (int i = input.between(1, 5); i > 0; i--) {
            String id = "note " + i + input.pick("", "-ñ", ".old");
            byte[] bytes = OddText.valid(input, 30).getBytes(StandardCharsets.UTF_8);
            if (input.chance(0.5)) {
                bytes = ByteMutator.mutate(bytes, input);
            }
            boolean gzip = bytes.length > 1 && bytes[0] == 0x1F && (bytes[1] & 0xFF) == 0x8B;
            files.put(id + ".txt", bytes);
            if (input.chance(0.2)) {
                files.compress(id + ".txt", input);
                gzip = false;
            }
            input.step(id + ": " + new String(bytes, StandardCharsets.UTF_8));
            String text = decode(bytes);
            valid &= !text.isBlank() && !gzip;
            binary |= text.indexOf(0) >= 0;
            documents.add(new Document(id, text, Set.of()));
        }
        documents.sort(Comparator.comparing(Document::id));
        Verdict verdict = valid ? Verdict.read(documents) : Verdict.REFUSE;
        return (binary ? verdict.orRefuse() : verdict)
                .check(() -> CorpusFiles.read("text", files.write(directory), Map.of()).stream()
                        .sorted(Comparator.comparing(Document::id))
                        .toList());
    }

    /** The text, or nothing if it is not UTF-8. */
    private static String decode(byte[] bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            return "";
        }
    }
}
