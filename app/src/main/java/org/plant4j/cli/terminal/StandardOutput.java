package org.plant4j.cli.terminal;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.Serial;
import java.io.UncheckedIOException;
import java.util.Locale;

/** Standard output that throws when it can no longer be written, for example because the reader closed the pipe. */
public final class StandardOutput extends FilterOutputStream {

    public StandardOutput(OutputStream out) {
        super(out);
    }

    public static PrintWriter open(Terminal terminal) {
        OutputStream raw = new StandardOutput(new FileOutputStream(FileDescriptor.out));
        return new PrintWriter(new BufferedOutputStream(raw), true, terminal.charset());
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
        try {
            out.write(bytes, offset, length);
        } catch (IOException e) {
            throw new WriteFailure(e);
        }
    }

    @Override
    public void write(int single) {
        write(new byte[] {(byte) single}, 0, 1);
    }

    /** Output cannot be written. Unchecked, because a PrintWriter swallows checked exceptions. */
    static final class WriteFailure extends UncheckedIOException {

        @Serial
        private static final long serialVersionUID = 1L;

        WriteFailure(IOException cause) {
            super(cause);
        }

        /** Whether the reader closed the pipe, as in {@code plant … | head}. */
        boolean isBrokenPipe() {
            return String.valueOf(getMessage()).toLowerCase(Locale.ROOT).contains("pipe");
        }
    }
}
