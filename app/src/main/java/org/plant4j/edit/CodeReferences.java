package org.plant4j.edit;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The codes that an instructional note refers to, such as {@code (I11.-)} or {@code (O10-O11, O13-O16)}. */
final class CodeReferences {

    private static final Pattern PARENTHESES = Pattern.compile("\\(([^()]*)\\)");
    private static final String CODE = "[A-Z][0-9][0-9A-Z](?:\\.[0-9A-Z]{1,4})?";
    private static final Pattern RANGE = Pattern.compile("(" + CODE + ")(?:\\.?-(" + CODE + "))?\\.?-?");

    /** Codes from one to another, each with all codes below. */
    private record Range(String from, String to) {

        boolean contains(String code) {
            String key = key(code);
            return prefix(key, from).compareTo(from) >= 0 && prefix(key, to).compareTo(to) <= 0;
        }

        private static String prefix(String key, String bound) {
            return key.substring(0, Math.min(key.length(), bound.length()));
        }
    }

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
                String from = key(range.group(1));
                ranges.add(new Range(from, range.group(2) == null ? from : key(range.group(2))));
            }
        }
    }

    boolean isEmpty() {
        return ranges.isEmpty();
    }

    boolean contains(String code) {
        return ranges.stream().anyMatch(range -> range.contains(code));
    }

    /** A code without its dot. */
    private static String key(String code) {
        return code.replace(".", "");
    }
}
