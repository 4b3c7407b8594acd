package org.plant4j.server.access;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.plant4j.UserError;
import org.plant4j.server.http.Json;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who did what to which document, as JSON Lines that are only ever appended. Never contains text of a document. Each line
 * is one write, so that several processes can append to one file.
 */
public final class AuditLog implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(AuditLog.class);

    private final FileChannel out;
    private final Clock clock;
    private volatile boolean complete = true;
    private int lost; // lines since the last one that could be written

    /** Whether the last line in the file lacks its end, because the disk was full. */
    private boolean broken;

    public AuditLog(Path file, Clock clock) {
        this.clock = clock;
        try {
            if (!Files.exists(file)
                    && FileSystems.getDefault().supportedFileAttributeViews().contains("posix")) {
                Files.createFile(
                        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            }
            out = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UserError("The audit log cannot be written", file.toString(), "choose a writable file", e);
        }
    }

    /**
     * Adds a line.
     *
     * @param user the name of the user, or empty if the request was not authenticated
     * @param action method and route, or a command
     * @param document the ids of the documents, or empty
     */
    public synchronized void add(String user, String address, String action, int status, String document) {
        try {
            if (lost > 0) {
                append(entry("", "", "audit gap: " + lost + " lines lost", 0, ""));
                lost = 0;
            }
            append(entry(user, address, action, status, document));
            complete = true;
        } catch (IOException e) {
            lost++;
            complete = false;
            LOG.error("The audit log cannot be written: {}", e.getClass().getName());
        }
    }

    private byte[] entry(String user, String address, String action, int status, String document) {
        Map<String, Object> entry = new LinkedHashMap<>();
        entry.put("at", clock.instant().truncatedTo(ChronoUnit.MILLIS).toString());
        entry.put("user", user);
        entry.put("address", address);
        entry.put("action", action);
        entry.put("status", status);
        entry.put("document", document);
        return Json.bytes(entry);
    }

    private void append(byte[] entry) throws IOException {
        byte[] line = Arrays.copyOf(entry, entry.length + 1);
        line[entry.length] = '\n';
        if (broken) {
            out.write(ByteBuffer.wrap(new byte[] {'\n'}));
            broken = false;
        }
        ByteBuffer buffer = ByteBuffer.wrap(line);
        try {
            while (buffer.hasRemaining()) {
                out.write(buffer);
            }
        } finally {
            broken = buffer.position() > 0 && buffer.hasRemaining();
        }
    }

    /** Whether the last line could be written. */
    public boolean isComplete() {
        return complete;
    }

    @Override
    public void close() {
        try {
            out.close();
        } catch (IOException e) {
            LOG.error("The audit log cannot be closed: {}", e.getClass().getName());
        }
    }
}
