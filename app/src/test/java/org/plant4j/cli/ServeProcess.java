package org.plant4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.plant4j.cli.terminal.Terminal;

/** {@code plant serve} as a process of its own, with a linear model of a few demo notes. */
record ServeProcess(Process process, BufferedReader out, Path errors) implements AutoCloseable {

    private static final Pattern HL7 = Pattern.compile("HL7 messages on 127.0.0.1:([0-9]+)");

    /** Trains the model in a directory of runs. */
    static void train(Path runs) {
        StringWriter err = new StringWriter();
        int status = Main.run(
                Terminal.NONE,
                new PrintWriter(new StringWriter()),
                new PrintWriter(err),
                "run",
                "linear@demo",
                "--runs",
                runs.toString(),
                "--set",
                "corpus.options.sizes=60/20/20",
                "--quiet");
        assertThat(status).as(err.toString()).isZero();
    }

    /** Starts the server on a free port; its errors go to {@code serve.err} in the directory of runs. */
    static ServeProcess start(Path runs, String... options) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "serve",
                runs.resolve("linear@demo").toString(),
                "--port",
                "0"));
        command.addAll(List.of(options));
        Path errors = runs.resolve("serve.err");
        Process process =
                new ProcessBuilder(command).redirectError(errors.toFile()).start();
        return new ServeProcess(process, process.inputReader(StandardCharsets.UTF_8), errors);
    }

    /** Waits until the server listens and returns its address. */
    URI address() throws IOException {
        String line = String.valueOf(out.readLine());
        assertThat(line).as(Files.readString(errors)).startsWith("Listening on http://127.0.0.1:");
        return URI.create(line.substring(line.indexOf("http")));
    }

    /** The port for HL7 messages of a server that listens. */
    int hl7Port() throws IOException {
        Matcher port = HL7.matcher(Files.readString(errors));
        assertThat(port.find()).isTrue();
        return Integer.parseInt(port.group(1));
    }

    /** Ends the process with SIGKILL. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    @Override
    public void close() throws IOException {
        process.destroyForcibly();
        out.close();
    }
}
