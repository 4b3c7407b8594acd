package org.plant4j.edit;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The codes that an instructional note refers to, such as {@code (I11.-)} or {@code (O10-O11, O13-O16)}. */
final class CodeReferences {

    private static final Pattern PARENTHESES = Pattern.compile("\\(([^()]*)\\)");
    private static final String CODE = "[A-Z][0-9][0-9A-Z](?:\\.[0-9A-Z]{1,4})?";
    private static final Pattern RANGE = Pattern.compile("(" + CODE + ")(?:\\.?-(" + CODE + "))?\\.?-?");

    /** Codes from one to another, without dots, each with all codes below. */
    private record Range(String from, String to) {}

    private final List<Range> ranges = new ArrayList<>();

    private CodeReferences() {}

    /** Reads the codes in parentheses. References with a condition ("with fifth character 5") are left out. */
    static CodeReferences ofNotes(List<String> notes) {
        CodeReferences references = new CodeReferences();
        for (String note : notes) {
            Matcher group = PARENTHESES.matcher(note);
            while (group.find()) {
                if (!group.group(1).contains("with")) {
                    references.add(group.group(1));
                }
            }
        }
        return references;
    }

    /** Reads a list such as {@code I11-I13, O10}. */
    static CodeReferences ofList(String list) {
        CodeReferences references = new CodeReferences();
        references.add(list);
        return references;
    }

    private void add(String list) {
        for (String part : list.split("[,;]", -1)) {
            Matcher range = RANGE.matcher(part.strip());
            if (range.matches()) {
                String from = CodeRules.key(range.group(1));
                ranges.add(new Range(from, range.group(2) == null ? from : CodeRules.key(range.group(2))));
            }
        }
    }

    boolean isEmpty() {
        return ranges.isEmpty();
    }

    /** The assigned codes that the note refers to. */
    Stream<String> among(AssignedCodes codes) {
        return ranges.stream()
                .flatMap(range -> codes.between(range.from(), range.to()))
                .distinct();
    }

    /** Billable codes of the code set that the note refers to, at most {@code limit} of each range. */
    Stream<String> billable(CodeRules rules, int limit) {
        return ranges.stream().flatMap(range -> rules.billableBetween(range.from(), range.to(), limit));
    }
}
