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
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads request bodies and enforces content type, size, time limit and encoding. */
public final class RequestBodies {

    private static final Set<String> JSON_TYPES = Set.of("application/json");
    private static final Set<String> FHIR_TYPES = Set.of("application/fhir+json", "application/json");
    private static final Pattern CHARSET =
            Pattern.compile(";\\s*charset\\s*=\\s*\"?([^\";\\s]*)", Pattern.CASE_INSENSITIVE);
    private static final int CHUNK_BYTES = 1 << 14;
    private static final long MAX_DISCARDED_BYTES = 1 << 26;

    private final long maxBytes;
    private final long timeoutNanoseconds;

    public RequestBodies(long maxBytes, int timeoutSeconds) {
        this.maxBytes = maxBytes;
        this.timeoutNanoseconds = timeoutSeconds * 1_000_000_000L;
    }

    public JsonFields readObject(Context request) {
        return JsonFields.of(Json.parse(readText(request, JSON_TYPES)));
    }

    /** Reads a JSON value; checks only the content type. */
    public String readJson(Context request) {
        return readText(request, JSON_TYPES);
    }

    /** Reads a FHIR resource; checks only that it is JSON. */
    public String readFhir(Context request) {
        String resource = readText(request, FHIR_TYPES);
        Json.parse(resource);
        return resource;
    }

    private String readText(Context request, Set<String> types) {
        // Not contentType(), which fails for an unknown charset.
        String type = Optional.ofNullable(request.header("Content-Type")).orElse("");
        if (!types.contains(type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT)) || !isUtf8(type)) {
            throw new ApiException(
                    ApiException.UNSUPPORTED_MEDIA_TYPE,
                    "The content type is not supported",
                    "Content-Type",
                    "use " + types.stream().sorted().findFirst().orElseThrow() + " in UTF-8");
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

    /** JSON is UTF-8; a body that claims another encoding is not read as if it were. */
    private static boolean isUtf8(String type) {
        Matcher charset = CHARSET.matcher(type);
        return !charset.find() || charset.group(1).equalsIgnoreCase("utf-8");
    }

    private byte[] readBytes(Context request) {
        long deadline = System.nanoTime() + timeoutNanoseconds;
        boolean tooLarge = request.req().getContentLengthLong() > maxBytes;
        long size = 0;
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        byte[] chunk = new byte[CHUNK_BYTES];
        try (InputStream in = request.req().getInputStream()) {
            for (int read = in.read(chunk); read >= 0; read = in.read(chunk)) {
                size += read;
                tooLarge |= size > maxBytes;
                boolean late = System.nanoTime() > deadline;
                // The rest of a body that is too large is read and discarded, within limits: a client whose connection
                // is closed while it sends never sees the response.
                if (tooLarge && (late || size > MAX_DISCARDED_BYTES)) {
                    throw tooLarge();
                }
                if (late) {
                    throw timeout();
                }
                if (!tooLarge) {
                    body.write(chunk, 0, read);
                }
            }
        } catch (IOException e) {
            throw tooLarge ? tooLarge() : timeout(); // idle for too long, or disconnected: then nobody reads this
        }
        if (tooLarge) {
            throw tooLarge();
        }
        return body.toByteArray();
    }

    private ApiException tooLarge() {
        return new ApiException(
                ApiException.TOO_LARGE,
                "The body is larger than " + maxBytes + " bytes",
                "body",
                "send fewer or shorter documents, or start the server with a larger --max-length");
    }

    private static ApiException timeout() {
        return new ApiException(
                ApiException.REQUEST_TIMEOUT, "The body arrived too slowly", "body", "send it without pauses");
    }
}
