package org.plant4j.review;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** A process that writes reviews from four threads until it is killed or fails, and prints each acknowledged id. */
final class ReviewWriter {

    private static final int THREADS = 4;

    private ReviewWriter() {}

    /** Starts the process; {@code shell}: a command to run before it in the same shell, such as one that sets a limit. */
    static Process start(String url, String shell) throws IOException {
        List<String> java = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                ReviewWriter.class.getName(),
                url);
        List<String> command = new ArrayList<>(List.of("sh", "-c", shell + "; exec \"$@\"", "sh"));
        command.addAll(java);
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    public static void main(String[] args) {
        ReviewStore store = ReviewStore.open(args[0], true);
        for (int i = 0; i < THREADS; i++) {
            new Thread(() -> write(store)).start();
        }
    }

    private static void write(ReviewStore store) {
        while (true) {
            String key = UUID.randomUUID().toString();
            ReviewReceipt receipt = store.add(ReviewStoreContract.review(key, "text ".repeat(400)), "ana", key);
            byte[] line = (receipt.id() + "\n").getBytes(StandardCharsets.US_ASCII);
            System.out.write(line, 0, line.length); // in one call, so that lines of different threads do not mix
            System.out.flush();
        }
    }
}
