package org.plant4j.fuzz;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;

/** All targets. */
final class FuzzSuite {

    /** The sum of the shares of all targets. */
    static final int SHARES = 1_000;

    /** A target, created with a directory for its files. */
    record Entry(String name, Function<Path, FuzzTarget> open) {

        @Override
        public String toString() {
            return name;
        }
    }

    static final List<Entry> TARGETS = List.of(
            new Entry("jsonl", JsonLinesTarget::new),
            new Entry("csv", CsvTarget::new),
            new Entry("text", TextDirectoryTarget::new),
            new Entry("cantemist", CantemistTarget::new),
            new Entry("codiesp", CodiespTarget::new),
            new Entry("mimic3", MimicTarget::version3),
            new Entry("mimic4", MimicTarget::version4),
            new Entry("code-set", CodeSetTarget::new),
            new Entry("coder", CoderTarget::new),
            new Entry("api", ApiTarget::new),
            new Entry("fhir", FhirTarget::new));

    private FuzzSuite() {}
}
