package org.plant4j.cli.doctor;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.plant4j.cli.option.Version;
import org.plant4j.cli.terminal.ByteSize;

/** What {@code plant doctor} found: facts by section, and problems with their remedies. */
public record Diagnosis(Map<String, Map<String, String>> facts, List<Problem> problems) {

    /** Something wrong; blocking where Plant4j cannot work at all with it. */
    public record Problem(String what, String where, String remedy, boolean blocking) {}

    private static final long GIB = 1L << 30;
    private static final Set<String> PLATFORMS = Set.of("linux-x86_64", "macosx-arm64", "windows-x86_64");
    private static final List<String> VARIABLES = List.of(
            "OMP_NUM_THREADS",
            "OPENBLAS_NUM_THREADS",
            "GOMP_SPINCOUNT",
            "OPENBLAS_THREAD_TIMEOUT",
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
        system.put("memory", size(machine.memory()) + ", " + size(machine.freeMemory()) + " free");

        Map<String, String> java = new LinkedHashMap<>();
        java.put("version", machine.property("java.vm.version") + ", " + machine.property("java.vendor"));
        java.put("machine", machine.property("java.vm.name"));
        java.put("home", machine.property("java.home"));
        java.put("heap limit", ByteSize.format(machine.heap()));
        java.put("file names", machine.property("sun.jnu.encoding"));

        Map<String, String> folders = new LinkedHashMap<>();
        folders.put("current folder", machine.directory() + ", " + size(machine.freeDisk()) + " free on its disk");
        String cacheSize = machine.cacheSize() == 0 ? "nothing unpacked yet" : size(machine.cacheSize());
        folders.put(
                "native libraries",
                machine.cache() + ", " + cacheSize + ", " + size(machine.cacheFreeDisk()) + " free on its disk");

        Map<String, String> environment = new LinkedHashMap<>();
        for (String variable : VARIABLES) {
            environment.put(variable, machine.environment().getOrDefault(variable, "(not set)"));
        }

        Map<String, Map<String, String>> facts = new LinkedHashMap<>();
        facts.put("System", system);
        facts.put("Java", java);
        facts.put("Engine", engine);
        facts.put("Folders", folders);
        facts.put("Environment", environment);
        return facts;
    }

    private static List<Problem> problems(SystemInfo machine, Map<String, String> engine) {
        List<Problem> problems = new ArrayList<>();
        if (!PLATFORMS.contains(machine.platform())) {
            problems.add(new Problem(
                    "The engine does not exist for this platform",
                    machine.platform(),
                    "use one of "
                            + String.join(", ", PLATFORMS.stream().sorted().toList()),
                    true));
        } else if (engine.containsKey("error")) {
            problems.add(new Problem(
                    "The engine cannot be loaded",
                    engine.get("error"),
                    "delete " + machine.cache() + " and try again; look for free disk space there, and for a system of"
                            + " glibc 2.28 or newer on Linux",
                    true));
        }
        if (!machine.cacheWritable()) {
            problems.add(new Problem(
                    "The native libraries cannot be unpacked",
                    machine.cache() + " cannot be written",
                    "choose another folder: PLANT_JAVA_OPTS=-Dorg.bytedeco.javacpp.cachedir=/some/folder",
                    true));
        }
        checkFreeDisk(problems, machine.cacheFreeDisk(), 1, "native libraries are unpacked to " + machine.cache());
        checkFreeDisk(problems, machine.freeDisk(), 2, "runs are written to " + machine.directory());
        checkMemory(problems, machine);
        checkThreads(problems, machine, "OMP_NUM_THREADS");
        checkThreads(problems, machine, "OPENBLAS_NUM_THREADS");
        checkLauncher(problems, machine);
        String cuda = engine.getOrDefault("cuda", "");
        if (machine.nvidiaDriver() && (cuda.isEmpty() || cuda.startsWith("no"))) {
            problems.add(new Problem(
                    "There is an NVIDIA driver, but the engine is built for the CPU",
                    "engine",
                    "PLANT_CUDA=1 ./plant doctor builds it for the GPU",
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
        if (machine.memory() < 0) {
            return;
        }
        if (machine.memory() < 4 * GIB) {
            problems.add(new Problem(
                    "There is little memory: " + ByteSize.format(machine.memory()),
                    "this machine or container",
                    "train with small batches; 4 GiB serve the demo, 16 GiB the larger corpora",
                    false));
        }
        if (machine.heap() > machine.memory() * 3 / 4) {
            problems.add(new Problem(
                    "Java's heap leaves the engine too little memory",
                    "heap limit of " + ByteSize.format(machine.heap()) + " in " + ByteSize.format(machine.memory()),
                    "take -Xmx down to half of the memory: tensors live outside the heap",
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
                    number ? "More threads are asked for than there are cores" : "The number of threads is no number",
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
                    "start Plant4j through ./plant (Windows: plant.cmd), or set them yourself",
                    false));
        }
        String encoding = machine.property("sun.jnu.encoding");
        if (!encoding.equals("UTF-8") && !machine.platform().startsWith("windows")) {
            problems.add(new Problem(
                    "File names and arguments with accents cannot be read",
                    "locale with the encoding " + encoding,
                    "export LC_ALL=C.UTF-8",
                    false));
        }
    }

    private static String size(long bytes) {
        return bytes < 0 ? "unknown" : ByteSize.format(bytes);
    }
}
