package org.plant4j.corpus.file;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.zip.ZipException;
import org.plant4j.UserError;

/** Text files of corpora: plain or gzip, UTF-8, with errors that name file and line. */
public final class TextFiles {

    /**
     * The longest line or row, in characters. A document of the longest length fits, even if JSON escapes each of its
     * characters.
     */
    static final int MAX_LINE_LENGTH = 1 << 24;

    private static final int BUFFER_SIZE = 1 << 16;

    private TextFiles() {}

    /** A line of a file, numbered from 1. */
    public record Line(Path file, long number, String text) {

        /** File and line number for error messages. */
        public String where() {
            return TextFiles.where(file, number);
        }

        /** Splits the line at tabs; {@code columns} names the expected fields, of which the last must not be blank. */
        public String[] fields(String... columns) {
            String[] fields = text.split("\t", -1);
            if (fields.length != columns.length || fields[columns.length - 1].isBlank()) {
                throw new UserError(
                        "Expected " + columns.length + " tab-separated fields, found " + fields.length,
                        where(),
                        "write the row as: " + String.join(", tab, ", columns));
            }
            return fields;
        }
    }

    static String where(Path file, long line) {
        return file + ":" + line;
    }

    /** Opens a file; gzip is detected by its first two bytes, not by the file name. */
    static TextReader open(Path file) {
        return open(file, TextReader::new);
    }

    static TextReader open(Path file, Function<InputStream, TextReader> decoder) {
        if (Files.isDirectory(file)) {
            throw new UserError("Expected a file, found a directory", file.toString(), "name a file in it");
        }
        if (!Files.isRegularFile(file)) {
            throw new UserError("No such file", file.toString(), "check the path");
        }
        try {
            InputStream in = new BufferedInputStream(Files.newInputStream(file), BUFFER_SIZE);
            try {
                in.mark(2);
                boolean gzip = in.read() == 0x1F && in.read() == 0x8B;
                in.reset();
                return decoder.apply(gzip ? new StrictGzipInputStream(in, BUFFER_SIZE) : in);
            } catch (IOException e) {
                in.close();
                throw e;
            }
        } catch (IOException e) {
            throw unreadable(file, e);
        }
    }

    /**
     * The whole text exactly as stored, since gold offsets count line ends and the byte order mark; a longer text is an
     * error.
     */
    public static String read(Path file, int maxCharacters) {
        StringBuilder text = new StringBuilder();
        try (TextReader reader = open(file)) {
            char[] buffer = new char[1 << 13];
            for (int n = reader.read(buffer); n >= 0; n = reader.read(buffer)) {
                text.append(buffer, 0, n);
                if (text.length() > maxCharacters) {
                    throw tooLong(maxCharacters, file.toString());
                }
            }
            if (reader.malformed()) {
                int position = TextReader.indexOfMalformed(text);
                long line =
                        1 + text.chars().limit(position).filter(c -> c == '\n').count();
                throw notUtf8(where(file, line));
            }
            if (text.indexOf("\0") >= 0) {
                throw binary(file.toString());
            }
        } catch (IOException e) {
            throw unreadable(file, e);
        }
        return text.toString();
    }

    /** Opens a file for reading, without its byte order mark. */
    public static Reader reader(Path file) throws IOException {
        return open(file).withoutByteOrderMark();
    }

    /** Streams the lines that are not blank; a line that is too long, binary or not UTF-8 is a bad row. */
    public static Stream<Line> lines(Path file, BadRowHandler badRows) {
        return lines(file, StandardCharsets.UTF_8, badRows);
    }

    /** Streams the lines of a file in another encoding. */
    public static Stream<Line> lines(Path file, Charset charset, BadRowHandler badRows) {
        return new LineReader(file, charset, badRows, MAX_LINE_LENGTH).stream();
    }

    /** Removes the byte order mark that some editors write at the start of a file. */
    static String stripByteOrderMark(String text) {
        return text.startsWith("\uFEFF") ? text.substring(1) : text;
    }

    /** The file {@code name} in a directory, or {@code name.gz} if only that exists. */
    public static Path resolve(Path directory, String name) {
        Path plain = directory.resolve(name);
        Path compressed = directory.resolve(name + ".gz");
        return !Files.exists(plain) && Files.exists(compressed) ? compressed : plain;
    }

    /** The files of a directory with the given suffix, plain or with {@code .gz} after it, sorted by name. */
    public static List<Path> list(Path directory, String suffix) {
        if (!Files.isDirectory(directory)) {
            throw new UserError("No such directory", directory.toString(), "check the path");
        }
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> stem(file, suffix).isPresent() && Files.isRegularFile(file))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw unreadable(directory, e);
        }
    }

    /** The file name without the suffix and {@code .gz}; empty if it has another suffix. */
    public static Optional<String> stem(Path file, String suffix) {
        String name = String.valueOf(file.getFileName());
        String plain = name.endsWith(".gz") ? name.substring(0, name.length() - 3) : name;
        return plain.endsWith(suffix)
                ? Optional.of(plain.substring(0, plain.length() - suffix.length()))
                : Optional.empty();
    }

    static UserError notUtf8(String where) {
        return new UserError(
                "Not valid UTF-8",
                where,
                "set the option encoding, such as windows-1252, or convert the file: iconv -f ISO-8859-1 -t UTF-8 OLD > NEW");
    }

    static UserError binary(String where) {
        return new UserError("This is binary data, not text", where, "save it as UTF-8 text");
    }

    /** The error for a document that is longer than any corpus should have. */
    public static UserError tooLong(int maxCharacters, String where) {
        return new UserError(
                String.format(Locale.ROOT, "The document has more than %,d characters", maxCharacters),
                where,
                "split it into several documents");
    }

    public static UserError unreadable(Path file, IOException cause) {
        boolean compressed = cause instanceof ZipException || cause instanceof EOFException;
        return new UserError(
                compressed
                        ? "The gzip file is damaged: " + cause.getMessage()
                        : "Cannot read the file: " + cause.getClass().getSimpleName(),
                file.toString(),
                "check that the file is complete (a truncated download or gzip file?) and readable",
                cause);
    }

    public static UserError unwritable(Path file, IOException cause) {
        return new UserError(
                "Cannot write the file: " + cause.getClass().getSimpleName(),
                file.toString(),
                "check that the directory exists, is writable and has free space",
                cause);
    }
}
