package org.plant4j.pipeline;

import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.plant4j.UserError;
import org.plant4j.corpus.codeset.CodeSet;
import org.plant4j.corpus.codeset.CodeSetReader;
import org.plant4j.corpus.demo.DemoCorpus;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.distributed.ProcessGroup;
import org.plant4j.encoder.EncoderDirectory;
import org.plant4j.experiment.Experiment;
import org.plant4j.experiment.ExperimentFile;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.experiment.RunManifest;
import org.plant4j.pipeline.evaluation.ContextProfiling;
import org.plant4j.pipeline.evaluation.DevCalibration;
import org.plant4j.pipeline.evaluation.DomainTuning;
import org.plant4j.pipeline.evaluation.EvaluationStage;
import org.plant4j.pipeline.evaluation.RunReport;
import org.plant4j.pipeline.stage.Fingerprint;
import org.plant4j.pipeline.stage.Session;
import org.plant4j.pipeline.stage.StageCache;
import org.plant4j.pipeline.stage.StageTimes;
import org.plant4j.rank.Relevance;
import org.plant4j.support.AtomicFile;
import org.plant4j.support.FileChecksums;
import org.plant4j.support.FileLock;
import org.plant4j.support.FileTree;
import org.plant4j.support.Hardware;
import org.plant4j.tensor.Engine;
import org.plant4j.text.PreparedCorpus;
import org.plant4j.text.TrainedDocuments;

/**
 * Runs an experiment: corpus → word vectors → language model or masked language model → mutual information → ranker →
 * network → evaluation. A stage is reused as long as the fingerprint of its inputs is the same, and all stages before
 * the network are shared between runs. An interrupted training resumes from its last checkpoint.
 */
public final class Pipeline {

    private static final String PREPARE = "prepare";
    private static final String CACHE = ".cache";
    private static final String INTERRUPTED = "interrupted; run the same command again to resume";

    /** System property with the start of the command, for processes that another one starts. */
    public static final String COMMAND_START = "plant4j.commandStart";

    private final Experiment experiment;
    private final Path runs;
    private final Session session;
    private final DataEngine engine;
    private final RunDirectory directory;
    private final StageTimes times = new StageTimes();
    private final StageCache cache;

    public Pipeline(Experiment experiment, Path runs, Session session) {
        this(experiment, runs, session, new LocalEngine());
    }

    /** Runs the stages that divide by documents or labels on the given engine. */
    public Pipeline(Experiment experiment, Path runs, Session session, DataEngine engine) {
        this.experiment = experiment;
        this.runs = runs;
        this.session = session;
        this.engine = engine;
        this.directory = new RunDirectory(runs.resolve(experiment.name()));
        this.cache = new StageCache(runs.resolve(CACHE), session, times, session.force() ? commandStart() : 0);
    }

    /** When the command started that this process belongs to, in milliseconds since 1970: its stages are renewed once. */
    private static long commandStart() {
        return Long.getLong(COMMAND_START, ManagementFactory.getRuntimeMXBean().getStartTime());
    }

    public RunDirectory runDirectory() {
        return directory;
    }

    private static String lockName(RunDirectory directory) {
        return "run-" + directory.name();
    }

    /** The file whose lock a process holds while it writes to a run directory. */
    public static Path lockFile(RunDirectory directory) {
        Path runs = directory.path().toAbsolutePath().normalize().resolveSibling("");
        return StageCache.lockFile(runs.resolve(CACHE), lockName(directory));
    }

    /**
     * Runs the stages that are not done yet. Returns false if it was interrupted and can be resumed. In a group, all processes
     * train the networks; everything else is done by the first one, which alone writes to the runs.
     */
    public boolean run() {
        Optional<FileLock> lock = Optional.empty();
        try {
            lock = session.group().onFirst(() -> cache.lock(lockName(directory)));
            return runStages();
        } catch (StageCache.Interrupted e) {
            session.listener().onStage(modelStage(), INTERRUPTED);
            return false;
        } finally {
            lock.ifPresent(FileLock::close);
        }
    }

    private boolean runStages() {
        if (experiment.compute().threads() > 0 && Engine.isAvailable()) {
            Engine.setThreads(experiment.compute().threads());
        }
        ProcessGroup group = session.group();
        Optional<PreparedRun> own = group.onFirst(this::prepareRun);
        String untrained = group.fromFirst(() -> own.orElseThrow().untrainedFingerprint());
        if (!untrained.isEmpty() && !train(own, untrained)) {
            if (group.isFirst()) {
                directory.updateManifest(trained ->
                        trained.with(RunManifest.INTERRUPTED, times.seconds()).withUsage(usage()));
            }
            session.listener().onStage(modelStage(), INTERRUPTED);
            return false;
        }
        group.onFirst(() -> evaluateIfNeeded(own.orElseThrow()));
        return true;
    }

