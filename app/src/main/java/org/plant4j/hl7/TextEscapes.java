package org.plant4j.hl7;

import ca.uhn.hl7v2.parser.EncodingCharacters;
import ca.uhn.hl7v2.parser.Escaping;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Escape sequences of HL7 version 2. Formatting commands become line breaks and spaces, highlighting is dropped, and
 * sequences that are not known stay as they are.
 */
final class TextEscapes implements Escaping {

    private static final int MAX_REPEATED = 100;
    private static final Pattern FORMAT = Pattern.compile("\\.(br|ce|sp|sk|fi|nf|in|ti)\\s*([+-]?[0-9]{0,3})");
    private static final Pattern HEXADECIMAL = Pattern.compile("X((?:[0-9A-Fa-f]{2})+)");

    private final Charset charset;

    /** Escapes of a message in this character set, which is also that of escaped bytes. */
    TextEscapes(Charset charset) {
        this.charset = charset;
    }

    @Override
    public String unescape(String text, EncodingCharacters characters) {
        if (text.indexOf(characters.getEscapeCharacter()) < 0) {
            return text;
        }
        String mark = Pattern.quote(String.valueOf(characters.getEscapeCharacter()));
        Matcher sequence =
                Pattern.compile(mark + "([^" + mark + "\\r]{1,200}?)" + mark).matcher(text);
        StringBuilder out = new StringBuilder();
        while (sequence.find()) {
            sequence.appendReplacement(
                    out, Matcher.quoteReplacement(decode(sequence.group(1), sequence.group(), characters)));
        }
        return sequence.appendTail(out).toString();
    }

    private String decode(String name, String whole, EncodingCharacters characters) {
        Matcher format = FORMAT.matcher(name);
        if (format.matches()) {
            return format(format.group(1), count(format.group(2)));
        }
        Matcher bytes = HEXADECIMAL.matcher(name);
        if (bytes.matches()) {
            return text(HexFormat.of().parseHex(bytes.group(1)));
        }
        return switch (name) {
            case "F" -> String.valueOf(characters.getFieldSeparator());
            case "S" -> String.valueOf(characters.getComponentSeparator());
            case "T" -> String.valueOf(characters.getSubcomponentSeparator());
            case "R" -> String.valueOf(characters.getRepetitionSeparator());
            case "E" -> String.valueOf(characters.getEscapeCharacter());
            case "H", "N" -> "";
            default -> whole;
        };
    }

    private static int count(String number) {
        int count = number.isEmpty() || number.equals("+") || number.equals("-") ? 1 : Integer.parseInt(number);
        return Math.min(Math.max(count, 1), MAX_REPEATED);
    }

    private static String format(String command, int count) {
        return switch (command) {
            case "br", "ce" -> "\n";
            case "sp" -> "\n".repeat(count);
            case "sk" -> " ".repeat(count);
            default -> "";
        };
    }

    private String text(byte[] bytes) {
        try {
            return charset.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException e) {
            throw Hl7Error.error(102, "An escape sequence X is not in " + charset.name() + ", as the message is");
        }
    }

    @Override
    public String escape(String text, EncodingCharacters characters) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char each = text.charAt(i);
            String name = each == characters.getFieldSeparator()
                    ? "F"
                    : each == characters.getComponentSeparator()
                            ? "S"
                            : each == characters.getSubcomponentSeparator()
                                    ? "T"
                                    : each == characters.getRepetitionSeparator()
                                            ? "R"
                                            : each == characters.getEscapeCharacter()
                                                    ? "E"
                                                    : each == '\n' || each == '\r' ? ".br" : "";
            out.append(
                    name.isEmpty()
                            ? String.valueOf(each)
                            : characters.getEscapeCharacter() + name + characters.getEscapeCharacter());
        }
        return out.toString();
    }
}
