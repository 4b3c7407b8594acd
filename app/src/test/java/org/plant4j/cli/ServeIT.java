package org.plant4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.cli.terminal.ErrorHandler;
import org.plant4j.cli.terminal.Terminal;
import org.plant4j.server.OpenApiContract;

/** Runs {@code plant serve} and {@code plant token} as a user would. */
public class ServeIT {

    @TempDir
    static Path runs;

    private final HttpClient client = HttpClient.newHttpClient();

    /** Exit code and output of a command. */
    private record Outcome(int status, String out, String err) {}

    private static Outcome plant(String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int status = Main.run(Terminal.NONE, new PrintWriter(out), new PrintWriter(err), args);
        return new Outcome(status, out.toString(), err.toString());
    }

    @BeforeAll
    static void train() {
        ServeProcess.train(runs);
    }

    private int status(HttpRequest.Builder request) throws IOException, InterruptedException {
        HttpResponse<String> response = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        OpenApiContract.CURRENT.check(response);
        return response.statusCode();
    }

    @Test
    void servesUntilASignalAndStopsCleanly() throws IOException, InterruptedException {
        try (ServeProcess server = ServeProcess.start(runs)) {
            URI address = server.address();
            HttpRequest.Builder coding = HttpRequest.newBuilder(address.resolve("/api/code"))
                    .header("Content-Type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofString("{\"text\": \"secret-word in a note\"}"));
            assertThat(status(HttpRequest.newBuilder(address.resolve("/api/health"))))
                    .isEqualTo(200);
            assertThat(status(coding)).isEqualTo(200);
            server.process().destroy();
            assertThat(server.process().waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(server.process().exitValue()).isEqualTo(128 + 15);
            assertThat(Files.readString(server.errors()))
                    .contains("Finishing accepted requests")
                    .doesNotContain("secret-word");
        }
    }

    @Test
    void messagesOfHl7AreAudited() throws IOException {
        Path directory = Files.createDirectories(runs.resolve("messages"));
        try (ServeProcess server = ServeProcess.start(
                runs, "--hl7", "0", "--reviews", directory.resolve("reviews.db").toString())) {
            server.address();
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.hl7Port())) {
                String message = "\u000BMSH|^~\\&|||||||MDM^T02|M1|P|2.5\rPID|1" + "|".repeat(17)
                        + "A99\rTXA|1|DS\rOBX|1|TX|||secret-word\r\u001C\r";
                socket.getOutputStream().write(message.getBytes(StandardCharsets.US_ASCII));
                socket.shutdownOutput();
                assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
                        .contains("MSA|AA|M1");
            }
            assertThat(Files.readString(directory.resolve("audit.jsonl")))
                    .contains("\"user\":\"hl7\",\"address\":\"127.0.0.1\",\"action\":\"HL7 MDM^T02 AA\","
                            + "\"status\":200,\"document\":\"A99\"")
                    .doesNotContain("secret-word");
        }
    }

    @Test
    void aServerForOtherMachinesNeedsAToken() throws IOException, InterruptedException {
        try (ServeProcess server = ServeProcess.start(
                runs, "--host", "0.0.0.0", "--reviews", runs.resolve("none.db").toString())) {
            assertThat(server.process().waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(server.process().exitValue()).isEqualTo(ErrorHandler.EXIT_USER_ERROR);
            assertThat(Files.readString(server.errors())).contains("plant token create");
        }
    }

    @Test
    void tokensAreCreatedListedAndRevoked() {
        String database = runs.resolve("tokens.db").toString();
        Outcome made = plant("token", "create", "maria", "--role", "admin", "--reviews", database);
        assertThat(made.status()).as(made.err()).isZero();
        assertThat(made.out().strip()).matches("plant_[A-Za-z0-9_-]{43}");
        assertThat(plant("token", "create", "maria", "--reviews", database).status())
                .isEqualTo(ErrorHandler.EXIT_USER_ERROR);
        Outcome listed = plant("token", "list", "--reviews", database);
        assertThat(listed.out())
                .contains("maria", "admin")
                .doesNotContain(made.out().strip());
        assertThat(plant("token", "revoke", "mria", "--reviews", database).err())
                .contains("maria");
        assertThat(plant("token", "revoke", "maria", "--reviews", database).status())
                .isZero();
        assertThat(plant("token", "list", "--json", "--reviews", database).out())
                .contains("\"revoked\" : \"2");
    }

    @Test
    void changesOfTokensAreAudited() throws IOException {
        Path directory = Files.createDirectories(runs.resolve("audited"));
        String database = directory.resolve("reviews.db").toString();
        String secret =
                plant("token", "create", "maria", "--reviews", database).out().strip();
        plant("token", "rotate", "maria", "--reviews", database);
        plant("token", "revoke", "maria", "--reviews", database);
        assertThat(Files.readString(directory.resolve("audit.jsonl")))
                .contains("\"token create maria\"", "\"token rotate maria\"", "\"token revoke maria\"")
                .contains("\"user\":\"" + System.getProperty("user.name") + "\",\"address\":\"local\"")
                .doesNotContain(secret);
    }

    @Test
    void singleSignOnNeedsAClientAndThePublicAddress() {
        String run = runs.resolve("linear@demo").toString();
        String issuer = "https://login.example.org";
        assertThat(plant("serve", run, "--oidc-issuer", issuer).err()).contains("--oidc-client-id");
        assertThat(plant("serve", run, "--oidc-client-id", "plant4j").err()).contains("--oidc-issuer");
        assertThat(plant("serve", run, "--oidc-issuer", issuer, "--oidc-client-id", "plant4j")
                        .err())
                .contains("--public-url");
        assertThat(plant(
                                "serve",
                                run,
                                "--oidc-issuer",
                                "http://login.example.org",
                                "--oidc-client-id",
                                "plant4j",
                                "--public-url",
                                "https://coding.example.org")
                        .err())
                .contains("Not an https URL");
    }

    @Test
    void invalidServeOptionsAreReported() {
        String run = runs.resolve("linear@demo").toString();
        assertThat(plant("serve", run, "--queue-size", "0").err()).contains("--queue-size", "use 1 or more");
        assertThat(plant("serve", run, "--host", "no.such.host.invalid").err()).contains("Unknown host");
        assertThat(plant("serve", runs.resolve("nothing").toString()).status()).isEqualTo(ErrorHandler.EXIT_USER_ERROR);
    }
}