    /** A run directory whose corpus is prepared; {@code manifest} is that before training. */
    private record PreparedRun(
            PreparedCorpus prepared, String corpusFingerprint, List<Pipeline> members, RunManifest manifest) {

        /** The fingerprint of the corpus; empty if the model is trained. */
        String untrainedFingerprint() {
            return manifest.isDone() ? "" : corpusFingerprint;
        }
    }

    private PreparedRun prepareRun() {
        StartRun.checkIsOutside(directory.path(), experiment); // --force would delete its weights
        EnsembleStage.checkMergeIsOutside(directory.path(), experiment);
        experiment.pretrainedEncoder().map(Path::of).map(EncoderDirectory::new).ifPresent(EncoderDirectory::verify);
        CorpusStage preparation = new CorpusStage(experiment, session, engine);
        String corpusFingerprint = preparation.fingerprint();
        List<Pipeline> members = members(corpusFingerprint);
        String print = fingerprint(corpusFingerprint, members);
        Optional<RunManifest> old = existingRun(print, corpusFingerprint); // may throw, before any work is done
        PreparedCorpus prepared = cache.getAlone(PREPARE, corpusFingerprint, preparation);
        RunManifest manifest = old.isPresent() ? old.get() : createRun(print, corpusFingerprint, prepared);
        if (manifest.isDone()) {
            session.listener().onStage(modelStage(), "reused " + directory.path());
        }
        return new PreparedRun(prepared, corpusFingerprint, members, manifest);
    }

    private RunDirectory evaluateIfNeeded(PreparedRun run) {
        if (isEvaluated(run.manifest)) {
            session.listener().onStage("evaluate", "reused");
            if (!directory.has(directory.calibration())) { // a run of version 0.1
                DevCalibration.write(directory);
                RunReport.write(directory);
            }
            if (!directory.has(directory.domain())) {
                DomainTuning.write(directory, run.prepared);
            }
            if (!directory.has(directory.contextProfile())) {
                ContextProfiling.write(directory, experiment.corpus());
            }
        } else {
            evaluate(run.prepared);
        }
        return directory;
    }

    private boolean isEvaluated(RunManifest manifest) {
        return manifest.isEvaluatedWith(experiment.evaluation())
                && directory.has(directory.thresholds())
                && directory.has(directory.report());
    }

    private void evaluate(PreparedCorpus prepared) {
        directory.add(
                staging -> {
                    times.time(
                            "evaluate",
                            () -> new EvaluationStage(experiment, directory, session).run(prepared, staging));
                    writeExperiment(staging);
                },
                trained -> trained.evaluatedWith(experiment.evaluation(), times.seconds())
                        .withUsage(usage()));
        RunReport.write(directory);
        FileTree.delete(directory.checkpoint());
    }

    private RunManifest.Usage usage() {
        Map<String, Long> peaks = new TreeMap<>();
        Hardware.peakResident().ifPresent(bytes -> peaks.put(RunManifest.RESIDENT, bytes));
        if (trainsOnGpu()) {
            Hardware.ownGpuMemory().ifPresent(bytes -> peaks.put(RunManifest.GPU, bytes));
        }
        return new RunManifest.Usage(times.cpuSeconds(), peaks);
    }

    /** Whether the model is a network and there is a GPU for it. */
    private boolean trainsOnGpu() {
        return experiment.model().network().isPresent()
                && experiment.compute().open().cuda();
    }

    private String modelStage() {
        return experiment.model().network().isPresent() ? RunManifest.NETWORK_STAGE : RunManifest.MODEL_STAGE;
    }

    /** Prepares the corpus without training. */
    public PreparedCorpus prepare() {
        CorpusStage preparation = new CorpusStage(experiment, session, engine);
        return cache.getAlone(PREPARE, preparation.fingerprint(), preparation);
    }

    /** Prepares the corpus and, if the model needs it, computes mutual information, without training. */
    public void prepareInputs() {
        if (experiment.model().usesRelevance()) {
            relevance();
        } else {
            prepare();
        }
    }

    /** Prepares the corpus and computes mutual information without training. */
    public Relevance relevance() {
        if (experiment.mutualInformation().isEmpty()) {
            throw new UserError(
                    "The experiment has no settings for mutual information",
                    "mutual_information",
                    "name an experiment with a planted model, such as plant");
        }
        CorpusStage preparation = new CorpusStage(experiment, session, engine);
        String corpusFingerprint = preparation.fingerprint();
        return inputs(cache.get(PREPARE, corpusFingerprint, preparation), corpusFingerprint)
                .relevance();
    }

