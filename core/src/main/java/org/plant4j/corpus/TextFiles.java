package org.plant4j.corpus;

import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;
import org.plant4j.support.UserError;

/** Files as every reader opens them: plain or gzip, UTF-8, and with errors that name file and line. */
public final class TextFiles {

    private static final String CONVERT =
            "convert the file to UTF-8, for example: iconv -f ISO-8859-1 -t UTF-8 OLD > NEW";

    private TextFiles() {}

    /** One line of a file, with its number from 1. */
    public record Line(Path file, long number, String text) {

        public String where() {
            return TextFiles.where(file, number);
        }
    }

    static String where(Path file, long line) {
        return file + ":" + line;
    }

    /** Opens a file; gzip is told by its first two bytes, whatever the name. */
    static Utf8Reader open(Path file) {
        return open(file, Utf8Reader::new);
    }

    static Utf8Reader open(Path file, Function<InputStream, Utf8Reader> decoding) {
        if (Files.isDirectory(file)) {
            throw new UserError("This is a folder, not a file", file.toString(), "name a file in it");
        }
        if (!Files.isRegularFile(file)) {
            throw new UserError("No such file", file.toString(), "check the path");
        }
        try {
            InputStream in = new BufferedInputStream(Files.newInputStream(file), 1 << 16);
            try {
                in.mark(2);
                boolean gzip = in.read() == 0x1F && in.read() == 0x8B;
                in.reset();
                return decoding.apply(gzip ? new GZIPInputStream(in, 1 << 16) : in);
            } catch (IOException e) {
                in.close();
                throw e;
            }
        } catch (IOException e) {
            throw unreadable(file, e);
        }
    }

    /** The whole text, exactly as stored: line ends and a byte order mark count in gold offsets. */
    public static String read(Path file) {
        StringBuilder text = new StringBuilder();
        try (Utf8Reader reader = open(file)) {
            char[] buffer = new char[1 << 13];
            for (int n = reader.read(buffer); n >= 0; n = reader.read(buffer)) {
                text.append(buffer, 0, n);
            }
            if (reader.malformed()) {
                int at = Utf8Reader.indexOfMalformed(text);
                long line = 1 + text.chars().limit(at).filter(c -> c == '\n').count();
                throw notUtf8(where(file, line));
            }
        } catch (IOException e) {
            throw unreadable(file, e);
        }
        return text.toString();
    }

    /** The lines that are not blank; one that is not UTF-8 is a bad row. */
    public static Stream<Line> lines(Path file, BadRowHandler badRows) {
        Utf8Reader utf8 = open(file);
        BufferedReader reader = new BufferedReader(utf8, 1 << 16);
        return new StreamingReader<Line>() {
            private long number;

            @Override
            @Nullable
            public Line readNext() {
                try {
                    for (String text = reader.readLine(); text != null; text = reader.readLine()) {
                        number++;
                        String line = number == 1 ? stripByteOrderMark(text) : text;
                        if (utf8.malformed() && Utf8Reader.indexOfMalformed(line) >= 0) {
                            badRows.report(notUtf8(where(file, number)));
                        } else if (!line.isBlank()) {
                            return new Line(file, number, line);
                        }
                    }
                    return null;
                } catch (IOException e) {
                    throw unreadable(file, e);
                }
            }

            @Override
            public void close() throws IOException {
                reader.close();
            }
        }.stream();
    }

    /** Without the byte order mark that some editors put before the first column's name. */
    static String stripByteOrderMark(String first) {
        return first.startsWith("\uFEFF") ? first.substring(1) : first;
    }

    /** The file of that name in a folder, plain or with {@code .gz}. */
    public static Path resolve(Path folder, String name) {
        Path plain = folder.resolve(name);
        Path packed = folder.resolve(name + ".gz");
        return !Files.exists(plain) && Files.exists(packed) ? packed : plain;
    }

    /** The files of a folder whose names end so, plain or with {@code .gz}, in name order. */
    public static List<Path> list(Path folder, String ending) {
        if (!Files.isDirectory(folder)) {
            throw new UserError("No such folder", folder.toString(), "check the path");
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> stem(file, ending) != null && Files.isRegularFile(file))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw unreadable(folder, e);
        }
    }

    /** The file's name without its ending, or null where it has another. */
    static @Nullable public String stem(Path file, String ending) {
        String name = String.valueOf(file.getFileName());
        String plain = name.endsWith(".gz") ? name.substring(0, name.length() - 3) : name;
        return plain.endsWith(ending) ? plain.substring(0, plain.length() - ending.length()) : null;
    }

    static UserError notUtf8(String where) {
        return new UserError("Not UTF-8", where, CONVERT);
    }

    public static UserError unreadable(Path file, IOException cause) {
        return new UserError(
                "Cannot read: " + cause.getClass().getSimpleName(),
                file.toString(),
                "check that the file is whole (a broken download or gzip?) and may be read",
                cause);
    }

    public static UserError unwritable(Path file, IOException cause) {
        return new UserError(
                "Cannot write: " + cause.getClass().getSimpleName(),
                file.toString(),
                "check that the folder exists, may be written and has room",
                cause);
    }
}
