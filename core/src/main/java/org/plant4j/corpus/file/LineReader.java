package org.plant4j.corpus.file;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.plant4j.UserError;
import org.plant4j.corpus.file.TextFiles.Line;

/** Reads the lines of a file that are not blank. Lines that are too long, binary or not UTF-8 are bad rows. */
final class LineReader extends StreamingReader<Line> {

    private final Path file;
    private final BadRowHandler badRows;
    private final int maxLength;
    private final TextReader reader;
    private final char[] buffer = new char[1 << 13];
    private int position;
    private int limit;

    private final StringBuilder line = new StringBuilder();
    private boolean tooLong;
    private long number;

    LineReader(Path file, BadRowHandler badRows, int maxLength) {
        this(file, StandardCharsets.UTF_8, badRows, maxLength);
    }

    LineReader(Path file, Charset charset, BadRowHandler badRows, int maxLength) {
        this.file = file;
        this.badRows = badRows;
        this.maxLength = maxLength;
        reader = TextFiles.open(file, in -> new TextReader(in, charset));
    }

    @Override
    protected @Nullable Line readNext() {
        try {
            while (readLine()) {
                number++;
                String text = number == 1 ? TextFiles.stripByteOrderMark(line.toString()) : line.toString();
                if (isValid(text) && !text.isBlank()) {
                    return new Line(file, number, text);
                }
            }
            return null;
        } catch (IOException e) {
            throw TextFiles.unreadable(file, e);
        }
    }

    private boolean isValid(String text) {
        String where = TextFiles.where(file, number);
        if (tooLong) {
            badRows.report(new UserError(
                    "The line has more than " + maxLength + " characters",
                    where,
                    "write one document per line, and split very long documents"));
        } else if (reader.malformed() && TextReader.indexOfMalformed(text) >= 0) {
            badRows.report(TextFiles.notUtf8(where));
        } else if (text.indexOf('\0') >= 0) {
            badRows.report(TextFiles.binary(where));
        } else {
            return true;
        }
        return false;
    }

    /** Reads up to the next line end, of which only the first {@code maxLength} characters; false at the end. */
    private boolean readLine() throws IOException {
        line.setLength(0);
        tooLong = false;
        boolean any = false;
        while (position < limit || fill()) {
            any = true;
            int end = position;
            while (end < limit && buffer[end] != '\n' && buffer[end] != '\r') {
                end++;
            }
            append(end);
            if (end < limit) {
                position = end + 1;
                if (buffer[end] == '\r' && (position < limit || fill()) && buffer[position] == '\n') {
                    position++;
                }
                return true;
            }
            position = end;
        }
        return any;
    }

    private void append(int end) {
        int count = Math.min(end - position, maxLength - line.length());
        line.append(buffer, position, count);
        tooLong |= count < end - position;
    }

    private boolean fill() throws IOException {
        position = 0;
        limit = Math.max(0, reader.read(buffer));
        return limit > 0;
    }

    @Override
    public void close() throws IOException {
        reader.close();
    }
}
