package org.plant4j.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.plant4j.cli.terminal.Terminal;
import org.plant4j.support.FileTree;
import picocli.CommandLine.Command;

/**
 * {@code plant rehearse}: trains, predicts and serves once on a few demo documents. The launcher calls it after a build and
 * archives the classes that it has loaded, which shortens every later start.
 */
@Command(name = "rehearse", hidden = true, description = "Run the usual commands once, to archive their classes.")
final class RehearseCommand implements Callable<Integer> {

    private static final String NOTE = "Admitted with acute on chronic systolic heart failure. No pneumonia. Gout.";
    private static final Pattern ADDRESS = Pattern.compile("http://\\S+");
    private static final int START_SECONDS = 120;

    private final StringWriter output = new StringWriter();
    private final PrintWriter out = new PrintWriter(output, true);

    @Override
    public Integer call() throws IOException, InterruptedException {
        Path directory = Files.createTempDirectory("plant-rehearsal");
        try {
            return rehearse(directory);
        } finally {
            FileTree.delete(directory);
        }
    }

    private int rehearse(Path directory) throws IOException, InterruptedException {
        String runs = directory.resolve("runs").toString();
        int status = plant(
                "run",
                "laat@demo",
                "--runs",
                runs,
                "--set",
                "corpus.options.sizes=60/20/20",
                "--set",
                "training.epochs=1",
                "--set",
                "evaluation.bootstrap_samples=10");
        String run = directory.resolve("runs").resolve("laat@demo").toString();
        Path note = Files.writeString(directory.resolve("note.txt"), NOTE);
        status = Math.max(status, plant("predict", run, note.toString()));
        status = Math.max(status, plant("explain", run, note.toString()));
        if (status == 0) {
            serve(run, directory);
        }
        return status;
    }

    private int plant(String... arguments) {
        return Main.run(Terminal.NONE, out, out, arguments);
    }

    /** The server stops when this process ends. */
    private void serve(String run, Path directory) throws IOException, InterruptedException {
        output.getBuffer().setLength(0);
        Thread server = new Thread(() -> plant(
                "serve",
                run,
                "--port",
                "0",
                "--reviews",
                directory.resolve("reviews.db").toString()));
        server.setDaemon(true);
        server.start();
        Matcher address = ADDRESS.matcher(output.toString());
        for (int tenths = 0; !address.find() && server.isAlive() && tenths < 10 * START_SECONDS; tenths++) {
            server.join(100);
            address = ADDRESS.matcher(output.toString());
        }
        if (address.reset().find()) {
            String base = address.group();
            request(base, "");
            request(base + "api/code", "{\"text\": \"" + NOTE + "\"}");
            request(base + "api/codes?q=heart", "");
        }
    }

    /** Sends a request, with a body if it is not empty; the status of the response does not matter. */
    private static void request(String url, String body) throws IOException {
        HttpURLConnection connection =
                (HttpURLConnection) URI.create(url).toURL().openConnection();
        if (!body.isEmpty()) {
            connection.setDoOutput(true);
            connection.setRequestProperty("Content-Type", "application/json");
            connection.getOutputStream().write(body.getBytes(StandardCharsets.UTF_8));
        }
        connection.getResponseCode();
        connection.disconnect();
    }
}
