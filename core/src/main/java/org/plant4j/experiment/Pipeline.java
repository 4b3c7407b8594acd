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
import java.util.Locale;
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
import org.plant4j.corpus.CodeBooks;
import org.plant4j.corpus.Corpora;
import org.plant4j.corpus.Corpus;
import org.plant4j.corpus.Split;
import org.plant4j.corpus.demo.DemoCorpus;
import org.plant4j.eval.Bootstrap;
import org.plant4j.eval.Evaluation;
import org.plant4j.eval.Evaluator;
import org.plant4j.eval.Predictions;
import org.plant4j.eval.Thresholds;
import org.plant4j.lm.WordVectors;
import org.plant4j.models.Classification;
import org.plant4j.models.FrequencyPrior;
import org.plant4j.models.LabelNetwork;
import org.plant4j.models.Linear;
import org.plant4j.models.Model;
import org.plant4j.models.Models;
import org.plant4j.models.NetworkConfig;
import org.plant4j.nn.Batches;
import org.plant4j.nn.Compute;
import org.plant4j.nn.Engine;
import org.plant4j.predict.RunFolder;
import org.plant4j.text.PreparedCorpus;
import org.plant4j.text.TokenStore;
import org.plant4j.text.WordTokenizer;
import org.plant4j.train.Trainer;

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
        PreparedCorpus prepared = prepare(corpusPrint);
        String print = new Fingerprint()
                .add(corpusPrint)
                .add(experiment.vectors())
                .add(experiment.model())
                .add(experiment.training())
                .add(experiment.compute().precision())
                .add(experiment.seed())
                .hex();
        Manifest manifest = begin(print, corpusPrint, prepared);
        if (manifest.isDone()) {
            session.listener().stage("train", "reused " + folder.path());
        } else if (!train(prepared, corpusPrint)) {
            folder.write(folder.manifest(), manifest.with(Manifest.INTERRUPTED, seconds));
            session.listener().stage("train", "interrupted; the same command goes on from the last epoch");
            return false;
        }
        if (manifest.isEvaluatedAs(experiment.evaluation()) && Files.exists(folder.report())) {
            session.listener().stage("evaluate", "reused");
        } else {
            evaluate(prepared);
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
            PreparedCorpus fresh = PreparedCorpus.prepare(
                    new WordTokenizer(),
                    split.train(),
                    others,
                    unlabelled(),
                    experiment.text(),
                    draft,
                    session.progress());
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

    /** The run's folder with all that prediction needs but the weights; refuses to overwrite another experiment. */
    private Manifest begin(String print, String corpusPrint, PreparedCorpus prepared) {
        if (Files.exists(folder.manifest())) {
            Manifest old = folder.read(folder.manifest(), Manifest.class);
            if (old.fingerprint().equals(print) && !session.force()) {
                return old;
            }
            if (!session.force()) {
                throw new UserError(
                        "This run was made from other settings or other data",
                        folder.path().toString(),
                        "choose another name, or let --force replace the run");
            }
            clear(folder);
        }
        Map<String, String> inputs = new TreeMap<>();
        inputs.put("corpus", corpusPrint);
        experiment
                .codebooks()
                .forEach(book -> inputs.put(
                        book, new Fingerprint().addFiles(Path.of(book)).hex()));
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
        try {
            Files.createDirectories(folder.path());
            Files.writeString(folder.experiment(), ExperimentFile.toYaml(experiment));
            if (experiment.corpus().format().equals("demo")) {
                Files.writeString(folder.codeBook(), DemoCorpus.codeBookTsv());
            } else {
                CodeBooks.open(experiment.codebooks().stream().map(Path::of).toList())
                        .write(folder.codeBook());
            }
        } catch (IOException e) {
            throw new UserError(
                    "The run folder cannot be written", folder.path().toString(), "choose another --runs", e);
        }
        prepared.vocabulary().write(folder.vocabulary());
        prepared.labels().write(folder.labels());
        folder.write(folder.model(), experiment.model());
        folder.write(folder.manifest(), manifest);
        return manifest;
    }

    private boolean train(PreparedCorpus prepared, String corpusPrint) {
        Compute compute = experiment.compute().open();
        TokenStore train = prepared.train();
        TokenStore dev = prepared.part(DEV);
        int words = prepared.vocabulary().size();
        int labels = prepared.labels().size();
        if (experiment.model() instanceof NetworkConfig config) {
            Optional<float[][]> vectors = vectors(prepared, corpusPrint);
            return timed("train", () -> {
                Engine.seed(experiment.seed());
                try (LabelNetwork network = config.build(words, labels, compute)) {
                    vectors.ifPresent(network.embedding()::start);
                    return learn(network, train, dev);
                }
            });
        }
        return timed("train", () -> {
            try (Model model = experiment.model() instanceof Linear.Config linear
                    ? Linear.train(linear, words, labels, train, experiment.seed(), session.progress())
                    : FrequencyPrior.of(prepared.labels().frequencies(), train.size())) {
                model.save(folder.path());
                session.listener().stage("train", labels + " codes");
                return true;
            }
        });
    }

    private boolean learn(LabelNetwork network, TokenStore train, TokenStore dev) {
        Experiment.Training training = experiment.training();
        Batches batches = new Batches(train, training.batchDocuments(), training.batchTokens(), experiment.seed());
        Classification objective = new Classification(
                network,
                batches,
                training.learningRate(),
                training.weightDecay(),
                new DevJudge(network, dev, experiment, folder));
        if (Files.exists(folder.checkpoint())) {
            session.listener().stage("train", "resumed from " + folder.checkpoint());
        }
        Trainer.Outcome outcome = new Trainer<>(
                        training.trainer(),
                        objective,
                        network.compute(),
                        experiment.seed(),
                        folder.checkpoint(),
                        session.progress(),
                        session.stop())
                .run();
        folder.write(folder.history(), outcome.history());
        outcome.history()
                .best()
                .ifPresent(best -> session.listener().stage("train", told(outcome.history(), best, dev.size() > 0)));
        return !outcome.interrupted();
    }

    private String told(History history, History.Epoch best, boolean measured) {
        String epochs = history.epochs().size() + " epochs";
        return measured
                ? "best of " + epochs + ": " + (best.epoch() + 1) + ", dev "
                        + experiment.training().metric()
                        + String.format(Locale.ROOT, " %.4f", best.devMetric())
                : epochs + "; the last is kept, as there are no dev documents to choose by";
    }

    private Optional<float[][]> vectors(PreparedCorpus prepared, String corpusPrint) {
        return experiment.vectors().map(config -> {
            String print = new Fingerprint().add(corpusPrint).add(config).hex();
            VectorFile file = new VectorFile(cache("vectors", print));
            if (file.exists()) {
                session.listener().stage("vectors", "reused");
                return file.read();
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

    /** Dev tunes the thresholds; test is scored once with them, where its codes are known. */
    private void evaluate(PreparedCorpus prepared) {
        timed("evaluate", () -> {
            Compute compute = experiment.compute().open();
            int words = prepared.vocabulary().size();
            int labels = prepared.labels().size();
            TokenStore train = prepared.train();
            Evaluator evaluator = new Evaluator(
                    new Evaluator.Options(
                            Evaluator.Options.standard(experiment.seed()).cutoffs(),
                            Evaluator.Options.standard(experiment.seed()).bucketEnds(),
                            20,
                            new Bootstrap(experiment.evaluation().bootstrap(), 0.95, experiment.seed())),
                    train.size(),
                    prepared.labels().frequencies());
            try (Model model = Models.load(experiment.model(), folder.path(), words, labels, compute)) {
                Scoring dev = Scoring.of(model, prepared.part(DEV), "evaluate dev", session.progress());
                Thresholds thresholds = DevJudge.thresholds(experiment, dev);
                folder.write(folder.thresholds(), thresholds);
                store(DEV, dev, evaluator, thresholds, prepared);
                if (Scoring.hasGold(prepared.part(TEST))) {
                    Scoring test = Scoring.of(model, prepared.part(TEST), "evaluate test", session.progress());
                    store(TEST, test, evaluator, thresholds, prepared);
                }
            }
            session.listener().stage("evaluate", "done");
            return true;
        });
    }

    private void store(
            String part, Scoring scoring, Evaluator evaluator, Thresholds thresholds, PreparedCorpus prepared) {
        if (!scoring.hasGold()) {
            return;
        }
        Evaluation evaluation = evaluator.evaluate(scoring.scores(), scoring.gold(), thresholds);
        evaluation.write(folder.metrics(part));
        Predictions.of(
                        scoring.ids(),
                        prepared.labels()::code,
                        scoring.scores(),
                        scoring.gold(),
                        thresholds,
                        experiment.evaluation().predictions())
                .write(folder.predictions(part));
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
