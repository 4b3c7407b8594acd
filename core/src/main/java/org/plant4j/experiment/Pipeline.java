package org.plant4j.experiment;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.plant4j.Progress;
import org.plant4j.UserError;
import org.plant4j.corpus.BadRows;
import org.plant4j.corpus.CodeBook;
import org.plant4j.corpus.CodeBooks;
import org.plant4j.corpus.Corpora;
import org.plant4j.corpus.Corpus;
import org.plant4j.corpus.Split;
import org.plant4j.corpus.demo.DemoCorpus;
import org.plant4j.lm.WordVectors;
import org.plant4j.models.NetworkConfig;
import org.plant4j.nn.Engine;
import org.plant4j.predict.RunFolder;
import org.plant4j.text.PreparedCorpus;
import org.plant4j.text.WordTokenizer;

/**
 * prepare → vectors → train → evaluate. Each stage is known by the fingerprint of all it depends on and is reused while
 * that stays the same; prepared corpora and vectors are shared between runs. A training that was killed goes on.
 */
public final class Pipeline {

    /** To be changed with the tokenizer, so that nothing prepared by an older one is reused. */
    private static final String TOKENIZER = "tokenizer 1";

    /** Vectors are shared by runs of every seed: a study over seeds varies the model, not its material. */
    private static final long VECTOR_SEED = 1;

    public static final String DEV = "dev";
    public static final String TEST = "test";

