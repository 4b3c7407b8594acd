package org.plant4j.spark;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.apache.spark.sql.SparkSession;
import org.plant4j.experiment.RunDirectory;

/** A run directory as a Spark archive, which is copied to each executor and unpacked there. */
final class RunArchive {

    private RunArchive() {}

    /**
     * Makes a run available to all executors and returns its name for {@link PlantCoder#setRun}. A directory of this
     * machine is checked and shipped, unless everything runs here; anything else is a name that the executors know.
     */
    static String ship(SparkSession spark, String run) {
        Path directory = Path.of(run);
        if (!Files.isDirectory(directory)) {
            return run;
        }
        String version = RunDirectory.open(directory).readManifest().version();
        if (spark.sparkContext().isLocal()) {
            return directory.toAbsolutePath().toString();
        }
        String name = "run-" + version;
        try {
            Path archive = Files.createTempFile(name, ".zip");
            archive.toFile().deleteOnExit(); // executors fetch it while the job runs
            zip(directory, archive);
            spark.sparkContext().addArchive(archive.toUri() + "#" + name);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return name;
    }

    static void zip(Path directory, Path archive) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.walk(directory)) {
            files = all.filter(Files::isRegularFile).sorted().toList();
        }
        try (OutputStream out = Files.newOutputStream(archive);
                ZipOutputStream zip = new ZipOutputStream(out)) {
            zip.setLevel(Deflater.BEST_SPEED);
            for (Path file : files) {
                zip.putNextEntry(new ZipEntry(directory.relativize(file).toString()));
                Files.copy(file, zip);
            }
        }
    }
}
