package org.plant4j.app.desk;

import io.javalin.http.Context;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Reads the bodies of requests: of the right kind, not too large, not too slow, and text indeed. */
final class Bodies {

    private static final Set<String> JSON = Set.of("application/json");
    private static final Set<String> FHIR = Set.of("application/fhir+json", "application/json");

    private static final int CHUNK = 1 << 14;
    private static final long MOST_THROWN_AWAY = 1 << 26;

    private final long most;
    private final long patienceNanoseconds;

    Bodies(long most, int patienceSeconds) {
        this.most = most;
        this.patienceNanoseconds = patienceSeconds * 1_000_000_000L;
    }

    Fields object(Context request) {
        return Fields.of(Json.read(text(request, JSON)));
    }

    /** A FHIR resource, which is at least JSON. */
    String fhir(Context request) {
        String resource = text(request, FHIR);
        Json.read(resource);
        return resource;
    }

    private String text(Context request, Set<String> types) {
        String type = Optional.ofNullable(request.contentType()).orElse("");
        if (!types.contains(type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT))) {
            throw new Problem(
                    Problem.MEDIA_TYPE,
                    "The body is not of a kind read here",
                    "Content-Type",
                    "send " + types.stream().sorted().findFirst().orElseThrow());
        }
        byte[] bytes = bytes(request);
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new Problem(Problem.BAD_REQUEST, "The body is not UTF-8", "body", "encode it as UTF-8");
        }
    }

    private byte[] bytes(Context request) {
        long end = System.nanoTime() + patienceNanoseconds;
        boolean tooLarge = request.req().getContentLengthLong() > most;
        long size = 0;
        ByteArrayOutputStream kept = new ByteArrayOutputStream();
        byte[] chunk = new byte[CHUNK];
        try (InputStream in = request.req().getInputStream()) {
            for (int read = in.read(chunk); read >= 0; read = in.read(chunk)) {
                size += read;
                tooLarge |= size > most;
                // Of a body too large the rest is still read, within reason: a client that is cut off while it sends
                // does not come to see the answer.
                if (tooLarge && (size > MOST_THROWN_AWAY || System.nanoTime() > end)) {
                    throw tooLarge();
                }
                if (System.nanoTime() > end) {
                    throw tooSlow();
                }
                if (!tooLarge) {
                    kept.write(chunk, 0, read);
                }
            }
        } catch (IOException e) {
            throw tooLarge ? tooLarge() : tooSlow(); // idle for too long, or gone: then nobody reads the answer
        }
        if (tooLarge) {
            throw tooLarge();
        }
        return kept.toByteArray();
    }

    private Problem tooLarge() {
        return new Problem(
                Problem.TOO_LARGE,
                "The body is larger than " + most + " bytes",
                "body",
                "send fewer or shorter notes, or start the server with a larger --max-text");
    }

    private Problem tooSlow() {
        return new Problem(Problem.TIMEOUT, "The body came too slowly", "body", "send it without pauses");
    }
}
