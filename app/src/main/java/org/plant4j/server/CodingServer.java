package org.plant4j.server;

import io.javalin.Javalin;
import io.javalin.http.Context;
import java.net.URI;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.plant4j.Coder;
import org.plant4j.UserError;
import org.plant4j.corpus.codeset.CodeSet;
import org.plant4j.corpus.codeset.TabularEntry;
import org.plant4j.corpus.codeset.TabularList;
import org.plant4j.edit.CodeEdits;
import org.plant4j.edit.CodeRules;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.experiment.RunManifest;
import org.plant4j.fhir.FhirLimits;
import org.plant4j.fhir.FhirService;
import org.plant4j.review.ReviewStore;
import org.plant4j.review.access.AccessTokenStore;
import org.plant4j.review.worklist.Worklist;
import org.plant4j.server.access.AccessControl;
import org.plant4j.server.access.AuditLog;
import org.plant4j.server.access.OriginGuard;
import org.plant4j.server.api.AccountApi;
import org.plant4j.server.api.BatchApi;
import org.plant4j.server.api.CodingApi;
import org.plant4j.server.api.DocumentReader;
import org.plant4j.server.api.EditApi;
import org.plant4j.server.api.EncounterCoding;
import org.plant4j.server.api.ExplanationApi;
import org.plant4j.server.api.FhirApi;
import org.plant4j.server.api.FhirReviewApi;
import org.plant4j.server.api.ModelApi;
import org.plant4j.server.api.ReadableReviews;
import org.plant4j.server.api.ReviewApi;
import org.plant4j.server.api.ReviewExport;
import org.plant4j.server.api.ReviewJson;
import org.plant4j.server.api.ShownCodes;
import org.plant4j.server.api.StatisticsApi;
import org.plant4j.server.cds.CdsHooksApi;
import org.plant4j.server.coding.CodedResults;
import org.plant4j.server.coding.CodingQueue;
import org.plant4j.server.coding.DelayedRejection;
import org.plant4j.server.coding.EncounterCoder;
import org.plant4j.server.coding.Health;
import org.plant4j.server.coding.ModelInfo;
import org.plant4j.server.coding.ServerMetrics;
import org.plant4j.server.http.RequestBodies;
import org.plant4j.server.http.Route;
import org.plant4j.server.login.LoginApi;
import org.plant4j.server.login.OidcLogin;
import org.plant4j.server.page.Pages;
import org.plant4j.server.page.SampleNotes;
import org.plant4j.server.search.CodeCatalog;
import org.plant4j.server.search.RankedTokens;
import org.plant4j.server.worklist.EncounterJson;
import org.plant4j.server.worklist.SecondReviewApi;
import org.plant4j.server.worklist.WorklistApi;
import org.plant4j.text.LabelIndex;
import org.plant4j.text.Vocabulary;

/** The coding server: web pages, JSON API and FHIR API for one trained model. Listens from construction until closed. */
public final class CodingServer implements AutoCloseable {

    /** Characters per batch; larger batches only add padding. */
    private static final int BATCH_CHARACTERS = 200_000;

    /** Batches at the same time; each takes memory for its hidden states. */
    private static final int MAX_BATCHES = 4;

    /** Bytes of a character that is escaped in JSON. */
    private static final int MAX_BYTES_PER_CHARACTER = 6;

    /** Bytes of a request besides the document's text. */
    private static final int BODY_OVERHEAD_BYTES = 1 << 20;

    private final ServerSettings settings;
    private final ServerMetrics metrics = new ServerMetrics();
    private final Optional<OidcLogin> login;
    private final Optional<AuditLog> audit;
    private final CodedResults results = new CodedResults();
    private final RequestPipeline pipeline;
    private final CodingQueue queue;
    private final List<Route> routes;
    private final CompletableFuture<ModelInfo> model = new CompletableFuture<>();
    private final Javalin javalin;

