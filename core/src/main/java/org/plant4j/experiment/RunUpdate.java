package org.plant4j.experiment;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.plant4j.UserError;
import org.plant4j.support.AtomicFile;
import org.plant4j.support.FileChecksums;
import org.plant4j.support.FileTree;

/**
 * Writes files of a run together with its manifest. New files are written to a temporary directory and then moved into the
 * run. The manifest does not list a file while it is being replaced, so that after a crash each listed file is complete, and
 * the files of an unfinished update do not belong to the run.
 */
record RunUpdate(RunDirectory run) {

    private static final String STAGING = ".staging";

    /** Writes the first files of a run; an existing run is replaced except for its log. */
    void create(RunManifest manifest, Consumer<RunDirectory> writer) {
        RunDirectory staging = stage(writer);
        FileChecksums created = FileChecksums.of(staging.path());
        clear(staging);
        publish(staging, created);
        write(manifest.withFiles(created));
    }

    /** Adds or replaces files, and changes the manifest. */
    void add(Consumer<RunDirectory> writer, UnaryOperator<RunManifest> change) {
        addMissingChecksums();
        RunDirectory staging = stage(writer);
        FileChecksums added = FileChecksums.of(staging.path());
        RunManifest before = run.readManifest();
        FileChecksums unchanged = before.files().without(added);
        write(before.withFiles(unchanged));
        publish(staging, added);
        write(change.apply(before).withFiles(unchanged.with(added)));
    }

    /** Lists the files of a run from a version without checksums. */
    void addMissingChecksums() {
        RunManifest manifest = run.readManifest();
        if (manifest.format() == 0) {
            FileTree.delete(run.path().resolve(STAGING));
            Set<Path> others = Set.of(run.manifest(), run.log(), run.checkpoint());
            List<Path> files = FileTree.files(run.path()).stream()
                    .filter(file -> !others.contains(file) && !file.toString().endsWith(".tmp"))
                    .toList();
            write(manifest.withFiles(FileChecksums.of(run.path(), files)));
        }
    }

    private void write(RunManifest manifest) {
        new ManifestFile(run.manifest()).write(manifest);
    }

    private RunDirectory stage(Consumer<RunDirectory> writer) {
        RunDirectory staging = new RunDirectory(run.path().resolve(STAGING));
        FileTree.delete(staging.path());
        try {
            Files.createDirectories(staging.path());
        } catch (IOException e) {
            throw new UserError(
                    "The run directory cannot be written", run.path().toString(), "choose another --runs", e);
        }
        try {
            writer.accept(staging);
        } catch (RuntimeException | Error e) {
            FileTree.delete(staging.path());
            throw e;
        }
        return staging;
    }

    private void publish(RunDirectory staging, FileChecksums files) {
        for (String name : files.files().keySet()) {
            Path target = run.path().resolve(name);
            try {
                Files.createDirectories(target.resolveSibling(""));
            } catch (IOException e) {
                throw new UncheckedIOException("cannot write " + target, e);
            }
            AtomicFile.move(staging.path().resolve(name), target);
        }
        FileTree.delete(staging.path());
    }

    /** Deletes the manifest last: as long as it exists, a partly deleted run is recognized as damaged. */
    private void clear(RunDirectory staging) {
        FileTree.delete(run.checkpoint());
        if (!Files.exists(run.manifest())) {
            return; // not a run: other files are left alone, and do not belong to the new run
        }
        Set<Path> kept = Set.of(run.log(), staging.path(), run.manifest());
        try (Stream<Path> inside = Files.list(run.path())) {
            inside.filter(each -> !kept.contains(each)).forEach(FileTree::delete);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot clear " + run.path(), e);
        }
        FileTree.delete(run.manifest());
    }
}
