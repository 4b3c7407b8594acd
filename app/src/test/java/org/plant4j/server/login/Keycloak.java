package org.plant4j.server.login;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/** A Keycloak server with the realm {@code clinic}, in its own process. */
public final class Keycloak implements AutoCloseable {

    private static final String ADMIN = "admin";
    private static final long START_NANOSECONDS = TimeUnit.MINUTES.toNanos(5);

    private final HttpClient client = HttpClient.newHttpClient();
    private final Process process;
    private final int port;

    /** Starts the distribution in {@code home}, and returns when it answers. */
    public Keycloak(Path home, Path log) throws IOException, InterruptedException {
        port = freePort();
        Path realm = Files.createDirectories(home.resolve("data/import")).resolve("clinic.json");
        try (InputStream in = Keycloak.class.getResourceAsStream("keycloak-realm.json")) {
            Files.write(realm, Objects.requireNonNull(in).readAllBytes());
        }
        ProcessBuilder start = new ProcessBuilder(List.of(
                        "bash",
                        home.resolve("bin/kc.sh").toString(),
                        "start-dev",
                        "--import-realm",
                        "--db=dev-mem",
                        "--http-host=127.0.0.1",
                        "--http-port=" + port))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        start.environment()
                .putAll(Map.of(
                        "KC_BOOTSTRAP_ADMIN_USERNAME",
                        ADMIN,
                        "KC_BOOTSTRAP_ADMIN_PASSWORD",
                        ADMIN,
                        "JAVA_HOME",
                        System.getProperty("java.home"),
                        "JAVA_OPTS_KC_HEAP",
                        "-Xms64m -Xmx512m"));
        process = start.start();
        awaitStart(log);
    }

    public static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private void awaitStart(Path log) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + START_NANOSECONDS;
        while (!answers()) {
            if (!process.isAlive() || System.nanoTime() > deadline) {
                close();
                throw new AssertionError("Keycloak did not start:\n" + Files.readString(log));
            }
            process.waitFor(1, TimeUnit.SECONDS);
        }
    }

    private boolean answers() throws InterruptedException {
        try {
            return send(HttpRequest.newBuilder(URI.create(issuer() + "/.well-known/openid-configuration")))
                            .statusCode()
                    == 200;
        } catch (IOException e) {
            return false;
        }
    }

    public URI issuer() {
        return URI.create(address() + "/realms/clinic");
    }

    private String address() {
        return "http://127.0.0.1:" + port;
    }

    /** Adds a key that signs from now on. */
    public void rotateKey() throws IOException, InterruptedException {
        String form = "grant_type=password&client_id=admin-cli&username=" + ADMIN + "&password=" + ADMIN;
        String token = send(HttpRequest.newBuilder(
                                URI.create(address() + "/realms/master/protocol/openid-connect/token"))
                        .header("Content-Type", "application/x-www-form-urlencoded")
                        .POST(HttpRequest.BodyPublishers.ofString(form)))
                .body()
                .replaceFirst(".*\"access_token\":\"([^\"]*)\".*", "$1");
        HttpResponse<String> added =
                send(HttpRequest.newBuilder(URI.create(address() + "/admin/realms/clinic/components"))
                        .header("Authorization", "Bearer " + token)
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString("""
                        {"name": "next", "providerId": "rsa-generated", "providerType": "org.keycloak.keys.KeyProvider",
                         "config": {"priority": ["200"], "enabled": ["true"], "active": ["true"], "algorithm": ["RS256"]}}
                        """)));
        if (added.statusCode() != 201) {
            throw new AssertionError(added.statusCode() + " " + added.body());
        }
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }
}
