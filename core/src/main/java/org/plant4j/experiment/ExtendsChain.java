package org.plant4j.experiment;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.plant4j.UserError;

/** The settings files that are being read, each because the one before it extends it. */
final class ExtendsChain {

    /** Far more than any experiment needs; a file that is reached by two paths counts twice. */
    private static final int MAX_FILES = 100;

    private final Deque<String> open = new ArrayDeque<>();
    private final Optional<String> autoModel;
    private int count;
    private boolean usesAuto;

    ExtendsChain() {
        this(Optional.empty());
    }

    /** {@code autoModel} replaces the model {@code auto}. */
    ExtendsChain(Optional<String> autoModel) {
        this.autoModel = autoModel;
    }

    /** The name to load for a name in {@code extends}: for {@code auto} the model that was chosen, if it was. */
    String resolve(String name) {
        usesAuto |= name.equals(AutoModel.NAME);
        return name.equals(AutoModel.NAME) ? autoModel.orElse(name) : name;
    }

    /** Whether a file of the experiment extends {@code auto}. */
    boolean usesAuto() {
        return usesAuto;
    }

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
