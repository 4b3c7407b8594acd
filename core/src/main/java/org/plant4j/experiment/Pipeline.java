package org.plant4j.experiment;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.plant4j.Progress;
import org.plant4j.UserError;
import org.plant4j.WholeFile;
import org.plant4j.corpus.BadRows;
import org.plant4j.corpus.CodeBook;
import org.plant4j.corpus.CodeBooks;
import org.plant4j.corpus.demo.DemoCorpus;
import org.plant4j.models.Average;
import org.plant4j.models.NetworkConfig;
import org.plant4j.nn.EncoderFolder;
import org.plant4j.nn.Engine;
import org.plant4j.predict.RunFolder;
import org.plant4j.text.PreparedCorpus;

/**
 * prepare → vectors → lm or mlm → mi → rank → train → evaluate. Each stage is known by the fingerprint of all it depends on and is
 * reused while that stays the same; all before the training is shared between runs. A training that was killed goes on.
 */
public final class Pipeline {

    private static final String PREPARE = "prepare";

    public static final String DEV = "dev";
    public static final String TEST = "test";

    private final Experiment experiment;
    private final Path runs;
    private final Session session;
    private final RunFolder folder;
    private final StageTimes times = new StageTimes();
    private final StageCache cache;

    /** What surrounds a run: who is told of it, who may stop it, and what it may overwrite. */
    public record Session(
            String command,
            BadRows badRows,
            boolean force,
            Progress progress,
            BooleanSupplier stop,
            Listener listener) {}

    /** Hears what became of each stage: done, reused, resumed. */
    @FunctionalInterface
    public interface Listener {
        void stage(String name, String outcome);
    }

    public Pipeline(Experiment experiment, Path runs, Session session) {
        this.experiment = experiment;
        this.runs = runs;
        this.session = session;
        this.folder = new RunFolder(runs.resolve(experiment.name()));
        this.cache = new StageCache(runs.resolve(".cache"), session.listener(), times, session.stop());
    }

    public RunFolder folder() {
        return folder;
    }

    /** Does what is not done yet; false where it was interrupted and can go on later. */
    public boolean run() {
        try (Claim claim = cache.claim("run-" + experiment.name())) {
            return runAlone();
        } catch (StageCache.Interrupted e) {
            session.listener().stage("train", "interrupted; the same command goes on");
            return false;
        }
    }

    private boolean runAlone() {
        if (experiment.compute().threads() > 0) {
            Engine.threads(experiment.compute().threads());
        }
        PrepareStage preparation = new PrepareStage(experiment, session);
        String corpusPrint = preparation.fingerprint();
        List<Pipeline> members = members(corpusPrint);
        String print = fingerprint(corpusPrint, members);
        Optional<Manifest> old = earlier(print); // refuses before any work is done
        PreparedCorpus prepared = cache.get(PREPARE, corpusPrint, preparation);
        Manifest manifest = old.isPresent() ? old.get() : begin(print, corpusPrint, prepared);
        if (manifest.isDone()) {
            session.listener().stage("train", "reused " + folder.path());
        } else if (!train(prepared, corpusPrint, members)) {
            folder.write(folder.manifest(), manifest.with(Manifest.INTERRUPTED, times.seconds()));
            session.listener().stage("train", "interrupted; the same command goes on");
            return false;
        }
        if (manifest.isEvaluatedAs(experiment.evaluation()) && Files.exists(folder.report())) {
            session.listener().stage("evaluate", "reused");
            if (!Files.exists(folder.calibration())) { // a run of before there were any
                DevCalibration.write(folder);
                RunReport.write(folder);
            }
        } else {
            times.time("evaluate", () -> new EvaluateStage(experiment, folder, session).run(prepared));
            writeExperiment();
            folder.write(folder.manifest(), manifest.evaluatedAs(experiment.evaluation(), times.seconds()));
            RunReport.write(folder);
            StageCache.delete(folder.checkpoint());
        }
        return true;
    }

    /** Only turns the corpus into numbers. */
    public PreparedCorpus prepare() {
        PrepareStage preparation = new PrepareStage(experiment, session);
        return cache.get(PREPARE, preparation.fingerprint(), preparation);
    }

    private List<Pipeline> members(String corpusPrint) {
        return experiment.model() instanceof Average.Config average
                ? new AverageStage(experiment, average, runs, session).members(corpusPrint)
                : List.of();
    }

    /** An average hangs on its members alone, not on the names of their files. */
    private String fingerprint(String corpusPrint, List<Pipeline> members) {
        Fingerprint print = new Fingerprint().add(corpusPrint);
        if (!members.isEmpty()) {
            members.forEach(member -> print.add(member.fingerprint(corpusPrint, List.of())));
            return print.hex();
        }
        print.add(experiment.vectors())
                .add(experiment.model())
                .add(experiment.training())
                .add(experiment.compute().precision())
                .add(experiment.seed());
        experiment.pretrainedEncoder().ifPresent(encoder -> print.addFiles(encoder.weights()));
        experiment.languageModel().ifPresent(lm -> LmStage.fingerprint(print, lm));
        experiment.furtherPretraining().ifPresent(print::add);
        if (experiment.readsDescriptions()) {
            print.add(books());
        }
        experiment
                .planted()
                .ifPresent(model -> print.add(experiment.relevance()).add(experiment.rank()));
        return print.hex();
    }

