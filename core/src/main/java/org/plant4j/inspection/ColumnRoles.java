package org.plant4j.inspection;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.plant4j.UserError;

/**
 * Guesses which columns contain text, codes, ids, evidence, groups and splits, from their names and values. Each column has
 * at most one role.
 */
final class ColumnRoles {

    private static final Pattern TEXT_NAME =
            Pattern.compile(".*(text|note|document|report|body|content|abstract|summary|texto|befund|narrative).*");
    private static final Pattern CODES_NAME = Pattern.compile(
            ".*(code|label|icd|diagnos|tags?|subjects|categor|class|target|topic|keyword|codigo|schlagw).*");
    private static final Pattern ID_NAME =
            Pattern.compile("(.*[_. -])?(id|ids|uuid|key|nr|no|number|doc|file|filename|docid|rowid)|.*(nr|nummer)");
    private static final Pattern GROUP_NAME = Pattern.compile(
            "(patient|subject|person|author|group|hadm|admission|encounter|visit|case|family|household|fall|paciente)"
                    + "(en)?[_. -]?(id|nr|no|number|nummer)?|mrn|pid");
    private static final Pattern FLAG = Pattern.compile("[01](\\.0)?|(?i)true|false|");
    private static final Pattern SPLIT_NAME = Pattern.compile("(data)?_?(split|subset|partition|fold|set)");

    /** Of rows: columns with fewer values, such as an age group, are categories. */
    private static final double MIN_GROUPS = 0.02;

    private static final int MAX_SPLITS = 10;
    private static final double MIN_TEXT_LENGTH = 12;

    private final SampleTable table;
    private final Map<String, String> roles = new LinkedHashMap<>();
    private final Set<String> taken = new HashSet<>();

    private ColumnRoles(SampleTable table) {
        this.table = table;
    }

    /** Column names by role: {@code text} and {@code codes} always, the others if they were found. */
    static Map<String, String> of(SampleTable table, String where) {
        ColumnRoles roles = new ColumnRoles(table);
        roles.assign("evidence", roles.first(roles::isEvidence));
        roles.assign("split", roles.first(roles::isSplit));
        roles.assign(
                "group",
                roles.first(
                        name -> GROUP_NAME.matcher(lower(name)).matches() && roles.repeats(name) && roles.isId(name)));
        roles.assign("text", roles.text());
        roles.assign("codes", roles.codes());
        roles.assign(
                "id",
                roles.first(name -> ID_NAME.matcher(lower(name)).matches() && !roles.repeats(name))
                        .or(() -> roles.first(name -> lower(name).equals("id"))));
        for (String role : List.of("text", "codes")) {
            if (!roles.roles.containsKey(role)) {
                throw new UserError(
                        "No column looks like " + role + "; found: "
                                + String.join(", ", table.columns().keySet()),
                        where,
                        role.equals("codes")
                                ? "write the codes of each document into one column 'codes', such as J18.9;I10"
                                : "name the column '" + role + "'");
            }
        }
        return roles.roles;
    }

    private void assign(String role, Optional<String> column) {
        column.ifPresent(name -> {
            roles.put(role, name);
            taken.add(name);
        });
    }

    private Optional<String> first(Predicate<String> test) {
        return table.columns().keySet().stream()
                .filter(name -> !taken.contains(name))
                .filter(test)
                .findFirst();
    }

    private boolean isEvidence(String name) {
        return table.values(name).stream()
                .anyMatch(value -> value.isArray()
                        && value.path(0).has("code")
                        && value.path(0).has("spans"));
    }

    private boolean isSplit(String name) {
        Set<String> values = new HashSet<>(table.texts(name));
        return SPLIT_NAME.matcher(lower(name)).matches()
                && values.size() > 1
                && values.size() <= MAX_SPLITS
                && values.stream().anyMatch(value -> value.strip().equalsIgnoreCase("train"));
    }

    /** Whether some values occur more than once, as the patients of several documents do. */
    private boolean repeats(String name) {
        List<String> values = table.texts(name);
        return new HashSet<>(values).size() < values.size();
    }

    private boolean isId(String name) {
        List<String> values = table.texts(name);
        return new HashSet<>(values).size() >= MIN_GROUPS * values.size();
    }

    /** The column with the longest texts; one that is named as a text wins unless another is four times as long. */
    private Optional<String> text() {
        String best = null;
        double bestLength = MIN_TEXT_LENGTH;
        for (String name : table.columns().keySet()) {
            boolean texts = table.values(name).stream().anyMatch(JsonNode::isTextual);
            if (taken.contains(name) || !texts) {
                continue;
            }
            double named = lower(name).equals("text")
                    ? 1000
                    : TEXT_NAME.matcher(lower(name)).matches() ? 4 : 1;
            double length = named * meanLength(name);
            if (length > bestLength) {
                bestLength = length;
                best = name;
            }
        }
        return Optional.ofNullable(best);
    }

    /** A column named as codes, or else an array of texts, or else the one whose values look most like codes. */
    private Optional<String> codes() {
        return first(name -> lower(name).equals("codes"))
                .or(() -> first(name -> CODES_NAME.matcher(lower(name)).matches() && !isNumberedId(name)))
                .or(() -> first(name -> table.values(name).stream()
                        .anyMatch(value -> value.isArray() && value.path(0).isTextual())))
                .or(() -> first(name -> !isNumberedId(name)
                        && !isFlag(name)
                        && CodeSeparator.looksLikeCodes(table.texts(name))
                        && CodeSeparator.repeats(table.texts(name))));
    }

    /** Whether the column only says yes or no, as in a table with one column per code. */
    private boolean isFlag(String name) {
        return table.texts(name).stream()
                .allMatch(value -> FLAG.matcher(value.strip()).matches());
    }

    private boolean isNumberedId(String name) {
        return lower(name).endsWith("_id") || lower(name).equals("id");
    }

    private double meanLength(String name) {
        return table.texts(name).stream().mapToInt(String::length).average().orElse(0);
    }

    private static String lower(String name) {
        return name.strip().toLowerCase(Locale.ROOT);
    }
}
