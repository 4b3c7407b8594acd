package org.plant4j.preparation;

import java.io.Serializable;
import java.util.LinkedHashMap;
import java.util.OptionalInt;
import org.plant4j.text.LabelIndex;

/** The labels of evaluation documents: codes that are not in the label index get the next free ids as they occur. */
public final class GoldLabels implements Serializable {

    private static final long serialVersionUID = 1;

    private final LabelIndex labels;
    private final LinkedHashMap<String, Integer> added = new LinkedHashMap<>();

    public GoldLabels(LabelIndex labels) {
        this.labels = labels;
    }

    /** The id of a code, a new one if it has none. Thread-safe for codes that have one. */
    public int id(String code) {
        OptionalInt known = labels.id(code);
        if (known.isPresent()) {
            return known.getAsInt();
        }
        if (!added.containsKey(code)) {
            added.put(code, labels.codes().size() + added.size());
        }
        return added.get(code);
    }

    /** Whether the code is in the label index. */
    public boolean isIndexed(String code) {
        return labels.id(code).isPresent();
    }

    /** The label index without the new codes. */
    LabelIndex index() {
        return labels;
    }

    /** The label index with the new codes. */
    public LabelIndex extended() {
        return labels.extendedWith(added.keySet());
    }
}
