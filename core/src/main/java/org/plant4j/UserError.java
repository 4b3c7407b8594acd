package org.plant4j;

import java.io.Serial;

/** An error that the user can fix: what is wrong, where, and the remedy. The command line exits with code 2. */
public final class UserError extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1L;

    private final String what;
    private final String where;
    private final String remedy;

    public UserError(String what, String where, String remedy) {
        super(what + "\n  where: " + where + "\n  remedy: " + remedy);
        this.what = what;
        this.where = where;
        this.remedy = remedy;
    }

    public UserError(String what, String where, String remedy, Throwable cause) {
        this(what, where, remedy);
        initCause(cause);
    }

    public String what() {
        return what;
    }

    public String where() {
        return where;
    }

    public String remedy() {
        return remedy;
    }
}