    /**
     * Starts listening, and returns once {@code coder} has returned the model; earlier requests wait for it. The caller
     * closes the stores and the coder.
     */
    public CodingServer(
            ServerSettings settings,
            RunDirectory run,
            Supplier<Coder> coder,
            ReviewStore reviews,
            AccessTokenStore tokens,
            Worklist worklist) {
        this(settings, run, coder, reviews, tokens, worklist, Optional.empty());
    }

    /** Starts listening, with the sign-in at a provider, if there is one. */
    public CodingServer(
            ServerSettings settings,
            RunDirectory run,
            Supplier<Coder> coder,
            ReviewStore reviews,
            AccessTokenStore tokens,
            Worklist worklist,
            Optional<OidcLogin> login) {
        this.settings = settings;
        this.login = login;
        ServerSettings.Limits limits = settings.limits();
        boolean loopback = settings.isLoopback();
        audit = settings.auditLog().map(file -> new AuditLog(file, Clock.systemUTC()));
        if (login.isEmpty()) {
            requireToken(settings, tokens, loopback);
        }
        pipeline = new RequestPipeline(
                new OriginGuard(
                        loopback,
                        settings.proxies().publicUrl().map(URI::getAuthority),
                        settings.proxies().cdsOrigins()),
                new AccessControl(tokens, settings.isLocal(), limits.rateLimit(), Clock.systemUTC(), System::nanoTime),
                login,
                settings.proxies().addresses(),
                audit,
                metrics);
        RunManifest manifest = run.readManifest();
        EncounterCoder encounterCoder = new EncounterCoder(coder, manifest.name(), manifest.version(), results);
        queue = new CodingQueue(
                encounterCoder::code,
                new CodingQueue.Limits(limits.queueSize(), limits.batchSize(), BATCH_CHARACTERS, batches()),
                metrics);
        metrics.registerQueueGauges(queue::queuedDocuments, queue::queuedExplanations);
        routes = routes(run, coder, reviews, worklist, manifest, encounterCoder);
        javalin = Javalin.create(config -> {
            JettyConfig.configure(config, settings);
            pipeline.configure(config, routes);
        });
        try {
            javalin.start();
            model.complete(ModelInfo.read(run, coder.get(), settings.keepText()));
        } catch (RuntimeException e) {
            model.completeExceptionally(e);
            close();
            throw JettyConfig.startFailure(settings, e);
        }
    }

    /** One per core: two batches with one thread each are done sooner than one after the other with two. */
    private static int batches() {
        return Math.min(MAX_BATCHES, Runtime.getRuntime().availableProcessors());
    }

    private static void requireToken(ServerSettings settings, AccessTokenStore tokens, boolean loopback) {
        if (!loopback && tokens.list().stream().noneMatch(token -> token.isValid(Instant.now()))) {
            throw new UserError(
                    "A public address requires an access token, and none exists",
                    "--host " + settings.host(),
                    "create one first: plant token create NAME --role admin, or let users sign in with --oidc-issuer");
        }
    }

