package org.plant4j.pipeline.stage;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.plant4j.corpus.demo.DemoCorpus;
import org.plant4j.corpus.format.CorpusConfig;
import org.plant4j.corpus.format.CorpusFormats;
import org.plant4j.experiment.settings.SettingsPaths;
import org.plant4j.support.Sha256;

/** SHA-256 of the inputs of a stage: it is computed again if and only if they change. */
public final class Fingerprint {

    private static final Set<String> BY_PATIENT = Set.of("mimic2", "mimic3", "mimic4");

    private final MessageDigest digest = Sha256.newDigest();

    public Fingerprint add(Object value) {
        digest.update((value + "\n").getBytes(StandardCharsets.UTF_8));
        return this;
    }

    /** Adds the contents of a file, or of all files below a directory in order of their names. */
    public Fingerprint addFiles(Path path) {
        if (!Files.exists(path)) {
            return add("missing " + path);
        }
        try (Stream<Path> below = Files.walk(path)) {
            for (Path file : below.filter(Files::isRegularFile).sorted().toList()) {
                add(path.relativize(file));
                try (InputStream in = new DigestInputStream(Files.newInputStream(file), digest)) {
                    in.transferTo(OutputStream.nullOutputStream());
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + path, e);
        }
        return this;
    }

    /** Adds the settings of a corpus and the contents of its files. */
    public Fingerprint addCorpus(CorpusConfig corpus) {
        add(corpus.format())
                .add(corpus.train())
                .add(corpus.dev())
                .add(corpus.test())
                .add(corpus.options());
        if (!corpus.columns().isEmpty() || !corpus.delimiter().isEmpty()) {
            add(corpus.columns()).add(corpus.delimiter());
        }
        if (BY_PATIENT.contains(corpus.format()) && CorpusFormats.isSplitByGroup(corpus)) {
            add("split by patient"); // earlier versions split by admission
        }
        corpus.options().forEach((key, value) -> {
            if (SettingsPaths.CORPUS_OPTIONS.contains(key)) {
                addFiles(Path.of(value));
            }
        });
        if (corpus.path().isEmpty()) {
            return add(DemoCorpus.VERSION); // only the demo corpus has no files
        }
        if (SettingsPaths.isUri(corpus.path())) {
            return add(corpus.path()); // its contents are on a cluster
        }
        Path path = Path.of(corpus.path());
        List<Path> splitPaths = Stream.of(corpus.train(), corpus.dev(), corpus.test())
                .flatMap(List::stream)
                .map(path::resolve)
                .toList();
        // Subsets that are not files, such as the published id lists of MIMIC, may be anywhere in the directory.
        boolean allExist = !splitPaths.isEmpty() && splitPaths.stream().allMatch(Files::exists);
        (allExist ? splitPaths : List.of(path)).forEach(this::addFiles);
        return this;
    }

    public String hex() {
        return Sha256.hex(digest);
    }
}