    /** The run to go on with, its code books as they are now; refuses where the name is another experiment's. */
    private Optional<Manifest> earlier(String print) {
        if (session.force() || !Files.exists(folder.manifest())) {
            return Optional.empty();
        }
        Manifest old = folder.read(folder.manifest(), Manifest.class);
        if (!old.fingerprint().equals(print)) {
            throw new UserError(
                    "This run was made from other settings or other data",
                    folder.path().toString(),
                    "choose another name, or let --force replace the run");
        }
        Manifest now = old.withBooks(books());
        if (!now.equals(old)) {
            codeBook().write(folder.codeBook());
            folder.write(folder.manifest(), now);
        }
        return Optional.of(now);
    }

    private Map<String, String> books() {
        Map<String, String> books = new TreeMap<>();
        experiment
                .codebooks()
                .forEach(book -> books.put(
                        book, new Fingerprint().addFiles(Path.of(book)).hex()));
        return books;
    }

    private CodeBook codeBook() {
        return codeBook(experiment);
    }

    /** What the experiment's codes mean; the made-up notes bring their own book. */
    static CodeBook codeBook(Experiment experiment) {
        List<Path> books = experiment.codebooks().stream().map(Path::of).toList();
        return books.isEmpty() && experiment.corpus().format().equals("demo")
                ? DemoCorpus.codeBook()
                : CodeBooks.open(books);
    }

    /** The run's folder with all that prediction needs but the weights. */
    private Manifest begin(String print, String corpusPrint, PreparedCorpus prepared) {
        CodeBook codeBook = codeBook(); // may fail: before anything is replaced
        if (Files.exists(folder.manifest())) {
            clear(folder);
        }
        Map<String, String> inputs = books();
        inputs.put(Manifest.CORPUS, corpusPrint);
        Map<String, Long> sizes = new TreeMap<>();
        for (String part : List.of(PreparedCorpus.TRAIN, PreparedCorpus.PASSAGES, DEV, TEST)) {
            if (prepared.has(part)) {
                sizes.put(part, (long) prepared.part(part).size());
            }
        }
        sizes.put("words", (long) prepared.vocabulary().size());
        sizes.put("codes", (long) prepared.labels().size());
        Manifest manifest = new Manifest(
                experiment.name(),
                Manifest.TRAINING,
                print,
                experiment.seed(),
                session.command(),
                Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
                Manifest.currentVersions(),
                inputs,
                sizes,
                Map.of());
        writeExperiment();
        codeBook.write(folder.codeBook());
        prepared.vocabulary().write(folder.vocabulary());
        prepared.labels().write(folder.labels());
        experiment
                .pretrained()
                .map(encoder -> new EncoderFolder(Path.of(encoder)).tokenizer())
                .ifPresent(from -> WholeFile.write(
                        folder.tokenizer(), draft -> Files.copy(from, draft, StandardCopyOption.REPLACE_EXISTING)));
        if (!(experiment.model() instanceof Average.Config)) {
            folder.write(folder.model(), experiment.model()); // an average knows its members when they are trained
        }
        folder.write(folder.manifest(), manifest);
        return manifest;
    }

    private void writeExperiment() {
        try {
            Files.createDirectories(folder.path());
            Files.writeString(folder.experiment(), ExperimentFile.toYaml(experiment));
        } catch (IOException e) {
            throw new UserError(
                    "The run folder cannot be written", folder.path().toString(), "choose another --runs", e);
        }
    }

    private boolean train(PreparedCorpus prepared, String corpusPrint, List<Pipeline> members) {
        if (experiment.model() instanceof Average.Config average) {
            AverageStage stage = new AverageStage(experiment, average, runs, session);
            return times.time("train", () -> stage.run(folder, prepared, members));
        }
        TrainStage stage = new TrainStage(experiment, folder, session);
        if (experiment.model() instanceof NetworkConfig network) {
            String textPrint = experiment.text().passages() == 0
                    ? corpusPrint
                    : new PrepareStage(experiment, session).textFingerprint();
            Material material = new Material(experiment, prepared, corpusPrint, textPrint, cache, session);
            try {
                Optional<float[][]> vectors = material.vectors();
                Optional<Path> start = material.start(folder);
                try (Planting planting = material.planting(folder, vectors)) {
                    return times.time("train", () -> stage.network(network, prepared, vectors, start, planting));
                }
            } catch (StageCache.Interrupted e) {
                return false;
            }
        }
        return times.time("train", () -> stage.plain(prepared));
    }

    /** Everything but the log, which the run that replaces it writes on. */
    private static void clear(RunFolder folder) {
        try (Stream<Path> inside = Files.list(folder.path())) {
            inside.filter(each -> !each.equals(folder.log())).forEach(StageCache::delete);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot clear " + folder.path(), e);
        }
    }
}
