package org.plant4j.fuzz;

import java.util.List;

/** Texts that clinical documents rarely contain and programs often forget. */
final class OddText {

    private static final List<String> WORDS = List.of(
            "hypertension",
            "fever",
            "sepsis",
            "pneumonia",
            "the",
            "of",
            "gout",
            "T2DM",
            "neumonía",
            "Fußpilz",
            "x-ray");

    /** Well-formed, but unusual. */
    private static final List<String> ODD = List.of(
            "\u202Eesrever\u202C", // right-to-left override
            "\u0627\u0644\u062D\u0645\u0649", // Arabic
            "\u767A\u71B1", // Japanese
            "\uD83E\uDE7A", // an emoji of two UTF-16 units
            "e\u0301\u0323\u0302", // combining marks
            "\u200B",
            "\uFEFF",
            "\u00A0",
            "\u2028",
            "\u0085",
            "\u0130\u0131", // change length in lower case
            "\uFB03",
            "\uD835\uDC00",
            "\r",
            "\r\n",
            "\t",
            "\n\n\n",
            "\"",
            "\\",
            "'",
            ",",
            ";",
            "<b>&amp;</b>",
            "%00",
            "0x1F",
            "\u0660\u0661", // Arabic digits
            "1e400");

    private static final List<String> CONTROL = List.of("\u0001", "\u0007", "\u0008", "\u001B[31m", "\u007F", "\u009F");

    /** Not valid in any encoding. */
    private static final List<String> SURROGATES = List.of("\uD800", "\uDC00", "\uDFFF\uD800", "a\uDBFF");

    private OddText() {}

    static String word(FuzzInput input) {
        return input.pick(WORDS);
    }

    /** Words and odd characters that every encoding can represent; never blank. */
    static String valid(FuzzInput input, int maxWords) {
        StringBuilder text = new StringBuilder(word(input));
        for (int n = input.below(maxWords); n > 0; n--) {
            text.append(input.chance(0.9) ? " " : "\n").append(input.chance(0.8) ? word(input) : input.pick(ODD));
        }
        return text.toString();
    }

    /** Any sequence of characters, also empty, blank, with lone surrogates or with very long tokens. */
    static String any(FuzzInput input, int maxLength) {
        StringBuilder text = new StringBuilder();
        switch (input.below(8)) {
            case 0 -> text.append(" ".repeat(input.below(maxLength)));
            case 1 -> text.append(word(input).repeat(1 + input.below(maxLength / 16)));
            case 2 -> text.append((input.pick(ODD) + " ").repeat(1 + input.below(maxLength / 16)));
            case 3 -> input.random().ints(input.below(maxLength), 0, 0x10000).forEach(c -> text.append((char) c));
            default -> {
                for (int n = input.below(30); n > 0; n--) {
                    text.append(input.chance(0.3) ? " " : "");
                    text.append(
                            switch (input.below(5)) {
                                case 0 -> input.pick(ODD);
                                case 1 -> input.pick(CONTROL);
                                case 2 -> input.pick(SURROGATES);
                                default -> word(input);
                            });
                }
            }
        }
        return text.substring(0, Math.min(text.length(), maxLength));
    }

    /** Inserts, deletes or repeats something in a text. */
    static String mutate(String text, FuzzInput input) {
        int at = input.below(text.length() + 1);
        int end = at + input.below(text.length() - at + 1);
        return switch (input.below(4)) {
            case 0 -> text.substring(0, at) + text.substring(end);
            case 1 -> text.substring(0, end) + text.substring(at);
            case 2 -> text.substring(0, at) + input.pick(ODD) + text.substring(at);
            default -> text.substring(0, at) + any(input, 40) + text.substring(at);
        };
    }
}
