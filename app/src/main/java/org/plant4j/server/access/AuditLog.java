package org.plant4j.server.access;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import org.plant4j.server.http.Json;
import org.plant4j.support.UserError;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Who did what to which document, as JSON Lines that are only ever appended. Never contains text of a document. */
public final class AuditLog implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(AuditLog.class);

    private final BufferedWriter out;
    private final Clock clock;

    public AuditLog(Path file, Clock clock) {
        this.clock = clock;
        try {
            if (!Files.exists(file)
                    && FileSystems.getDefault().supportedFileAttributeViews().contains("posix")) {
                Files.createFile(
                        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            }
            out = Files.newBufferedWriter(
                    file, StandardCharsets.UTF_8, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UserError("The audit log cannot be written", file.toString(), "choose a writable file", e);
        }
    }

    /**
     * Adds a line.
     *
     * @param user the name of the token, or empty if it was missing or not valid
     * @param action method and route
     * @param document the id of the document, or empty
     */
    public synchronized void add(String user, String address, String action, int status, String document) {
        Map<String, Object> entry = new LinkedHashMap<>();
        entry.put("at", clock.instant().truncatedTo(ChronoUnit.MILLIS).toString());
        entry.put("user", user);
        entry.put("address", address);
        entry.put("action", action);
        entry.put("status", status);
        entry.put("document", document);
        try {
            out.write(new String(Json.bytes(entry), StandardCharsets.UTF_8) + "\n");
            out.flush();
        } catch (IOException e) {
            LOG.error("The audit log cannot be written: {}", e.getClass().getName());
        }
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
