package org.plant4j.cli.serve;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.plant4j.Coder;
import org.plant4j.cli.option.CommonOptions;
import org.plant4j.cli.option.DeviceOptions;
import org.plant4j.cli.option.OptionCheck;
import org.plant4j.cli.option.RunArgument;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.review.ReviewStore;
import org.plant4j.review.access.AccessTokenStore;
import org.plant4j.review.access.UserStore;
import org.plant4j.review.database.Database;
import org.plant4j.review.worklist.Worklist;
import org.plant4j.server.CodingServer;
import org.plant4j.server.ServerSettings;
import org.plant4j.server.login.OidcLogin;
import org.plant4j.server.login.OidcSettings;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code plant serve}: starts the coding server. */
@Command(
        name = "serve",
        description = "Start the web server: coding page, JSON and FHIR API.",
        footer = {
            "",
            "Examples:",
            "  plant serve codiesp-d",
            "  plant serve runs/laat@demo",
            "  plant serve runs/laat@demo --host 0.0.0.0 --port 443 --no-keep-text",
            "  plant serve runs/laat@demo --inbox /var/spool/notes --second-review 10,out-of-domain",
            "  plant serve runs/laat@demo --reviews jdbc:postgresql://db/reviews?user=plant"
        })
public final class ServeCommand implements Callable<Integer> {

    private static final int MAX_PORT = 65_535;

    /** Requests per second per user if other machines can connect. */
    private static final int DEFAULT_RATE = 50;

    private static final int BODY_SECONDS = 20;

    @Mixin
    private final CommonOptions common = new CommonOptions();

    @Mixin
    private final DeviceOptions device = new DeviceOptions();

    @Mixin
    private final ReviewsOption reviewsOption = new ReviewsOption();

    @Mixin
    private final AuditOption auditOption = new AuditOption();

    @Mixin
    private final OidcOptions oidc = new OidcOptions();

    @Mixin
    private final WorklistOptions worklistOptions = new WorklistOptions();

    @Mixin
    private final Hl7Options hl7 = new Hl7Options();

    @Parameters(
            paramLabel = "RUN",
            description = "Run directory, such as runs/laat@demo, or pretrained model, such as codiesp-d.")
    private Path run;

    @Option(
            names = "--host",
            paramLabel = "HOST",
            defaultValue = "127.0.0.1",
            description = "Address to listen on (default: ${DEFAULT-VALUE}, reachable from this machine only).")
    private String host = "127.0.0.1";

    @Option(
            names = "--port",
            paramLabel = "PORT",
            defaultValue = "8080",
            description = "Port; 0 chooses a free one (default: ${DEFAULT-VALUE}).")
    private int port;

    @Option(
            names = "--keep-text",
            negatable = true,
            defaultValue = "true",
            fallbackValue = "true",
            description = "Store the texts of reviewed documents (default), or never with --no-keep-text.")
    private boolean keepText;

    @Option(
            names = "--max-length",
            paramLabel = "N",
            defaultValue = "200000",
            description = "Maximum length of a document in characters (default: ${DEFAULT-VALUE}).")
    private int maxText;

    @Option(
            names = "--queue-size",
            paramLabel = "N",
            defaultValue = "256",
            description = "Maximum number of waiting documents; more are rejected (default: ${DEFAULT-VALUE}).")
    private int queue;

    @Option(
            names = "--batch-size",
            paramLabel = "N",
            defaultValue = "16",
            description = "Maximum number of documents per forward pass (default: ${DEFAULT-VALUE}).")
    private int batch;

    @Option(
            names = "--rate-limit",
            paramLabel = "N",
            description =
                    "Maximum requests per second per user; 0 means no limit (default: 50, or 0 if only this machine can connect).")
    private Optional<Integer> rate = Optional.empty();

    @Option(
            names = "--public-url",
            paramLabel = "URL",
            description = "URL under which a proxy publishes the server, such as https://coding.example.org.")
    private Optional<URI> publicUrl = Optional.empty();

    @Option(
            names = "--proxy",
            paramLabel = "ADDRESS",
            description = "Address of a proxy whose X-Forwarded-For is believed; may be repeated.")
    private Set<String> proxies = Set.of();

    @Option(
            names = "--cds-origin",
            paramLabel = "URL",
            description = "Origin whose pages may call CDS Hooks, such as https://ehr.example.org; may be repeated.")
    private Set<String> cdsOrigins = Set.of();

    @Option(
            names = "--tabular-list",
            paramLabel = "FILE",
            description = "Tabular list of ICD-10-CM (XML of CDC) for code edits; repeat it for several editions.")
    private List<Path> tabularLists = List.of();

    @Override
    public Integer call() throws InterruptedException {
        OptionCheck.between(0, MAX_PORT, "--port", port);
        RunDirectory directory = RunArgument.locate(run);
        Path runs = RunArgument.directoryOf(directory);
        String url = reviewsOption.url(runs);
        ServerSettings settings = settings(auditOption.file(reviewsOption, runs));
        Optional<OidcSettings> provider = oidc.settings(publicUrl);
        try (LoadingCoder coder = LoadingCoder.start(() -> warm(device.load(directory)));
                Database database = Database.open(url);
                AccessTokenStore tokens = AccessTokenStore.of(database);
                ReviewStore reviews = ReviewStore.of(database, keepText);
                UserStore users = UserStore.of(database)) {
            Worklist worklist = worklistOptions.open(database, keepText, maxText);
            Optional<OidcLogin> login = provider.map(each -> login(each, users));
            serve(() -> new CodingServer(settings, directory, coder, reviews, tokens, worklist, login), worklist);
        }
        return CommandLine.ExitCode.OK;
    }

    /** Serves until the process is asked to stop. */
    private void serve(Supplier<CodingServer> start, Worklist worklist) throws InterruptedException {
        CountDownLatch stopRequested = new CountDownLatch(1);
        CountDownLatch stopped = new CountDownLatch(1);
        try (CodingServer server = start.get();
                WorklistOptions.Watch unused = worklistOptions.watch(worklist, maxText);
                Hl7Options.Listening unusedToo = hl7.listen(worklist, server.auditLog(), maxText, common::info)) {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(stopRequested, stopped), "shutdown"));
            common.out().println("Listening on " + server.address());
            common.out().flush();
            common.info(common.faint("Press Ctrl-C to stop; accepted requests are finished first."));
            stopRequested.await();
            common.info("Finishing accepted requests …");
        } finally {
            stopped.countDown();
        }
    }

    private OidcLogin login(OidcSettings provider, UserStore users) {
        return new OidcLogin(provider, publicUrl.orElseThrow(), proxies, users, System::nanoTime);
    }

    /** Codes a first text, so that the first user does not wait for libraries that load on first use. */
    private static Coder warm(Coder coder) {
        coder.code("Warm up.");
        return coder;
    }

    private ServerSettings settings(Path audit) {
        boolean local = ServerSettings.isLoopback(host) && proxies.isEmpty() && publicUrl.isEmpty();
        int requests = rate.orElse(local ? 0 : DEFAULT_RATE);
        return new ServerSettings(
                host,
                port,
                keepText,
                new ServerSettings.Limits(maxText, queue, batch, requests, BODY_SECONDS),
                new ServerSettings.Proxies(proxies, publicUrl, cdsOrigins),
                Optional.of(audit),
                tabularLists);
    }

    /** Keeps the JVM alive until the server is closed. */
    private static void stop(CountDownLatch stopRequested, CountDownLatch stopped) {
        stopRequested.countDown();
        try {
            stopped.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
