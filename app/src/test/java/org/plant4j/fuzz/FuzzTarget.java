package org.plant4j.fuzz;

/** Code that must withstand any input: a reader, a loader or an interface. */
interface FuzzTarget extends AutoCloseable {

    String name();

    /**
     * Makes an input from the random numbers of {@code input} and uses it. A {@code UserError} means {@link
     * Outcome#REFUSED}, a {@link SilentDifference} means {@link Outcome#SILENT}, and any other throwable is a {@link
     * Outcome#CRASH}.
     */
    Outcome test(FuzzInput input) throws Exception;

    @Override
    default void close() {}
}
