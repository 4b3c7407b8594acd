package org.plant4j.spark;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.SparkFiles;
import org.plant4j.Coder;
import org.plant4j.Device;
import org.plant4j.UserError;
import org.plant4j.pretrained.PretrainedModels;
import org.plant4j.tensor.Engine;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The models of an executor, each loaded once for all tasks. They are never closed: they live as long as the JVM. */
final class CoderCache {

    private static final Logger LOG = LoggerFactory.getLogger(CoderCache.class);

    private static final Map<String, Coder> CODERS = new ConcurrentHashMap<>();

    private CoderCache() {}

    static Coder get(String run, String device) {
        return CODERS.computeIfAbsent(device + " " + run, key -> load(run, device));
    }

    private static Coder load(String run, String device) {
        // Each task is one thread. More threads per task than cores make coding many times slower.
        Engine.setThreads(1);
        long start = System.nanoTime();
        Coder coder = Coder.builder(directory(run)).device(Device.of(device)).load();
        LOG.info("Loaded {} in {} ms", run, (System.nanoTime() - start) / 1_000_000);
        return coder;
    }

    /**
     * A directory of this machine, an archive that Spark has unpacked ({@code spark.archives=run.zip#name}), or a pretrained
     * model on the class path.
     */
    static Path directory(String run) {
        Path directory = Path.of(run);
        if (Files.isDirectory(directory)) {
            return directory;
        }
        Path archive = Path.of(SparkFiles.getRootDirectory()).resolve(run);
        if (Files.isDirectory(archive)) {
            return archive;
        }
        return PretrainedModels.locate(directory)
                .orElseThrow(() -> new UserError(
                        "There is no such run on this executor",
                        run,
                        "give a directory that every machine has, or ship the run with spark.archives=RUN.zip#" + run))
                .path();
    }
}
