package org.plant4j.cli.doctor;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.plant4j.cli.option.Version;
import org.plant4j.cli.terminal.ByteSize;
import org.plant4j.tensor.NativeLibraries;

/** What {@code plant doctor} found: facts by section, and problems with their remedies. */
record Diagnosis(Map<String, Map<String, String>> facts, List<Problem> problems) {

    /** A problem; {@code blocking} if Plant4j cannot run because of it. */
    public record Problem(String what, String where, String remedy, boolean blocking) {}

    private static final long GIB = 1L << 30;
    private static final List<String> VARIABLES = List.of(
            "OMP_NUM_THREADS",
            "OPENBLAS_NUM_THREADS",
            "GOMP_SPINCOUNT",
            "OPENBLAS_THREAD_TIMEOUT",
            "OPENBLAS_CORETYPE",
            "OPENBLAS_L2_SIZE",
            "CUDA_VISIBLE_DEVICES",
            "PLANT_JAVA_OPTS",
            "PLANT_CUDA",
            "JAVA_TOOL_OPTIONS",
            "LC_ALL",
            "LANG");

    static Diagnosis of(SystemInfo machine, Map<String, String> engine) {
        return new Diagnosis(facts(machine, engine), problems(machine, engine));
    }

    @JsonIgnore
    boolean usable() {
        return problems.stream().noneMatch(Problem::blocking);
    }

    private static Map<String, Map<String, String>> facts(SystemInfo machine, Map<String, String> engine) {
        Map<String, String> system = new LinkedHashMap<>();
        system.put("Plant4j", Version.number());
        String kernel = machine.property("os.name") + " " + machine.property("os.version");
        String distribution = SystemInfo.distribution();
        system.put("operating system", distribution.isEmpty() ? kernel : distribution + " (" + kernel + ")");
        system.put("platform", machine.platform());
        system.put("cores", String.valueOf(machine.cores()));
        system.put(
                "memory",
                size(machine.memory().total()) + ", " + size(machine.memory().free()) + " free");

        Map<String, String> java = new LinkedHashMap<>();
        java.put("version", machine.property("java.vm.version") + ", " + machine.property("java.vendor"));
        java.put("virtual machine", machine.property("java.vm.name"));
        java.put("home", machine.property("java.home"));
        java.put("heap limit", ByteSize.format(machine.memory().heapLimit()));
        java.put("file name encoding", machine.property("sun.jnu.encoding"));

        Map<String, String> directories = new LinkedHashMap<>();
        directories.put(
                "current directory",
                machine.workingDirectory().path() + ", "
                        + size(machine.workingDirectory().freeDisk()) + " free");
        String cacheSize = machine.libraryCache().size() == 0
                ? "empty"
                : size(machine.libraryCache().size());
        directories.put(
                "native libraries",
                machine.libraryCache().path() + ", " + cacheSize + ", "
                        + size(machine.libraryCache().freeDisk()) + " free");

        Map<String, String> environment = new LinkedHashMap<>();
        for (String variable : VARIABLES) {
            environment.put(variable, machine.environment().getOrDefault(variable, "(not set)"));
        }

        Map<String, Map<String, String>> facts = new LinkedHashMap<>();
        facts.put("System", system);
        facts.put("Java", java);
        facts.put("Engine", engine);
        facts.put("Directories", directories);
        facts.put("Environment", environment);
        return facts;
    }

