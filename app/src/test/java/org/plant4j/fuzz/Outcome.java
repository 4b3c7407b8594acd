package org.plant4j.fuzz;

/** How the code under test handled one input. */
enum Outcome {
    /** The input was read, and the result passed all checks. */
    ACCEPTED(false),
    /** The input was refused with an error that names what is wrong. */
    REFUSED(false),
    /** The input was damaged or rewritten, and the result equals that of the original. */
    SAME(false),
    /** An undocumented exception or answer, or a valid input that was refused. */
    CRASH(true),
    /** No result within the time limit. */
    HANG(true),
    /** A result that differs from the correct one, without an error. */
    SILENT(true);

    private final boolean fault;

    Outcome(boolean fault) {
        this.fault = fault;
    }

    boolean isFault() {
        return fault;
    }
}
