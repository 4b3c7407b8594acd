package org.plant4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.encounter.SourceDocument;
import org.plant4j.review.database.Database;
import org.plant4j.review.worklist.SecondReviewRules;
import org.plant4j.review.worklist.Worklist;

/**
 * Kills {@code plant serve} with SIGKILL while documents arrive through the watched folder, HL7 and FHIR. After the next
 * start, every file that was taken and every document that was acknowledged is on the worklist exactly once. Senders repeat
 * what was not acknowledged.
 */
class KilledIntakeIT {

    private static final int KILLS = 6;
    private static final long SEED = 18;

    @TempDir
    Path runs;

    private final Set<String> sent = new ConcurrentSkipListSet<>();
    private final Set<String> acknowledged = new ConcurrentSkipListSet<>();
    private volatile boolean sending;

    /** Delivers the document of an encounter; returns whether it was acknowledged. */
    @FunctionalInterface
    private interface Sender {
        boolean send(String encounter) throws IOException, InterruptedException;
    }

    private static String text(String encounter) {
        return "Heart failure, document of " + encounter + ".";
    }

    /** Files become visible whole, as senders should do it; the server takes them after its second look at the folder. */
    private boolean drop(String encounter) throws IOException {
        Path draft = Files.writeString(inbox().resolve(encounter + ".part"), text(encounter));
        Files.move(draft, inbox().resolve(encounter + ".txt"));
        return false;
    }

    private Path inbox() {
        return runs.resolve("inbox");
    }

    private static boolean sendHl7(int port, String encounter) throws IOException {
        String message = "\u000BMSH|^~\\&|HIS||||||MDM^T02|" + encounter + "|P|2.5\rPID|1" + "|".repeat(17) + encounter
                + "\rTXA|1|DS\rOBX|1|TX|||" + text(encounter) + "\r\u001C\r";
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(60_000);
            socket.getOutputStream().write(message.getBytes(StandardCharsets.US_ASCII));
            socket.shutdownOutput();
            InputStream in = socket.getInputStream();
            return new String(in.readAllBytes(), StandardCharsets.US_ASCII).contains("MSA|AA|" + encounter);
        }
    }

    private static boolean sendFhir(HttpClient client, URI server, String encounter)
            throws IOException, InterruptedException {
        String data = Base64.getEncoder().encodeToString(text(encounter).getBytes(StandardCharsets.UTF_8));
        String resource = """
                {"resourceType": "DocumentReference", "id": "%1$s", "status": "current",
                 "context": {"encounter": [{"identifier": {"value": "%1$s"}}]},
                 "content": [{"attachment": {"contentType": "text/plain", "data": "%2$s"}}]}
                """.formatted(encounter, data);
        HttpRequest request = HttpRequest.newBuilder(server.resolve("/fhir/$add-to-worklist"))
                .header("Content-Type", "application/fhir+json")
                .POST(HttpRequest.BodyPublishers.ofString(resource))
                .build();
        return client.send(request, HttpResponse.BodyHandlers.ofString()).statusCode() == 200;
    }

    /** Sends the encounters of a kind: first those that were not acknowledged before, then new ones until the server is gone. */
    private Thread sender(String kind, int round, Sender sender) {
        Thread thread = new Thread(() -> {
            try {
                Set<String> repeated = sent.stream()
                        .filter(each -> each.startsWith(kind) && !kind.equals("file") && !acknowledged.contains(each))
                        .collect(Collectors.toCollection(TreeSet::new));
                for (String encounter : repeated) {
                    if (sender.send(encounter)) {
                        acknowledged.add(encounter);
                    }
                }
                for (int i = 0; sending; i++) {
                    String encounter = kind + "-" + round + "-" + i;
                    sent.add(encounter);
                    if (sender.send(encounter)) {
                        acknowledged.add(encounter);
                    }
                    Thread.sleep(kind.equals("file") ? 20 : 1);
                }
            } catch (IOException e) {
                // the server was killed
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        thread.start();
        return thread;
    }

    private ServeProcess serve() throws IOException {
        return ServeProcess.start(
                runs,
                "--inbox",
                inbox().toString(),
                "--hl7",
                "0",
                "--reviews",
                runs.resolve("reviews.db").toString());
    }

    private List<Thread> startSenders(ServeProcess server, int round) throws IOException {
        URI address = server.address();
        int port = server.hl7Port();
        HttpClient client = HttpClient.newHttpClient();
        return List.of(
                sender("file", round, this::drop),
                sender("hl7", round, encounter -> sendHl7(port, encounter)),
                sender("fhir", round, encounter -> sendFhir(client, address, encounter)));
    }

    private List<String> files(String folder) throws IOException {
        Path directory = inbox().resolve(folder);
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(Files::isRegularFile)
                    .map(file -> file.getFileName().toString())
                    .sorted()
                    .toList();
        }
    }

    @Test
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    void everyDocumentThatWasTakenOrAcknowledgedIsOnTheWorklistOnce() throws Exception {
        Random random = new Random(SEED);
        ServeProcess.train(runs);
        Files.createDirectories(inbox());
        for (int round = 0; round < KILLS; round++) {
            try (ServeProcess server = serve()) {
                sending = true;
                List<Thread> senders = startSenders(server, round);
                int taken = files("done").size();
                while (files("done").size() == taken) { // the server works on the folder
                    Thread.sleep(10);
                }
                Thread.sleep(random.nextInt(1500));
                server.kill();
                sending = false;
                for (Thread thread : senders) {
                    thread.join();
                }
            }
        }
        try (ServeProcess server = serve()) { // repeats what was not acknowledged, and takes what is left in the folder
            sending = false;
            for (Thread thread : startSenders(server, KILLS)) {
                thread.join();
            }
            while (!files("").isEmpty()) {
                Thread.sleep(50);
            }
        }
        assertThat(acknowledged)
                .containsExactlyInAnyOrderElementsOf(
                        sent.stream().filter(each -> !each.startsWith("file")).toList());
        assertThat(files("failed")).isEmpty();
        assertThat(files("done"))
                .containsExactlyElementsOf(sent.stream()
                        .filter(each -> each.startsWith("file"))
                        .map(each -> each + ".txt")
                        .sorted()
                        .toList());
        assertWorklistHasEachDocumentOnce();
    }

    private void assertWorklistHasEachDocumentOnce() {
        try (Database database = Database.open(Database.SQLITE + runs.resolve("reviews.db"))) {
            Worklist worklist = new Worklist(database, true, SecondReviewRules.NONE, 20_000, Clock.systemUTC());
            for (String encounter : sent) {
                String id = encounter.startsWith("fhir") ? "|" + encounter : encounter;
                assertThat(worklist.documents(id))
                        .as(encounter)
                        .extracting(SourceDocument::text)
                        .containsExactly(text(encounter));
            }
            int stored = worklist.count(Optional.empty()).values().stream()
                    .mapToInt(Integer::intValue)
                    .sum();
            System.out.println(KILLS + " kills: " + sent.size() + " documents sent, " + stored + " on the worklist");
            assertThat(stored).isEqualTo(sent.size());
        }
    }
}
