package org.plant4j.report;

/** Width and sanitizing of text for a terminal. */
public final class TerminalText {

    public static final String BOLD = "\u001b[1m";
    public static final String RESET = "\u001b[0m";

    private static final int REPLACEMENT = 0xFFFD;

    private TerminalText() {}

    /** The width in columns: 0 for a combining mark, 2 for an ideograph or an emoji. */
    public static int width(String text) {
        return text.codePoints().map(TerminalText::width).sum();
    }

    public static int width(int codePoint) {
        return switch (Character.getType(codePoint)) {
            case Character.NON_SPACING_MARK, Character.ENCLOSING_MARK, Character.FORMAT -> 0;
            default -> isWide(codePoint) ? 2 : 1;
        };
    }

    private static boolean isWide(int c) {
        return c >= 0x1100
                && (c <= 0x115F
                        || (c >= 0x2E80 && c <= 0xA4CF)
                        || (c >= 0xAC00 && c <= 0xD7A3)
                        || (c >= 0xF900 && c <= 0xFAFF)
                        || (c >= 0xFE30 && c <= 0xFE6F)
                        || (c >= 0xFF00 && c <= 0xFF60)
                        || (c >= 0xFFE0 && c <= 0xFFE6)
                        || (c >= 0x1F300 && c <= 0x1FAFF)
                        || (c >= 0x20000 && c <= 0x3FFFD));
    }

    /** One line of text without escape sequences, control characters and bidirectional overrides. */
    public static String sanitize(String text) {
        StringBuilder out = new StringBuilder(text.length());
        text.codePoints().map(TerminalText::sanitize).forEach(out::appendCodePoint);
        return out.toString();
    }

    /** One sanitized line of at most {@code columns} columns; longer text ends in an ellipsis. */
    public static String truncate(String text, int columns) {
        String line = sanitize(text);
        if (width(line) <= columns) {
            return line;
        }
        StringBuilder out = new StringBuilder();
        int left = columns - 1;
        for (int at = 0; at < line.length(); at += Character.charCount(line.codePointAt(at))) {
            int c = line.codePointAt(at);
            left -= width(c);
            if (left < 0) {
                break;
            }
            out.appendCodePoint(c);
        }
        return out.toString().stripTrailing() + "…";
    }

    /** The code point if harmless, a space for white space, U+FFFD for controls and bidirectional overrides. */
    public static int sanitize(int c) {
        if (c == '\t' || c == '\n' || c == '\r') {
            return ' ';
        }
        boolean bidi = (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
        boolean loneSurrogate = c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE;
        return bidi || loneSurrogate || Character.isISOControl(c) ? REPLACEMENT : c;
    }
}
