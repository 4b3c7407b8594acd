package org.plant4j.preparation;

import java.util.HashMap;
import java.util.Map;
import org.plant4j.UserError;
import org.plant4j.text.TokenStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds document ids that occur more than once in the splits of a prepared corpus. */
final class DocumentIds {

    private static final Logger LOG = LoggerFactory.getLogger(DocumentIds.class);

    private final Map<String, String> splits = new HashMap<>();

    /**
     * Adds the ids of a split. An id that occurs twice in it is an error, since predictions are stored by id. An id that
     * another split has as well is a warning: files that number their documents from 1 are common and lose nothing, but
     * the same document in training and test makes results too good.
     *
     * @param source the name of the corpus, for messages
     */
    void add(String split, TokenStore documents, String source) {
        int shared = 0;
        String example = "";
        for (int i = 0; i < documents.size(); i++) {
            String id = documents.id(i);
            String other = splits.put(id, split);
            if (split.equals(other)) {
                throw new UserError(
                        "Two documents of the split '" + split + "' have the id '" + id + "'",
                        source,
                        "use unique ids");
            }
            if (other != null) {
                shared++;
                example = example.isEmpty() ? "'" + id + "' in " + other + " and " + split : example;
            }
        }
        if (shared > 0) {
            LOG.warn(
                    "{} documents of the split {} have the id of a document of another split, such as {}."
                            + " Check that no document is in both.",
                    shared,
                    split,
                    example);
        }
    }
}
