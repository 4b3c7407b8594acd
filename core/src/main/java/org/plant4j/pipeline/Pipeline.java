package org.plant4j.pipeline;

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
import org.plant4j.corpus.codeset.CodeSet;
import org.plant4j.corpus.codeset.CodeSetReader;
import org.plant4j.corpus.demo.DemoCorpus;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.encoder.EncoderDirectory;
import org.plant4j.experiment.Experiment;
import org.plant4j.experiment.ExperimentFile;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.experiment.RunManifest;
import org.plant4j.support.AtomicFile;
import org.plant4j.support.FileLock;
import org.plant4j.support.Progress;
import org.plant4j.support.UserError;
import org.plant4j.tensor.Engine;
import org.plant4j.text.PreparedCorpus;

/**
 * prepare → word vectors → language model or masked language model → mutual information → ranker → network → evaluate. Each stage is known by the fingerprint of all it depends on and is
 * reused while that stays the same; all before the training is shared between runs. A training that was killed goes on.
 */
public final class Pipeline {

    private static final String PREPARE = "prepare";

    public static final String DEV = "dev";
    public static final String TEST = "test";

    private final Experiment experiment;
    private final Path runs;
    private final Session session;
    private final RunDirectory folder;
    private final StageTimes times = new StageTimes();
    private final StageCache cache;

    /** What surrounds a run: who is told of it, who may stop it, and what it may overwrite. */
    public record Session(
            String command,
            BadRowHandler badRows,
            boolean force,
            Progress progress,
            BooleanSupplier stop,
            Listener listener) {}

    /** Hears what became of each stage: done, reused, resumed. */
    @FunctionalInterface
    public interface Listener {
        void onStage(String name, String outcome);
    }

    public Pipeline(Experiment experiment, Path runs, Session session) {
        this.experiment = experiment;
        this.runs = runs;
        this.session = session;
        this.folder = new RunDirectory(runs.resolve(experiment.name()));
        this.cache = new StageCache(runs.resolve(".cache"), session.listener(), times, session.stop());
    }

    public RunDirectory runDirectory() {
        return folder;
    }

    /** Does what is not done yet; false where it was interrupted and can go on later. */
    public boolean run() {
        try (FileLock claim = cache.lock("run-" + experiment.name())) {
            return runLocked();
        } catch (StageCache.Interrupted e) {
            session.listener().onStage(modelStage(), "interrupted; run the same command again to resume");
            return false;
        }
    }

    private boolean runLocked() {
        if (experiment.compute().threads() > 0) {
            Engine.setThreads(experiment.compute().threads());
        }
        CorpusStage preparation = new CorpusStage(experiment, session);
        String corpusPrint = preparation.fingerprint();
        List<Pipeline> members = members(corpusPrint);
        String print = fingerprint(corpusPrint, members);
        Optional<RunManifest> old = existingRun(print); // refuses before any work is done
        PreparedCorpus prepared = cache.get(PREPARE, corpusPrint, preparation);
        RunManifest manifest = old.isPresent() ? old.get() : createRun(print, corpusPrint, prepared);
        if (manifest.isDone()) {
            session.listener().onStage(modelStage(), "reused " + folder.path());
        } else if (!train(prepared, corpusPrint, members)) {
            folder.write(folder.manifest(), manifest.with(RunManifest.INTERRUPTED, times.seconds()));
            session.listener().onStage(modelStage(), "interrupted; run the same command again to resume");
            return false;
        }
        if (manifest.isEvaluatedWith(experiment.evaluation()) && Files.exists(folder.report())) {
            session.listener().onStage("evaluate", "reused");
            if (!Files.exists(folder.calibration())) { // a run of before there were any
                DevCalibration.write(folder);
                RunReport.write(folder);
            }
        } else {
            times.time("evaluate", () -> new EvaluationStage(experiment, folder, session).run(prepared));
            writeExperiment();
            folder.write(folder.manifest(), manifest.evaluatedWith(experiment.evaluation(), times.seconds()));
            RunReport.write(folder);
            StageCache.delete(folder.checkpoint());
        }
        return true;
    }

    private String modelStage() {
        return experiment.model().network().isPresent() ? "network" : "model";
    }

    /** Prepares the corpus without training. */
    public PreparedCorpus prepare() {
        CorpusStage preparation = new CorpusStage(experiment, session);
        return cache.get(PREPARE, preparation.fingerprint(), preparation);
    }

    private List<Pipeline> members(String corpusPrint) {
        return new EnsembleStage(experiment, runs, session).members(corpusPrint);
    }