    private final Experiment experiment;
    private final Path runs;
    private final Session session;
    private final RunFolder folder;
    private final Map<String, Double> seconds = new TreeMap<>();

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
    }

    public RunFolder folder() {
        return folder;
    }

    /** Does what is not done yet; false where it was interrupted and can go on later. */
    public boolean run() {
        if (experiment.compute().threads() > 0) {
            Engine.threads(experiment.compute().threads());
        }
        String corpusPrint = corpusFingerprint();
        String print = new Fingerprint()
                .add(corpusPrint)
                .add(experiment.vectors())
                .add(experiment.model())
                .add(experiment.training())
                .add(experiment.compute().precision())
                .add(experiment.seed())
                .hex();
        Optional<Manifest> old = earlier(print); // refuses before any work is done
        PreparedCorpus prepared = prepare(corpusPrint);
        Manifest manifest = old.isPresent() ? old.get() : begin(print, corpusPrint, prepared);
        if (manifest.isDone()) {
            session.listener().stage("train", "reused " + folder.path());
        } else if (!train(prepared, corpusPrint)) {
            folder.write(folder.manifest(), manifest.with(Manifest.INTERRUPTED, seconds));
            session.listener().stage("train", "interrupted; the same command goes on from the last epoch");
            return false;
        }
        if (manifest.isEvaluatedAs(experiment.evaluation()) && Files.exists(folder.report())) {
            session.listener().stage("evaluate", "reused");
            if (!Files.exists(folder.calibration())) { // a run of before there were any
                DevCalibration.write(folder);
                RunReport.write(folder);
            }
        } else {
            timed("evaluate", () -> new EvaluateStage(experiment, folder, session).run(prepared));
            writeExperiment();
            folder.write(folder.manifest(), manifest.evaluatedAs(experiment.evaluation(), seconds));
            RunReport.write(folder);
            delete(folder.checkpoint());
        }
        return true;
    }

    /** Only turns the corpus into numbers. */
    public PreparedCorpus prepare() {
        return prepare(corpusFingerprint());
    }

    private String corpusFingerprint() {
        Fingerprint print = new Fingerprint()
                .addCorpus(experiment.corpus())
                .add(experiment.text())
                .add(TOKENIZER);
        experiment.unlabelled().forEach(print::addCorpus);
        return print.hex();
    }

    private PreparedCorpus prepare(String print) {
        Path prepared = cache("prepared", print);
        if (Files.exists(prepared)) {
            session.listener().stage("prepare", "reused");
            return PreparedCorpus.open(prepared);
        }
        return timed("prepare", () -> {
            Split split = Corpora.open(experiment.corpus(), session.badRows());
            Map<String, Corpus> others = new LinkedHashMap<>();
            others.put(DEV, split.dev());
            others.put(TEST, split.test());
            Path draft = prepared.resolveSibling(
                    prepared.getFileName() + ".tmp" + ProcessHandle.current().pid());
            PreparedCorpus fresh;
            try {
                fresh = PreparedCorpus.prepare(
                        new WordTokenizer(),
                        split.train(),
                        others,
                        unlabelled(),
                        experiment.text(),
                        draft,
                        session.progress());
            } catch (RuntimeException e) {
                delete(draft);
                throw e;
            }
            publish(draft, prepared);
            session.listener()
                    .stage(
                            "prepare",
                            fresh.vocabulary().size() + " words, "
                                    + fresh.labels().size() + " codes");
            return PreparedCorpus.open(prepared);
        });
    }

    /** All parts of all unlabelled corpora as one. */
    private Optional<Corpus> unlabelled() {
        if (experiment.unlabelled().isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(Corpora.concat(
                PreparedCorpus.UNLABELLED,
                experiment.unlabelled().stream()
                        .map(config -> Corpora.open(config, session.badRows()))
                        .flatMap(split -> Stream.of(split.train(), split.dev(), split.test()))
                        .toList()));
    }

    private Path cache(String stage, String print) {
        return runs.resolve(".cache").resolve(stage + "-" + print.substring(0, 16));
    }

    /** Several runs may prepare the same at once; the first to finish wins, the others use its folder. */
    private static void publish(Path draft, Path target) {
        try {
            Files.move(draft, target, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            if (!Files.exists(target)) {
                throw new UncheckedIOException("cannot write " + target, e);
            }
            delete(draft);
        }
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
        for (String part : List.of(PreparedCorpus.TRAIN, DEV, TEST)) {
            sizes.put(part, (long) prepared.part(part).size());
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
        folder.write(folder.model(), experiment.model());
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

    private boolean train(PreparedCorpus prepared, String corpusPrint) {
        TrainStage stage = new TrainStage(experiment, folder, session);
        if (experiment.model() instanceof NetworkConfig network) {
            Optional<float[][]> vectors = vectors(prepared, corpusPrint);
            return timed("train", () -> stage.network(network, prepared, vectors));
        }
        return timed("train", () -> stage.plain(prepared));
    }

    private Optional<float[][]> vectors(PreparedCorpus prepared, String corpusPrint) {
        return experiment.vectors().map(config -> {
            String print = new Fingerprint().add(corpusPrint).add(config).hex();
            VectorFile file = new VectorFile(cache("vectors", print));
            Optional<float[][]> known = file.read();
            if (known.isPresent()) {
                session.listener().stage("vectors", "reused");
                return known.get();
            }
            return timed("vectors", () -> {
                float[][] vectors = WordVectors.learn(
                        config, prepared.vocabulary().size(), () -> texts(prepared), VECTOR_SEED, session.progress());
                file.write(vectors);
                session.listener().stage("vectors", config.size() + " dimensions");
                return vectors;
            });
        });
    }

    private static Iterator<int[]> texts(PreparedCorpus prepared) {
        return Stream.of(PreparedCorpus.TRAIN, PreparedCorpus.UNLABELLED)
                .filter(prepared::has)
                .map(prepared::part)
                .flatMap(part -> IntStream.range(0, part.size()).mapToObj(part::tokens))
                .iterator();
    }

    private <T> T timed(String stage, Supplier<T> work) {
        long start = System.nanoTime();
        T result = work.get();
        seconds.merge(stage, (System.nanoTime() - start) / 1e9, Double::sum);
        return result;
    }

    /** Everything but the log, which the run that replaces it writes on. */
    private static void clear(RunFolder folder) {
        try (Stream<Path> inside = Files.list(folder.path())) {
            inside.filter(each -> !each.equals(folder.log())).forEach(Pipeline::delete);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot clear " + folder.path(), e);
        }
    }

    private static void delete(Path path) {
        if (!Files.exists(path)) {
            return;
        }
        try (Stream<Path> below = Files.walk(path)) {
            for (Path each : below.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot delete " + path, e);
        }
    }
}
