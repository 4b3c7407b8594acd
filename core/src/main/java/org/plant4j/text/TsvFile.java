package org.plant4j.text;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.plant4j.UserError;
import org.plant4j.support.AtomicFile;

/** Small tab-separated files with a header, for the readable files of a run. Fields contain no tabs or line breaks. */
final class TsvFile {

    private TsvFile() {}

    static void write(Path file, List<String> header, List<List<String>> rows) {
        AtomicFile.write(file, draft -> {
            try (BufferedWriter out = Files.newBufferedWriter(draft)) {
                out.write(String.join("\t", header));
                out.write('\n');
                for (List<String> row : rows) {
                    out.write(String.join("\t", row));
                    out.write('\n');
                }
            }
        });
    }

    static List<String[]> read(Path file, List<String> header) {
        List<String> lines;
        try {
            lines = Files.readAllLines(file);
        } catch (NoSuchFileException e) {
            throw new UserError("The file does not exist", file.toString(), "prepare the corpus first", e);
        } catch (CharacterCodingException e) {
            throw invalid(file, header, e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (lines.isEmpty() || !lines.get(0).equals(String.join("\t", header))) {
            throw invalid(file, header, null);
        }
        List<String[]> rows = new ArrayList<>(lines.size() - 1);
        for (int i = 1; i < lines.size(); i++) {
            String[] row = lines.get(i).split("\t", -1);
            if (row.length != header.size()) {
                throw new UserError(
                        "The row has " + row.length + " columns instead of " + header.size(),
                        file + ":" + (i + 1),
                        "prepare the corpus again");
            }
            rows.add(row);
        }
        return rows;
    }

    /** Parses the number in a field of row {@code row}, counted from 0 below the header. */
    static long number(Path file, int row, String field) {
        try {
            return Long.parseLong(field);
        } catch (NumberFormatException e) {
            throw new UserError("A count is not a number", file + ":" + (row + 2), "prepare the corpus again", e);
        }
    }

    private static UserError invalid(Path file, List<String> header, @Nullable Throwable e) {
        String what = "The file does not have the columns " + String.join(", ", header);
        String remedy = "the file is damaged or of another version; run the experiment again with --force";
        return e == null
                ? new UserError(what, file.toString(), remedy)
                : new UserError(what, file.toString(), remedy, e);
    }
}