    /** An average hangs on its members alone, not on the names of their files. */
    private String fingerprint(String corpusPrint, List<Pipeline> members) {
        Fingerprint print = new Fingerprint().add(corpusPrint);
        if (!members.isEmpty()) {
            members.forEach(member -> print.add(member.fingerprint(corpusPrint, List.of())));
            return print.hex();
        }
        print.add(experiment.wordVectors())
                .add(experiment.model())
                .add(experiment.training())
                .add(experiment.compute().precision())
                .add(experiment.seed());
        experiment.encoderDirectory().ifPresent(encoder -> print.addFiles(encoder.weights()));
        experiment.encoderLanguageModel().ifPresent(lm -> LanguageModelStage.fingerprint(print, lm));
        experiment.furtherPretraining().ifPresent(print::add);
        if (experiment.readsDescriptions()) {
            print.add(codeSetFingerprints());
        }
        if (experiment.model().usesRelevance()) {
            print.add(experiment.mutualInformation()).add(experiment.ranker());
        }
        return print.hex();
    }

    /** The run to go on with, its code books as they are now; refuses where the name is another experiment's. */
    private Optional<RunManifest> existingRun(String print) {
        if (session.force() || !Files.exists(folder.manifest())) {
            return Optional.empty();
        }
        RunManifest old = folder.read(folder.manifest(), RunManifest.class);
        if (!old.fingerprint().equals(print)) {
            throw new UserError(
                    "This run was made from other settings or other data",
                    folder.path().toString(),
                    "choose another name, or let --force replace the run");
        }
        RunManifest now = old.withCodeSets(codeSetFingerprints());
        if (!now.equals(old)) {
            codeBook().write(folder.codeBook());
            folder.write(folder.manifest(), now);
        }
        return Optional.of(now);
    }

    private Map<String, String> codeSetFingerprints() {
        Map<String, String> books = new TreeMap<>();
        experiment
                .codeSets()
                .forEach(book -> books.put(
                        book, new Fingerprint().addFiles(Path.of(book)).hex()));
        return books;
    }

    private CodeSet codeBook() {
        return codeBook(experiment);
    }

    /** What the experiment's codes mean; the made-up notes bring their own book. */
    static CodeSet codeBook(Experiment experiment) {
        List<Path> books = experiment.codeSets().stream().map(Path::of).toList();
        return books.isEmpty() && experiment.corpus().format().equals("demo")
                ? DemoCorpus.codeSet()
                : CodeSetReader.read(books);
    }

    /** The run's folder with all that prediction needs but the weights. */
    private RunManifest createRun(String print, String corpusPrint, PreparedCorpus prepared) {
        CodeSet codeBook = codeBook(); // may fail: before anything is replaced
        if (Files.exists(folder.manifest())) {
            deleteContents(folder);
        }
        Map<String, String> inputs = codeSetFingerprints();
        inputs.put(RunManifest.CORPUS, corpusPrint);
        Map<String, Long> sizes = new TreeMap<>();
        for (String part : List.of(PreparedCorpus.TRAIN, PreparedCorpus.PASSAGES, DEV, TEST)) {
            if (prepared.hasSplit(part)) {
                sizes.put(part, (long) prepared.split(part).size());
            }
        }
        sizes.put("words", (long) prepared.vocabulary().size());
        sizes.put("codes", (long) prepared.labels().size());
        RunManifest manifest = new RunManifest(
                experiment.name(),
                RunManifest.TRAINING,
                print,
                experiment.seed(),
                session.command(),
                Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
                RunManifest.currentVersions(),
                inputs,
                sizes,
                Map.of());
        writeExperiment();
        codeBook.write(folder.codeBook());
        prepared.vocabulary().write(folder.vocabulary());
        prepared.labels().write(folder.labels());
        experiment
                .pretrainedEncoder()
                .map(encoder -> new EncoderDirectory(Path.of(encoder)).tokenizer())
                .ifPresent(from -> AtomicFile.write(
                        folder.tokenizer(), draft -> Files.copy(from, draft, StandardCopyOption.REPLACE_EXISTING)));
        if (experiment.model().memberExperiments().isEmpty()) {
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
        String textPrint = experiment.preprocessing().passageTokens() == 0
                ? corpusPrint
                : new CorpusStage(experiment, session).textFingerprint();
        PretrainingInputs inputs = new PretrainingInputs(experiment, prepared, corpusPrint, textPrint, cache, session);
        EnsembleStage ensemble = new EnsembleStage(experiment, runs, session);
        try {
            return experiment
                    .model()
                    .train(new TrainingStage(
                            experiment,
                            folder,
                            session,
                            prepared,
                            inputs,
                            times,
                            () -> ensemble.run(folder, prepared, members)));
        } catch (StageCache.Interrupted e) {
            return false;
        }
    }

    /** Everything but the log, which the run that replaces it writes on. */
    private static void deleteContents(RunDirectory folder) {
        try (Stream<Path> inside = Files.list(folder.path())) {
            inside.filter(each -> !each.equals(folder.log())).forEach(StageCache::delete);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot clear " + folder.path(), e);
        }
    }
}
