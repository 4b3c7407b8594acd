package org.plant4j.server.http;

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
public final class RequestBodies {

    private static final Set<String> JSON_TYPES = Set.of("application/json");
    private static final Set<String> FHIR_TYPES = Set.of("application/fhir+json", "application/json");

    private static final int CHUNK_BYTES = 1 << 14;
    private static final long MAX_DISCARDED_BYTES = 1 << 26;

    private final long maxBytes;
    private final long timeoutNanoseconds;

    public RequestBodies(long most, int patienceSeconds) {
        this.maxBytes = most;
        this.timeoutNanoseconds = patienceSeconds * 1_000_000_000L;
    }

    public JsonFields readObject(Context request) {
        return JsonFields.of(Json.parse(readText(request, JSON_TYPES)));
    }

    /** A FHIR resource, which is at least JSON. */
    public String readFhir(Context request) {
        String resource = readText(request, FHIR_TYPES);
        Json.parse(resource);
        return resource;
    }

    private String readText(Context request, Set<String> types) {
        String type = Optional.ofNullable(request.contentType()).orElse("");
        if (!types.contains(type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT))) {
            throw new ApiException(
                    ApiException.UNSUPPORTED_MEDIA_TYPE,
                    "The body is not of a kind read here",
                    "Content-Type",
                    "send " + types.stream().sorted().findFirst().orElseThrow());
        }
        byte[] bytes = readBytes(request);
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new ApiException(ApiException.BAD_REQUEST, "The body is not UTF-8", "body", "encode it as UTF-8");
        }
    }

    private byte[] readBytes(Context request) {
        long end = System.nanoTime() + timeoutNanoseconds;
        boolean tooLarge = request.req().getContentLengthLong() > maxBytes;
        long size = 0;
        ByteArrayOutputStream kept = new ByteArrayOutputStream();
        byte[] chunk = new byte[CHUNK_BYTES];
        try (InputStream in = request.req().getInputStream()) {
            for (int read = in.read(chunk); read >= 0; read = in.read(chunk)) {
                size += read;
                tooLarge |= size > maxBytes;
                // Of a body too large the rest is still read, within reason: a client that is cut off while it sends
                // does not come to see the answer.
                if (tooLarge && (size > MAX_DISCARDED_BYTES || System.nanoTime() > end)) {
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

    private ApiException tooLarge() {
        return new ApiException(
                ApiException.TOO_LARGE,
                "The body is larger than " + maxBytes + " bytes",
                "body",
                "send fewer or shorter notes, or start the server with a larger --max-text");
    }

    private ApiException tooSlow() {
        return new ApiException(
                ApiException.REQUEST_TIMEOUT, "The body came too slowly", "body", "send it without pauses");
    }
}