    private List<Route> routes(
            RunDirectory run,
            Supplier<Coder> coder,
            ReviewStore reviews,
            Worklist worklist,
            RunManifest manifest,
            EncounterCoder encounterCoder) {
        ServerSettings.Limits limits = settings.limits();
        long maxBytes = (long) MAX_BYTES_PER_CHARACTER * limits.maxLength() + BODY_OVERHEAD_BYTES;
        RequestBodies bodies = new RequestBodies(maxBytes, limits.bodyTimeoutSeconds());
        DocumentReader reader = new DocumentReader(limits.maxLength());
        List<TabularList> editions =
                settings.tabularLists().stream().map(TabularList::read).toList();
        CodeSet codeSet = CodeSet.read(run.codeSet());
        LabelIndex labels = LabelIndex.read(run.labels());
        CodeCatalog codes = new CodeCatalog(
                codeSet,
                labels,
                RankedTokens.read(run, labels, Vocabulary.read(run.vocabulary())),
                code -> inclusionTerms(editions, code));
        List<Route> all = new ArrayList<>();
        all.addAll(new CodingApi(queue, bodies, reader).routes());
        all.addAll(new BatchApi(queue, bodies, reader, manifest.name(), manifest.version()).routes());
        FhirLimits fhirLimits = FhirLimits.ofRequest(maxBytes); // as if each character were sent
        FhirService fhir = new FhirService(fhirLimits);
        EncounterCoding coding = new EncounterCoding(queue, reader);
        all.addAll(new FhirApi(queue, bodies, coding, fhir, this::baseUrl).routes());
        all.addAll(new CdsHooksApi(fhir, coding, bodies, metrics, manifest.name(), this::baseUrl)
                .routes(handler -> new DelayedRejection(() -> queue.requireCapacity(1), handler)));
        all.addAll(new ExplanationApi(queue, bodies, reader, codes, encounterCoder::explain).routes());
        all.addAll(
                new ModelApi(run, model::join, codes, () -> SampleNotes.forModel(coder.get()::checkDomain)).routes());
        EditApi edits = new EditApi(new CodeEdits(new CodeRules(codeSet, editions)), bodies);
        ReviewExport export = new ReviewExport(run, reviews, worklist, codes, settings.keepText());
        ShownCodes shown = new ShownCodes(manifest.version(), results, queue);
        ReadableReviews readable = new ReadableReviews(reviews, worklist);
        all.addAll(new ReviewApi(
                        reviews,
                        readable,
                        worklist,
                        bodies,
                        new ReviewJson(reader, codes),
                        shown,
                        edits,
                        export,
                        metrics)
                .routes());
        all.addAll(new FhirReviewApi(readable, fhir, codes, this::baseUrl).routes());
        all.addAll(edits.routes());
        all.addAll(new StatisticsApi(reviews, codes).routes());
        all.addAll(new WorklistApi(worklist, reviews, bodies, new EncounterJson(reader), fhirLimits).routes());
        all.addAll(new SecondReviewApi(worklist, reviews, bodies, codes, edits).routes());
        all.addAll(new AccountApi().routes());
        all.addAll(new LoginApi(login).routes());
        all.addAll(new Pages(metrics, new Health(this::stage, this::isAudited, reviews::findFailure)).routes());
        return List.copyOf(all);
    }

    /** The open audit log, for what arrives on other ways than HTTP; its state is part of the health of this server. */
    public Optional<AuditLog> auditLog() {
        return audit;
    }

    private Health.Stage stage() {
        return pipeline.isStopping()
                ? Health.Stage.STOPPING
                : model.isDone() ? Health.Stage.READY : Health.Stage.STARTING;
    }

    private boolean isAudited() {
        return audit.map(AuditLog::isComplete).orElse(true);
    }

    /** The address of this server for a client; never from forwarded headers, which anybody can send. */
    private String baseUrl(Context request) {
        return settings.proxies()
                .publicUrl()
                .map(url -> url.toString().replaceFirst("/+$", ""))
                .orElseGet(() -> request.scheme() + "://" + request.host());
    }

    private static List<String> inclusionTerms(List<TabularList> editions, String code) {
        return editions.stream()
                .flatMap(edition -> edition.find(code).stream())
                .flatMap(entry -> entry.notes(TabularEntry.INCLUSION_TERM).stream())
                .distinct()
                .toList();
    }

    List<Route> routes() {
        return routes;
    }

    ServerMetrics metrics() {
        return metrics;
    }

    public int port() {
        return javalin.port();
    }

    /** The URL of the web page on this machine. */
    public String address() {
        String host = settings.isLoopback() ? settings.host() : "localhost";
        return "http://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port() + "/";
    }

    /** Rejects further requests and returns after all accepted ones are answered. */
    @Override
    public void close() {
        pipeline.stop();
        javalin.stop();
        queue.close();
        audit.ifPresent(AuditLog::close);
    }
}
