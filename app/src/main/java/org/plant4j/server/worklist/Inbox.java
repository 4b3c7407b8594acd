package org.plant4j.server.worklist;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.plant4j.UserError;
import org.plant4j.encounter.SourceDocument;
import org.plant4j.review.database.DatabaseException;
import org.plant4j.review.worklist.IncomingEncounter;
import org.plant4j.review.worklist.Worklist;
import org.plant4j.review.worklist.WorklistConflict;
import org.plant4j.server.api.DocumentReader;
import org.plant4j.server.http.ApiException;
import org.plant4j.server.http.Json;
import org.plant4j.server.http.JsonFields;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A watched folder. Text and JSON files are added to the worklist and moved to {@code done} or, with a file that says why,
 * to {@code failed}. If the process dies between both steps, the file is taken again, which adds nothing.
 */
public final class Inbox implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Inbox.class);
    private static final int POLL_MILLISECONDS = 1000;

    /** More than any document that can be coded. */
    private static final long MAX_BYTES = 1 << 24;

    private final Path folder;
    private final Worklist worklist;
    private final EncounterJson json;
    private final Clock clock;
    private final ScheduledExecutorService poller;

    /** Size and time of the files at the last poll: a file is taken when it no longer changes. */
    private Map<Path, String> seen = new HashMap<>();

    private Inbox(Path folder, Worklist worklist, EncounterJson json, Clock clock) {
        this.folder = folder;
        this.worklist = worklist;
        this.json = json;
        this.clock = clock;
        this.poller = Executors.newSingleThreadScheduledExecutor(work -> {
            Thread thread = new Thread(work, "inbox");
            thread.setDaemon(true);
            return thread;
        });
        for (String name : List.of("done", "failed")) {
            try {
                Files.createDirectories(folder.resolve(name));
            } catch (IOException e) {
                throw new UserError(
                        "The inbox cannot be written", folder.toString(), "name a writable directory with --inbox", e);
            }
        }
    }

    /** Watches a folder until it is closed; documents may have {@code maxLength} characters. */
    public static Inbox watch(Path folder, Worklist worklist, int maxLength) {
        Inbox inbox = of(folder, worklist, maxLength, Clock.systemUTC());
        var unused =
                inbox.poller.scheduleWithFixedDelay(inbox::pollSafely, 0, POLL_MILLISECONDS, TimeUnit.MILLISECONDS);
        return inbox;
    }

    static Inbox of(Path folder, Worklist worklist, int maxLength, Clock clock) {
        return new Inbox(folder, worklist, new EncounterJson(new DocumentReader(maxLength)), clock);
    }

    private void pollSafely() {
        try {
            poll();
        } catch (DatabaseException e) {
            LOG.warn("The inbox waits: review database {}, SQL state {}", e.kind(), e.sqlState());
        } catch (IOException | RuntimeException e) {
            LOG.warn("The inbox cannot be read: {}", e.getClass().getName()); // a message could quote a document
        }
    }

    /** Takes each file that has not changed since the last poll; files stay where they are while the database fails. */
    void poll() throws IOException {
        Map<Path, String> present = new HashMap<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.filter(Inbox::isTaken).sorted().toList()) {
                fingerprint(file).ifPresent(each -> present.put(file, each));
            }
        }
        Map<Path, String> before = seen;
        seen = present;
        for (Map.Entry<Path, String> file : new TreeMap<>(present).entrySet()) {
            if (file.getValue().equals(before.get(file.getKey()))) {
                take(file.getKey());
                seen.remove(file.getKey());
            }
        }
    }

    private static boolean isTaken(Path file) {
        String name = name(file).toLowerCase(Locale.ROOT);
        return !name.startsWith(".") && (name.endsWith(".txt") || name.endsWith(".json")) && Files.isRegularFile(file);
    }

    private static Optional<String> fingerprint(Path file) throws IOException {
        try {
            return Optional.of(Files.size(file) + " " + Files.getLastModifiedTime(file));
        } catch (NoSuchFileException e) {
            return Optional.empty(); // moved away meanwhile
        }
    }

    private void take(Path file) throws IOException {
        Optional<String> reason = add(file);
        Path target = target(file, reason.isEmpty() ? "done" : "failed");
        if (reason.isPresent()) {
            Files.writeString(target.resolveSibling(name(target) + ".reason"), reason.get() + "\n");
            LOG.warn("The inbox refused a file: see the folder failed");
        }
        Files.move(file, target);
    }

    /** Adds a file; returns why it was refused. */
    private Optional<String> add(Path file) throws IOException {
        try {
            worklist.add(read(file), "folder");
            return Optional.empty();
        } catch (ApiException e) {
            return Optional.of(reason(
                    e.body().getOrDefault("error", ""),
                    e.body().getOrDefault("where", ""),
                    e.body().getOrDefault("remedy", "")));
        } catch (UserError e) {
            return Optional.of(reason(e.what(), e.where(), e.remedy()));
        } catch (WorklistConflict e) {
            return Optional.of(reason(e.what(), e.where(), e.remedy()));
        }
    }

    private static String reason(String what, String where, String remedy) {
        return what + " (" + where + "): " + remedy;
    }

    /** A text file is an encounter with one document, both named after the file; a JSON file is as for the API. */
    private IncomingEncounter read(Path file) throws IOException {
        if (Files.size(file) > MAX_BYTES) {
            throw new UserError("The file is larger than 16 MiB", "file", "send shorter documents");
        }
        String text = decode(Files.readAllBytes(file));
        String name = name(file);
        if (name.toLowerCase(Locale.ROOT).endsWith(".json")) {
            return json.parse(JsonFields.of(Json.parse(text)));
        }
        String id = name.substring(0, name.lastIndexOf('.'));
        return json.validate(
                new IncomingEncounter(id, Optional.empty(), List.of(new SourceDocument(name, name, text))));
    }

    private static String decode(byte[] bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new UserError("The file is not UTF-8", "file", "encode it as UTF-8", e);
        }
    }

    /** A path in a folder of the inbox; a file that is there already keeps its name. */
    private Path target(Path file, String directory) {
        Path target = folder.resolve(directory).resolve(name(file));
        for (int i = 2; Files.exists(target); i++) {
            target = folder.resolve(directory).resolve(clock.millis() + "-" + i + "-" + name(file));
        }
        return target;
    }

    private static String name(Path file) {
        return String.valueOf(file.getFileName());
    }

    @Override
    public void close() {
        poller.shutdown();
        try {
            if (!poller.awaitTermination(10, TimeUnit.SECONDS)) {
                LOG.warn("The inbox is still busy; its file is taken again at the next start");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
