package org.plant4j.experiment;

import java.util.ArrayDeque;
import java.util.Deque;
import org.plant4j.support.UserError;

/** The settings files that are being read, each because the one before it extends it. */
final class ExtendsChain {

    /** Far more than any experiment needs; a file that is extended on two ways counts twice. */
    private static final int MAX_FILES = 100;

    private final Deque<String> open = new ArrayDeque<>();
    private int count;

    /**
     * Begins a file.
     *
     * @param kind "experiment" or "corpus", since a model and a corpus may have the same name
     * @param id the path or name of the file
     */
    void begin(String kind, String id) {
        if (open.contains(kind + " " + id)) {
            throw new UserError("The file extends itself", id, "remove the cycle from `extends`");
        }
        if (++count > MAX_FILES) {
            throw new UserError(
                    "The experiment extends more than " + MAX_FILES + " files, counting each time that a file is read",
                    id,
                    "extend fewer files: copy settings instead");
        }
        open.push(kind + " " + id);
    }

    void end() {
        open.pop();
    }
}
