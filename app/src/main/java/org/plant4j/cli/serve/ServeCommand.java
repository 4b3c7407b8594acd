package org.plant4j.cli.serve;

import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import org.plant4j.Coder;
import org.plant4j.cli.option.CommonOptions;
import org.plant4j.cli.option.DeviceOptions;
import org.plant4j.cli.option.RunArgument;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.review.AccessTokenStore;
import org.plant4j.review.ReviewStore;
import org.plant4j.server.CodingServer;
import org.plant4j.server.ServerSettings;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code plant serve}: the coding desk. */
@Command(
        name = "serve",
        description = "Open the coding desk: a page for coders, and a JSON and FHIR API.",
        footer = {
            "",
            "Examples:",
            "  plant serve runs/demo-laat",
            "  plant serve runs/demo-laat --host 0.0.0.0 --port 443 --no-keep-text",
            "  plant serve runs/demo-laat --reviews jdbc:postgresql://db/reviews?user=plant"
        })
public final class ServeCommand implements Callable<Integer> {

    /** Requests a second for each user, beyond this machine. */
    private static final int RATE = 50;

    private static final int BODY_SECONDS = 20;

    @Mixin
    private final CommonOptions common = new CommonOptions();

    @Mixin
    private final DeviceOptions device = new DeviceOptions();

    @Mixin
    private final ReviewsOption reviewsOption = new ReviewsOption();

    @Parameters(paramLabel = "RUN", description = "The folder of a run, such as runs/demo-laat.")
    private Path run;

    @Option(
            names = "--host",
            paramLabel = "HOST",
            defaultValue = "127.0.0.1",
            description = "Address to listen on (default: ${DEFAULT-VALUE}, this machine only).")
    private String host = "127.0.0.1";

    @Option(
            names = "--port",
            paramLabel = "PORT",
            defaultValue = "8080",
            description = "Port (default: ${DEFAULT-VALUE}; 0 takes a free one).")
    private int port;

    @Option(
            names = "--keep-text",
            negatable = true,
            defaultValue = "true",
            fallbackValue = "true",
            description = "Keep the texts of reviewed notes (default), or with --no-keep-text never write one.")
    private boolean keepText;

    @Option(
            names = "--max-text",
            paramLabel = "N",
            defaultValue = "200000",
            description = "Characters of a document (default: ${DEFAULT-VALUE}).")
    private int maxText;

    @Option(
            names = "--queue",
            paramLabel = "N",
            defaultValue = "256",
            description = "Documents that may wait; more are turned away (default: ${DEFAULT-VALUE}).")
    private int queue;

    @Option(
            names = "--batch",
            paramLabel = "N",
            defaultValue = "32",
            description = "Documents coded at once (default: ${DEFAULT-VALUE}).")
    private int batch;

    @Option(
            names = "--rate",
            paramLabel = "N",
            description = "Requests a second for each user, 0 without limit (default: 50; on this machine 0).")
    private Optional<Integer> rate = Optional.empty();

    @Override
    public Integer call() throws InterruptedException {
        RunDirectory folder = RunArgument.open(run);
        Path runs = Optional.ofNullable(run.toAbsolutePath().normalize().getParent())
                .orElse(run.toAbsolutePath());
        String url = reviewsOption.url(runs);
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(1);
        CompletableFuture<Coder> loading = CompletableFuture.supplyAsync(() -> warm(device.load(folder)));
        try (AccessTokenStore tokens = AccessTokenStore.open(url);
                ReviewStore reviews = ReviewStore.open(url, keepText);
                Coder coder = loaded(loading);
                CodingServer desk = new CodingServer(settings(), folder, coder, reviews, tokens)) {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> end(asked, ended), "shutdown"));
            common.out().println("The desk is open: " + desk.address());
            common.out().flush();
            common.info(common.faint("Ctrl-C ends it; what was accepted is finished first."));
            asked.await();
            common.info("Finishing what was accepted …");
        } finally {
            ended.countDown();
        }
        return CommandLine.ExitCode.OK;
    }

    /** What engine and Java load at the first use is loaded here, so that the first coder does not wait for it. */
    private static Coder warm(Coder coder) {
        coder.code("Warm up.");
        return coder;
    }

    /** The model, which was read while the database was opened. */
    private static Coder loaded(CompletableFuture<Coder> loading) {
        try {
            return loading.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException fault ? fault : e;
        }
    }

    private ServerSettings settings() {
        int requests = rate.orElse(ServerSettings.isLoopback(host) ? 0 : RATE);
        return new ServerSettings(
                host, port, keepText, new ServerSettings.Limits(maxText, queue, batch, requests, BODY_SECONDS));
    }

    /** Java ends when its hooks have: this one waits until the desk is closed. */
    private static void end(CountDownLatch asked, CountDownLatch ended) {
        asked.countDown();
        try {
            ended.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