    private PretrainingInputs inputs(PreparedCorpus prepared, String corpusFingerprint) {
        String textFingerprint = experiment.preprocessing().passageTokens() == 0
                ? corpusFingerprint
                : session.group().fromFirst(() -> new CorpusStage(experiment, session, engine).textFingerprint());
        return new PretrainingInputs(experiment, prepared, corpusFingerprint, textFingerprint, cache, session, engine);
    }

    private List<Pipeline> members(String corpusFingerprint) {
        return new EnsembleStage(experiment, runs, session, engine).members(corpusFingerprint);
    }

    /** The fingerprint of all inputs; that of an ensemble depends on its members and their merge only. */
    private String fingerprint(String corpusFingerprint, List<Pipeline> members) {
        Fingerprint print = new Fingerprint().add(corpusFingerprint);
        if (!members.isEmpty()) {
            members.forEach(member -> print.add(member.fingerprint(corpusFingerprint, List.of())));
            experiment.model().memberMerge().ifPresent(merge -> {
                print.add("merge of " + merge.candidates() + " candidates");
                merge.file().ifPresent(print::addFiles);
            });
            return print.hex();
        }
        print.add(experiment.wordVectors())
                .add(experiment.model())
                .add(experiment.training())
                .add(experiment.compute().precision())
                .add(experiment.seed());
        StartRun.of(experiment).ifPresent(start -> print.add("start " + start.fingerprint()));
        experiment.encoderDirectory().ifPresent(encoder -> print.addFiles(encoder.weights()));
        experiment
                .model()
                .sentenceEncoder()
                .ifPresent(path -> print.addFiles(
                        new EncoderDirectory(path).requireComplete().weights()));
        experiment.encoderLanguageModel().ifPresent(lm -> LanguageModelStage.fingerprint(print, lm));
        experiment.furtherPretraining().ifPresent(print::add);
        if (experiment.readsDescriptions()) {
            print.add(codeSetFingerprints());
        }
        if (experiment.model().usesSynonyms()) {
            experiment.synonyms().forEach(file -> print.addFiles(Path.of(file)));
        }
        if (experiment.model().usesTranslations()) {
            experiment.translations().forEach(print::addCorpus);
        }
        if (experiment.model().usesRelevance()) {
            print.add(experiment.mutualInformation()).add(experiment.ranker());
        }
        return print.hex();
    }

    /** The existing run with updated code sets; throws if it was created from other settings or data. */
    private Optional<RunManifest> existingRun(String print, String corpusFingerprint) {
        if (session.force() || !Files.exists(directory.manifest())) {
            return Optional.empty();
        }
        RunManifest old = RunDirectory.open(directory.path()).readManifest();
        if (!old.fingerprint().equals(print) && !isOfEarlierVersion(old, print, corpusFingerprint)) {
            throw new UserError(
                    "The run exists with other settings or other data",
                    directory.path().toString(),
                    "choose another name with --set name=…, or replace the run with --force (in Java: Training.replace())");
        }
        directory.addMissingChecksums();
        Map<String, String> codeSets = codeSetFingerprints();
        if (!old.withCodeSets(codeSets).equals(old) || !directory.has(directory.codeSet())) {
            directory.add(staging -> codeSet().write(staging.codeSet()), existing -> existing.withCodeSets(codeSets));
        }
        return Optional.of(directory.readManifest());
    }

    /**
     * Whether a finished run has these settings and data, but was trained before some setting existed, which is part of the
     * fingerprint now. Files whose earlier contents are unknown, such as the weights of an encoder, rule that out.
     */
    private boolean isOfEarlierVersion(RunManifest old, String print, String corpusFingerprint) {
        boolean unknownFiles = experiment.encoderDirectory().isPresent()
                || experiment.encoderLanguageModel().isPresent()
                || (experiment.model().usesSynonyms() && !experiment.synonyms().isEmpty())
                || experiment.model().usesTranslations()
                || experiment.model().sentenceEncoder().isPresent()
                || experiment.start().isPresent()
                || !experiment.model().memberExperiments().isEmpty();
        boolean otherCodeSets = experiment.readsDescriptions()
                && !old.withCodeSets(codeSetFingerprints()).equals(old);
        if (!old.isDone()
                || !corpusFingerprint.equals(old.inputs().get(RunManifest.CORPUS))
                || unknownFiles
                || otherCodeSets) {
            return false;
        }
        Experiment stored = ExperimentFile.read(directory.experiment(), List.of());
        return new Pipeline(stored, runs, session, engine)
                .fingerprint(corpusFingerprint, List.of())
                .equals(print);
    }

