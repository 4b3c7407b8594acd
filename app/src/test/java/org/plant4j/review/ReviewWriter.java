package org.plant4j.review;

import java.nio.charset.StandardCharsets;
import java.util.UUID;

/** A process that writes reviews from four threads until it is killed, and prints each acknowledged id. */
final class ReviewWriter {

    private static final int THREADS = 4;

    private ReviewWriter() {}

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
