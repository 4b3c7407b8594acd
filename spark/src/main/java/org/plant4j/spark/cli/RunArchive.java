package org.plant4j.spark.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.pretrained.PretrainedModels;
import org.plant4j.spark.PlantCoder;

/**
 * A run directory as a Spark archive, which is copied to each executor and unpacked there.
 *
 * @param name the name of the run for {@link PlantCoder#setRun}
 * @param file the archive, if one is needed
 */
record RunArchive(String name, Optional<URI> file) {

    /**
     * Makes a run available to all executors. A directory of this machine or a pretrained model is checked and shipped, unless
     * everything runs here; anything else is a name that the executors know.
     */
    static RunArchive of(String run, boolean local) {
        Path named = Path.of(run);
        Path directory = PretrainedModels.locate(named).map(RunDirectory::path).orElse(named);
        if (!Files.isDirectory(directory)) {
            return new RunArchive(run, Optional.empty());
        }
        String version = RunDirectory.open(directory).readManifest().version();
        if (local) {
            return new RunArchive(directory.toAbsolutePath().toString(), Optional.empty());
        }
        String name = "run-" + version;
        try {
            Path archive = Files.createTempFile(name, ".zip");
            archive.toFile().deleteOnExit(); // executors fetch it while the job runs
            zip(directory, archive);
            return new RunArchive(name, Optional.of(URI.create(archive.toUri() + "#" + name)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void zip(Path directory, Path archive) throws IOException {
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
