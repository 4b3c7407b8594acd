package org.plant4j.hl7;

import ca.uhn.hl7v2.DefaultHapiContext;
import ca.uhn.hl7v2.HL7Exception;
import ca.uhn.hl7v2.Version;
import ca.uhn.hl7v2.model.GenericMessage;
import ca.uhn.hl7v2.model.GenericSegment;
import ca.uhn.hl7v2.model.Segment;
import ca.uhn.hl7v2.model.Type;
import ca.uhn.hl7v2.parser.EncodingCharacters;
import ca.uhn.hl7v2.parser.GenericModelClassFactory;
import ca.uhn.hl7v2.parser.PipeParser;
import ca.uhn.hl7v2.util.Terser;
import ca.uhn.hl7v2.validation.impl.ValidationContextFactory;
import java.nio.charset.Charset;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Splits a message into segments and parses them one by one, so that time and memory grow with the length of the message
 * only: the message model of HAPI takes quadratic time.
 */
final class SegmentParser {

    private static final int MAX_SEGMENTS = 10_000;

    /** Separators of fields, repetitions, components and subcomponents in a segment: each becomes an object. */
    private static final int MAX_SEPARATORS = 10_000;

    private static final Pattern SEPARATORS = Pattern.compile("[^A-Za-z0-9\\s]{4,5}");

    private final PipeParser parser;
    private final GenericMessage message;
    private final EncodingCharacters characters;
    private final Pattern start;

    /** Parses segments of a message with this header, in which escaped bytes are in {@code charset}. */
    SegmentParser(MessageHeader header, String message, Charset charset) {
        String version = header.version().replaceFirst("\\^.*$", "").strip();
        if (!Version.supportsVersion(version)) {
            throw Hl7Error.reject(203, "The version in MSH-12 is not supported");
        }
        characters = characters(message);
        start = Pattern.compile(
                "[A-Z][A-Z0-9]{2}" + Pattern.quote(String.valueOf(characters.getFieldSeparator())) + "(?s:.*)");
        GenericModelClassFactory factory = new GenericModelClassFactory();
        DefaultHapiContext context = new DefaultHapiContext(factory);
        context.setValidationContext(ValidationContextFactory.noValidation());
        context.getParserConfiguration().setEscaping(new TextEscapes(charset));
        parser = context.getPipeParser();
        this.message = Version.versionOf(version).newGenericMessage(factory);
        this.message.setParser(parser);
    }

    private static EncodingCharacters characters(String message) {
        char field = message.charAt(3);
        int end = message.indexOf(field, 4);
        String others = message.substring(4, Math.max(4, end));
        if (!SEPARATORS.matcher(others).matches()
                || (field + others).chars().distinct().count() <= others.length()) {
            throw Hl7Error.reject(100, "MSH-1 and MSH-2 are not the separators of a message");
        }
        return new EncodingCharacters(field, others.substring(0, 4));
    }

    /**
     * The segments, which end with CR, CR LF, or, in a message without any CR, with LF. Otherwise an LF belongs to the text.
     * Throws if something is not a segment, because text with a line break in it would be lost.
     */
    List<String> split(String text) {
        String ended = text.indexOf('\r') < 0 ? text.replace('\n', '\r') : text.replace("\r\n", "\r");
        if (ended.chars().filter(each -> each == '\r').count() > MAX_SEGMENTS) {
            throw Hl7Error.reject(100, "The message has more than " + MAX_SEGMENTS + " segments");
        }
        List<String> segments = Arrays.stream(ended.split("\r"))
                .filter(segment -> !segment.isBlank())
                .toList();
        if (!segments.stream().allMatch(segment -> start.matcher(segment).matches())) {
            throw Hl7Error.reject(
                    100, "A line is not a segment: line breaks in a text must be written as \\.br\\ or repetitions");
        }
        return segments;
    }

    Segment parse(String text) {
        if (text.chars().filter(this::isSeparator).count() > MAX_SEPARATORS) {
            throw Hl7Error.reject(100, "A segment has more than " + MAX_SEPARATORS + " separators");
        }
        try {
            GenericSegment segment = new GenericSegment(message, text.substring(0, 3));
            parser.parse(segment, text, characters);
            return segment;
        } catch (Hl7Error e) {
            throw e;
        } catch (HL7Exception | RuntimeException e) { // its message may quote the text
            throw Hl7Error.reject(100, "The message is not HL7 version 2 with vertical bars");
        }
    }

    private boolean isSeparator(int each) {
        return each == characters.getFieldSeparator()
                || each == characters.getRepetitionSeparator()
                || each == characters.getComponentSeparator()
                || each == characters.getSubcomponentSeparator();
    }

    String componentSeparator() {
        return String.valueOf(characters.getComponentSeparator());
    }

    String subcomponentSeparator() {
        return String.valueOf(characters.getSubcomponentSeparator());
    }

    /** A component of the first repetition of a field, or an empty string. */
    static String field(Segment segment, int number, int component) throws HL7Exception {
        return component(segment.getField(number, 0), component, 1).strip();
    }

    static String component(Type field, int number, int subcomponent) {
        return value(Terser.getPrimitive(field, number, subcomponent).getValue());
    }

    private static String value(@Nullable String value) {
        return value == null || value.equals("\"\"") ? "" : value;
    }
}
