package org.plant4j.hl7;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The MSH segment, read before the character set of the message is known: each byte is a character. Missing fields
 * are empty.
 */
record MessageHeader(
        String application,
        String facility,
        String receivingApplication,
        String receivingFacility,
        String type,
        String controlId,
        String version,
        String characterSet) {

    static final MessageHeader NONE = new MessageHeader("", "", "", "", "", "", "2.5", "");

    private static final Pattern ISO = Pattern.compile("8859/([0-9]{1,2})");
    private static final int MAX_LENGTH = 2000;

    /** Throws if the bytes do not begin with an MSH segment. */
    static MessageHeader read(byte[] message) {
        int end = 0;
        while (end < message.length && end < MAX_LENGTH && message[end] != '\r' && message[end] != '\n') {
            end++;
        }
        String segment = new String(message, 0, end, StandardCharsets.ISO_8859_1);
        if (!segment.startsWith("MSH") || segment.length() < 8) {
            throw Hl7Error.reject(100, "The message does not begin with an MSH segment");
        }
        String[] fields = segment.split(Pattern.quote(segment.substring(3, 4)), -1);
        String repetition = segment.substring(5, 6);
        return new MessageHeader(
                field(fields, 2),
                field(fields, 3),
                field(fields, 4),
                field(fields, 5),
                field(fields, 8),
                field(fields, 9),
                field(fields, 11),
                field(fields, 17).split(Pattern.quote(repetition), -1)[0].strip());
    }

    private static String field(String[] fields, int index) {
        return index < fields.length ? fields[index] : "";
    }

    /** Decodes the message as MSH-18 says, by default as UTF-8; never replaces what cannot be decoded. */
    String decode(byte[] message) {
        Charset charset = charset();
        try {
            return charset.newDecoder().decode(ByteBuffer.wrap(message)).toString();
        } catch (CharacterCodingException e) {
            throw Hl7Error.reject(
                    102,
                    "The message is not in " + charset.name()
                            + (characterSet.isEmpty() ? "; name its character set in MSH-18" : ", which MSH-18 names"));
        }
    }

    /** The character set that MSH-18 names. */
    Charset charset() {
        String name = characterSet.toUpperCase(Locale.ROOT);
        Matcher iso = ISO.matcher(name);
        if (iso.matches() && Charset.isSupported("ISO-8859-" + iso.group(1))) {
            return Charset.forName("ISO-8859-" + iso.group(1));
        }
        return switch (name) {
            case "", "UNICODE UTF-8", "UTF-8", "UNICODE" -> StandardCharsets.UTF_8;
            case "ASCII" -> StandardCharsets.US_ASCII;
            default -> throw Hl7Error.reject(103, "The character set in MSH-18 is not supported");
        };
    }
}
