package org.plant4j.experiment;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.plant4j.support.FileChecksums;
import org.plant4j.tensor.Engine;

/**
 * The provenance of a run: enough to reproduce it, and to decide whether it can be reused.
 *
 * @param format of the run directory; 0 for runs without checksums, which earlier versions wrote
 * @param fingerprint of all inputs
 * @param inputs fingerprints of the corpus, the code sets and the run that training started from, and the evaluation settings
 * @param sizes documents per split, and the sizes of vocabulary and label index
 * @param seconds by stage
 * @param usage of CPU time and memory; empty if it is unknown
 * @param files checksums of the files of the run
 */
public record RunManifest(
        int format,
        String name,
        String status,
        String fingerprint,
        long seed,
        String command,
        String started,
        Map<String, String> versions,
        Map<String, String> inputs,
        Map<String, Long> sizes,
        Map<String, Double> seconds,

        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<Usage> usage, // not in the checksums of earlier versions

        FileChecksums files) {

    /** The format that this version writes. */
    public static final int FORMAT = 1;

    public static final String TRAINING = "training";
    public static final String INTERRUPTED = "interrupted";
    static final String DONE = "done";

    /** The stages that train a model: with a network, and without. */
    public static final String NETWORK_STAGE = "network";

    public static final String MODEL_STAGE = "model";

    /** The kinds of memory. */
    public static final String RESIDENT = "resident";

    public static final String GPU = "gpu";

    /** The entry of {@code versions} with the processor that the model was trained on. */
    public static final String DEVICE = "device";

    /** The size of all training documents, if training started from a run. */
    public static final String TRAINED = "trained";

    private static final int VERSION_DIGITS = 12;

    public static final String CORPUS = "corpus";
    public static final String START = "start";
    private static final String EVALUATION = "evaluation";
    private static final Set<String> NOT_CODE_SETS = Set.of(CORPUS, START, EVALUATION);

    public RunManifest {
        versions = new TreeMap<>(versions);
        inputs = new TreeMap<>(inputs);
        sizes = new TreeMap<>(sizes);
        seconds = new TreeMap<>(seconds);
    }

    /**
     * What the processes that worked on a run have used.
     *
     * @param cpuSeconds by stage, of all threads
     * @param memory peak of the largest process in bytes, by kind: {@link #RESIDENT} and {@link #GPU}
     */
    public record Usage(Map<String, Double> cpuSeconds, Map<String, Long> memory) {

        public Usage {
            cpuSeconds = new TreeMap<>(cpuSeconds);
            memory = new TreeMap<>(memory);
        }

        private Usage plus(Usage other) {
            Usage sum = new Usage(cpuSeconds, memory);
            other.cpuSeconds.forEach((stage, more) -> sum.cpuSeconds.merge(stage, more, Double::sum));
            other.memory.forEach((kind, bytes) -> sum.memory.merge(kind, bytes, Math::max));
            return sum;
        }
    }

    /** The first twelve digits of the fingerprint, which identify the trained model. */
    public String version() {
        return fingerprint.substring(0, Math.min(VERSION_DIGITS, fingerprint.length()));
    }

    /** The documents that the model has been trained on, including those of the runs that training started from. */
    public int trainedDocuments() {
        return Math.toIntExact(sizes.getOrDefault(TRAINED, sizes.getOrDefault("train", 0L)));
    }

    /** Whether dev and test were evaluated with these settings, on which training does not depend. */
    public boolean isEvaluatedWith(EvaluationSettings evaluation) {
        return isDone() && evaluation.toString().equals(inputs.get(EVALUATION));
    }

    public RunManifest evaluatedWith(EvaluationSettings evaluation, Map<String, Double> newSeconds) {
        Map<String, String> all = new TreeMap<>(inputs);
        all.put(EVALUATION, evaluation.toString());
        return with(DONE, newSeconds).withInputs(all);
    }

    /** This manifest with other code sets, on which training does not depend either. */
    public RunManifest withCodeSets(Map<String, String> codeSets) {
        Map<String, String> all = new TreeMap<>(codeSets);
        inputs.forEach((name, print) -> {
            if (NOT_CODE_SETS.contains(name)) {
                all.put(name, print);
            }
        });
        return withInputs(all);
    }

    /** This manifest under another name, without directories of this machine. */
    public RunManifest portable(String newName) {
        Map<String, String> names = new TreeMap<>();
        inputs.forEach((name, print) -> names.put(name.replaceFirst("^.*[/\\\\]", ""), print));
        return new RunManifest(
                format,
                newName,
                status,
                fingerprint,
                seed,
                command,
                started,
                versions,
                names,
                sizes,
                seconds,
                usage,
                files);
    }

    private RunManifest withInputs(Map<String, String> newInputs) {
        return new RunManifest(
                format,
                name,
                status,
                fingerprint,
                seed,
                command,
                started,
                versions,
                newInputs,
                sizes,
                seconds,
                usage,
                files);
    }

    public RunManifest withFiles(FileChecksums newFiles) {
        return new RunManifest(
                FORMAT,
                name,
                status,
                fingerprint,
                seed,
                command,
                started,
                versions,
                inputs,
                sizes,
                seconds,
                usage,
                newFiles);
    }

    @JsonIgnore
    public boolean isDone() {
        return status.equals(DONE);
    }

    public RunManifest with(String newStatus, Map<String, Double> newSeconds) {
        Map<String, Double> all = new TreeMap<>(seconds);
        newSeconds.forEach((stage, more) -> all.merge(stage, more, Double::sum)); // resumed training adds to its time
        return new RunManifest(
                format,
                name,
                newStatus,
                fingerprint,
                seed,
                command,
                started,
                versions,
                inputs,
                sizes,
                all,
                usage,
                files);
    }

    /** This manifest with the usage of one more process that worked on the run. */
    public RunManifest withUsage(Usage more) {
        return new RunManifest(
                format,
                name,
                status,
                fingerprint,
                seed,
                command,
                started,
                versions,
                inputs,
                sizes,
                seconds,
                Optional.of(usage.map(before -> before.plus(more)).orElse(more)),
                files);
    }

    /** The seconds that training the model took, without the stages before it; NaN if it is not trained. */
    public double trainingSeconds() {
        return ofTraining(seconds);
    }

    /** The CPU seconds of the same, which do not depend on what else the machine does; NaN if they are unknown. */
    public double trainingCpuSeconds() {
        return usage.map(Usage::cpuSeconds).map(RunManifest::ofTraining).orElse(Double.NaN);
    }

    private static double ofTraining(Map<String, Double> byStage) {
        return byStage.getOrDefault(NETWORK_STAGE, byStage.getOrDefault(MODEL_STAGE, Double.NaN));
    }

    /** The program and the machine, with the processor that the model is trained on. */
    public static Map<String, String> currentVersions(String device) {
        String own = RunManifest.class.getPackage().getImplementationVersion();
        Map<String, String> versions = new TreeMap<>();
        versions.put("plant4j", own == null ? "development" : own);
        versions.put("java", System.getProperty("java.vm.name") + " " + System.getProperty("java.version"));
        versions.put("os", System.getProperty("os.name") + " " + System.getProperty("os.arch"));
        versions.put("engine", Engine.name());
        versions.put(DEVICE, device);
        return versions;
    }
}