    private Map<String, String> codeSetFingerprints() {
        Map<String, String> fingerprints = new TreeMap<>();
        experiment
                .codeSets()
                .forEach(file -> fingerprints.put(
                        file, new Fingerprint().addFiles(Path.of(file)).hex()));
        return fingerprints;
    }

    private CodeSet codeSet() {
        return codeSet(experiment, session.badRows());
    }

    /** The code set of an experiment; the demo corpus has a built-in one. */
    static CodeSet codeSet(Experiment experiment, BadRowHandler badRows) {
        List<Path> files = experiment.codeSets().stream().map(Path::of).toList();
        return files.isEmpty() && experiment.corpus().format().equals("demo")
                ? DemoCorpus.codeSet()
                : CodeSetReader.read(files, badRows);
    }

    /** Creates the run directory with everything that prediction needs except the weights. */
    private RunManifest createRun(String print, String corpusFingerprint, PreparedCorpus prepared) {
        Map<String, String> inputs = codeSetFingerprints();
        inputs.put(RunManifest.CORPUS, corpusFingerprint);
        StartRun.of(experiment).ifPresent(start -> inputs.put(RunManifest.START, start.fingerprint()));
        Map<String, Long> sizes = new TreeMap<>();
        for (String split :
                List.of(PreparedCorpus.TRAIN, PreparedCorpus.PASSAGES, PreparedCorpus.DEV, PreparedCorpus.TEST)) {
            if (prepared.hasSplit(split)) {
                sizes.put(split, (long) prepared.split(split).size());
            }
        }
        sizes.put("tokens", (long) prepared.vocabulary().size());
        sizes.put("labels", (long) prepared.labels().size());
        StartRun.of(experiment)
                .ifPresent(start -> sizes.put(RunManifest.TRAINED, (long) start.countTrained(prepared.train())));
        RunManifest manifest = new RunManifest(
                RunManifest.FORMAT,
                experiment.name(),
                RunManifest.TRAINING,
                print,
                experiment.seed(),
                session.command(),
                Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
                RunManifest.currentVersions(Hardware.processor(trainsOnGpu())),
                inputs,
                sizes,
                Map.of(),
                Optional.empty(),
                FileChecksums.NONE);
        directory.create(manifest, staging -> writeInputs(staging, prepared));
        return manifest;
    }

    private void writeInputs(RunDirectory staging, PreparedCorpus prepared) {
        codeSet().write(staging.codeSet());
        writeExperiment(staging);
        prepared.vocabulary().write(staging.vocabulary());
        prepared.labels().write(staging.labels());
        TrainedDocuments.of(prepared.train()).write(staging.trainedDocuments());
        StartRun.of(experiment).ifPresent(start -> start.writeProfiles(staging));
        experiment
                .pretrainedEncoder()
                .map(encoder -> new EncoderDirectory(Path.of(encoder)).tokenizer())
                .ifPresent(from -> AtomicFile.write(
                        staging.tokenizer(), draft -> Files.copy(from, draft, StandardCopyOption.REPLACE_EXISTING)));
        if (experiment.model().memberExperiments().isEmpty()) {
            staging.write(staging.model(), experiment.model()); // an ensemble is written when its members are trained
        }
    }

    private void writeExperiment(RunDirectory staging) {
        AtomicFile.write(staging.experiment(), draft -> Files.writeString(draft, ExperimentFile.toYaml(experiment)));
    }

    /** All processes of a group train; those that did not prepare the run open its corpus. */
    private boolean train(Optional<PreparedRun> own, String corpusFingerprint) {
        CorpusStage preparation = new CorpusStage(experiment, session, engine);
        PreparedCorpus prepared =
                own.map(PreparedRun::prepared).orElseGet(() -> cache.open(PREPARE, corpusFingerprint, preparation));
        List<Pipeline> members = own.map(PreparedRun::members).orElseGet(() -> members(corpusFingerprint));
        EnsembleStage ensemble = new EnsembleStage(experiment, runs, session, engine);
        try {
            return experiment
                    .model()
                    .train(new TrainingStage(
                            experiment,
                            directory,
                            session,
                            prepared,
                            inputs(prepared, corpusFingerprint),
                            engine.labelTasks(),
                            times,
                            combiner -> ensemble.run(directory, prepared, members, combiner)));
        } catch (StageCache.Interrupted e) {
            return false;
        }
    }
}
