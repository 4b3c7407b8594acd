package org.plant4j;

import java.io.Serial;

/** An error that the user can fix: what is wrong, where, and the remedy. The command line exits with code 2. */
public final class UserError extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1L;

    /** What is wrong. */
    private final String what;
    /** Where it is wrong. */
    private final String where;
    /** How to fix it. */
    private final String remedy;

    /**
     * An error of the given input.
     *
     * @param what what is wrong
     * @param where where: a file and line, a setting or an argument
     * @param remedy how to fix it
     */
    public UserError(String what, String where, String remedy) {
        super(what + "\n  where: " + where + "\n  remedy: " + remedy);
        this.what = what;
        this.where = where;
        this.remedy = remedy;
    }

    /**
     * An error with a cause.
     *
     * @param what what is wrong
     * @param where where: a file and line, a setting or an argument
     * @param remedy how to fix it
     * @param cause the cause
     */
    public UserError(String what, String where, String remedy, Throwable cause) {
        this(what, where, remedy);
        initCause(cause);
    }

    /**
     * What is wrong, as a sentence without a full stop.
     *
     * @return what is wrong
     */
    public String what() {
        return what;
    }

    /**
     * Where it is wrong: a file and line, a setting or an argument.
     *
     * @return the place
     */
    public String where() {
        return where;
    }

    /**
     * How to fix it.
     *
     * @return how to fix it
     */
    public String remedy() {
        return remedy;
    }
}
