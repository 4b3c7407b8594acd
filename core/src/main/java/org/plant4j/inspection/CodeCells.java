package org.plant4j.inspection;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.plant4j.UserError;

/** Refuses tables that can be read, but whose rows or codes are not what a corpus needs. */
final class CodeCells {

    /** Of rows; a few documents that occur twice are a warning. */
    private static final double MAX_REPEATED_ROWS = 0.3;

    /** Short texts, such as titles, may be equal in different documents. */
    private static final int LONG_TEXT = 100;

    private CodeCells() {}

    static void check(SampleTable table, Map<String, String> roles, boolean json, String where) {
        String column = roles.getOrDefault("codes", "codes");
        if (!json) {
            checkLists(table.texts(column), column, where);
        }
        List<String> ids = table.texts(roles.getOrDefault("id", ""));
        List<String> texts = table.texts(roles.getOrDefault("text", "text"));
        if (repeatedRows(ids, texts) > MAX_REPEATED_ROWS * table.rows()) {
            throw new UserError(
                    "Many rows have the same text, as if each row had one code of its document",
                    where,
                    "write one row per document, with codes such as J18.9;I10; in pandas: df.groupby(\""
                            + roles.getOrDefault("text", "text") + "\")[\"" + column
                            + "\"].agg(\";\".join).reset_index()");
        }
    }

    private static void checkLists(List<String> codes, String column, String where) {
        List<String> lists = codes.stream().filter(CodeSeparator::isList).toList();
        if (lists.size() * 2 > codes.size()) {
            throw new UserError(
                    "The column '" + column + "' contains lists, such as " + lists.get(0),
                    where,
                    "write codes as J18.9;I10; in pandas: df[\"" + column + "\"] = df[\"" + column
                            + "\"].str.join(\";\")");
        }
    }

    /** Rows with the text of an earlier one, and its id if there are ids. */
    private static int repeatedRows(List<String> ids, List<String> texts) {
        Set<String> seen = new HashSet<>();
        int repeated = 0;
        for (int i = 0; i < texts.size(); i++) {
            boolean known = ids.size() == texts.size();
            boolean first = seen.add((known ? ids.get(i) : "") + '\n' + texts.get(i));
            repeated += first || (!known && texts.get(i).length() < LONG_TEXT) ? 0 : 1;
        }
        return repeated;
    }
}
