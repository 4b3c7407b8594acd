package org.plant4j.server.page;

import io.javalin.http.Context;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.plant4j.server.http.ApiException;
import org.plant4j.server.http.SecurityHeaders;

/** Serves the files of the web pages from the jar. Names with a path are rejected. */
final class StaticFiles {

    private static final Pattern NAME = Pattern.compile("[a-z0-9-]+\\.[a-z0-9]+");

    private static final Map<String, String> TYPES = Map.of(
            "html", "text/html; charset=utf-8",
            "css", "text/css; charset=utf-8",
            "js", "text/javascript; charset=utf-8",
            "svg", "image/svg+xml",
            "png", "image/png",
            "ico", "image/x-icon",
            "woff2", "font/woff2",
            "webmanifest", "application/manifest+json");

    private final Map<String, Optional<byte[]>> files = new ConcurrentHashMap<>();

    void send(Context response, String name) {
        String type = TYPES.get(name.substring(name.lastIndexOf('.') + 1));
        Optional<byte[]> bytes =
                type != null && name.length() < 100 && NAME.matcher(name).matches() ? read(name) : Optional.empty();
        if (type == null || bytes.isEmpty()) {
            throw ApiException.ofStatus(ApiException.NOT_FOUND);
        }
        SecurityHeaders.setContentSecurityPolicy(response, SecurityHeaders.PAGE_POLICY);
        // Revalidated on each load, so that a page never mixes files of two server versions.
        response.header("Cache-Control", "no-cache").contentType(type).result(bytes.get());
    }

    private Optional<byte[]> read(String name) {
        Optional<byte[]> cached = files.get(name);
        if (cached != null) {
            return cached;
        }
        try (InputStream in = StaticFiles.class.getResourceAsStream("web/" + name)) {
            if (in == null) {
                return Optional.empty(); // not cached: the number of wrong names is unlimited
            }
            Optional<byte[]> bytes = Optional.of(in.readAllBytes());
            files.put(name, bytes);
            return bytes;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