    private static List<Problem> problems(SystemInfo machine, Map<String, String> engine) {
        List<Problem> problems = new ArrayList<>();
        if (!NativeLibraries.PLATFORMS.contains(machine.platform())) {
            problems.add(new Problem(
                    "The engine is not available for this platform",
                    machine.platform(),
                    "use one of " + String.join(", ", NativeLibraries.PLATFORMS),
                    true));
        } else if (engine.containsKey("error")) {
            problems.add(new Problem(
                    "The engine cannot be loaded",
                    engine.get("error"),
                    engine.getOrDefault(
                            "remedy",
                            "delete " + machine.libraryCache().path()
                                    + " and try again; this needs free disk space and, on Linux, glibc 2.28 or newer"),
                    true));
        }
        if (!machine.libraryCache().writable()) {
            problems.add(new Problem(
                    "The native libraries cannot be unpacked",
                    machine.libraryCache().path() + " is not writable",
                    "choose another directory: PLANT_JAVA_OPTS=-Dorg.bytedeco.javacpp.cachedir=/some/directory",
                    true));
        }
        checkFreeDisk(
                problems,
                machine.libraryCache().freeDisk(),
                1,
                "native libraries are unpacked to " + machine.libraryCache().path());
        checkFreeDisk(
                problems,
                machine.workingDirectory().freeDisk(),
                2,
                "runs are written to " + machine.workingDirectory().path());
        checkMemory(problems, machine);
        checkThreads(problems, machine, "OMP_NUM_THREADS");
        checkThreads(problems, machine, "OPENBLAS_NUM_THREADS");
        checkLauncher(problems, machine);
        String cuda = engine.getOrDefault("cuda", "");
        if (machine.nvidiaDriver() && (cuda.isEmpty() || cuda.startsWith("no"))) {
            problems.add(new Problem(
                    "An NVIDIA driver is installed, but the engine was built for the CPU",
                    "engine",
                    "build it for the GPU with: PLANT_CUDA=1 ./plant doctor",
                    false));
        }
        return problems;
    }

    private static void checkFreeDisk(List<Problem> problems, long free, int gib, String use) {
        if (free >= 0 && free < gib * GIB) {
            String remedy = "free some space: at least " + gib + " GiB";
            problems.add(
                    new Problem("The disk is nearly full: " + ByteSize.format(free) + " free", use, remedy, false));
        }
    }

    private static void checkMemory(List<Problem> problems, SystemInfo machine) {
        if (machine.memory().total() < 0) {
            return;
        }
        if (machine.memory().total() < 4 * GIB) {
            problems.add(new Problem(
                    "This machine has little memory: "
                            + ByteSize.format(machine.memory().total()),
                    "machine or container",
                    "train with small batches; the demo needs 4 GiB, larger corpora 16 GiB",
                    false));
        }
        if (machine.memory().heapLimit() > machine.memory().total() * 3 / 4) {
            problems.add(new Problem(
                    "The Java heap leaves too little memory for the engine",
                    "heap limit of " + ByteSize.format(machine.memory().heapLimit()) + " in "
                            + ByteSize.format(machine.memory().total()),
                    "reduce -Xmx to half of the memory: tensors are outside the heap",
                    false));
        }
    }

    private static void checkThreads(List<Problem> problems, SystemInfo machine, String variable) {
        String value = machine.environment().getOrDefault(variable, "");
        if (value.isEmpty()) {
            return;
        }
        boolean number = value.matches("[1-9][0-9]{0,4}");
        if (!number || Integer.parseInt(value) > machine.cores()) {
            problems.add(new Problem(
                    number ? "There are more threads than cores" : "The number of threads is not a number",
                    variable + "=" + value,
                    "unset it, or choose 1 to " + machine.cores(),
                    false));
        }
    }

    private static void checkLauncher(List<Problem> problems, SystemInfo machine) {
        boolean memoryFlag =
                machine.property("org.bytedeco.javacpp.maxPhysicalBytes").equals("0");
        if (!memoryFlag || !machine.environment().containsKey("GOMP_SPINCOUNT")) {
            problems.add(new Problem(
                    "Java was started without the settings that make training fast",
                    "GOMP_SPINCOUNT=1000, OPENBLAS_THREAD_TIMEOUT=4, -Dorg.bytedeco.javacpp.maxPhysicalBytes=0",
                    "start Plant4j with ./plant (Windows: plant.cmd), or set them yourself",
                    false));
        }
        String encoding = machine.property("sun.jnu.encoding");
        if (!encoding.equals("UTF-8") && !machine.platform().startsWith("windows")) {
            problems.add(new Problem(
                    "File names and arguments with non-ASCII characters cannot be read",
                    "locale with encoding " + encoding,
                    "export LC_ALL=C.UTF-8",
                    false));
        }
    }

    private static String size(long bytes) {
        return bytes < 0 ? "unknown" : ByteSize.format(bytes);
    }
}
