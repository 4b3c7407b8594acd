package org.plant4j.fuzz;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32;

/** Damaged stage caches: an error, or a run with the same weights as from an intact cache. */
final class CacheTarget implements FuzzTarget {

    /** Files that do not depend on the time. */
    static final List<String> COMPARED =
            List.of("weights.safetensors", "vocabulary.tsv", "labels.tsv", "thresholds.json");

    private static final String MODEL = "plant";
    private static final String CACHE = ".cache";

    private final TinyRuns tiny;
    private final Path original;
    private final Path copy;
    private final Map<String, Long> expected;

    CacheTarget(Path directory) {
        tiny = TinyRuns.in(directory.resolve("tiny"));
        expected = checksums(tiny.train(MODEL));
        original = directory.resolve("tiny/runs").resolve(CACHE);
        copy = directory.resolve("copy");
    }

    @Override
    public String name() {
        return "cache";
    }

    @Override
    public Outcome test(FuzzInput input) throws IOException {
        Path cache = copy.resolve(CACHE);
        CorpusFiles.clear(copy);
        DirectoryDamage.copy(original, cache);
        DirectoryDamage.damage(input.pick(DirectoryDamage.files(cache)), cache, original, input);
        SilentDifference.check(expected, checksums(tiny.run(MODEL, copy, () -> false)));
        return Outcome.SAME;
    }

    /** A number that depends on all bytes, for each compared file. */
    static Map<String, Long> checksums(Path run) {
        Map<String, Long> checksums = new TreeMap<>();
        for (String name : COMPARED) {
            CRC32 checksum = new CRC32();
            try {
                checksum.update(Files.readAllBytes(run.resolve(name)));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            checksums.put(name, checksum.getValue());
        }
        return checksums;
    }
}
