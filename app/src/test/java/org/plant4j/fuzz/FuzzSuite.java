package org.plant4j.fuzz;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;

/** All targets. */
final class FuzzSuite {

    /** A target, created with a directory for its files; it gets {@code share} of 1,000 inputs. */
    record Entry(String name, int share, Function<Path, FuzzTarget> open) {

        static final int SHARES = 1_000;

        @Override
        public String toString() {
            return name;
        }
    }

    /** Targets that train a model get few inputs. */
    static final List<Entry> TARGETS = List.of(
            new Entry("jsonl", 180, JsonLinesTarget::new),
            new Entry("csv", 145, CsvTarget::new),
            new Entry("text", 60, TextDirectoryTarget::new),
            new Entry("cantemist", 60, CantemistTarget::new),
            new Entry("codiesp", 60, CodiespTarget::new),
            new Entry("mimic3", 45, MimicTarget::version3),
            new Entry("mimic4", 45, MimicTarget::version4),
            new Entry("code-set", 50, CodeSetTarget::new),
            new Entry("coder", 50, CoderTarget::new),
            new Entry("api", 80, ApiTarget::new),
            new Entry("fhir", 60, FhirTarget::new),
            new Entry("experiment", 95, ExperimentTarget::new),
            new Entry("encoder", 5, EncoderTarget::new),
            new Entry("run-directory", 60, RunDirectoryTarget::new),
            new Entry("cache", 1, CacheTarget::new),
            new Entry("checkpoint", 4, CheckpointTarget::new));

    private FuzzSuite() {}
}
