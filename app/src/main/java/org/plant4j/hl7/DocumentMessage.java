package org.plant4j.hl7;

import ca.uhn.hl7v2.DefaultHapiContext;
import ca.uhn.hl7v2.HL7Exception;
import ca.uhn.hl7v2.model.GenericMessage;
import ca.uhn.hl7v2.model.Message;
import ca.uhn.hl7v2.model.Segment;
import ca.uhn.hl7v2.model.Structure;
import ca.uhn.hl7v2.model.Type;
import ca.uhn.hl7v2.parser.GenericModelClassFactory;
import ca.uhn.hl7v2.parser.PipeParser;
import ca.uhn.hl7v2.util.Terser;
import ca.uhn.hl7v2.validation.impl.ValidationContextFactory;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.plant4j.encounter.SourceDocument;
import org.plant4j.review.worklist.IncomingEncounter;

/**
 * Reads the documents of MDM^T02 and ORU^R01 messages of any version. The text of a document is in the OBX segments that
 * follow its TXA or OBR segment.
 */
final class DocumentMessage {

    private static final Set<String> TEXT_TYPES = Set.of("TX", "FT", "ST");
    private static final Set<String> TYPES = Set.of("MDM^T02", "ORU^R01");

    private final PipeParser parser;

    DocumentMessage() {
        DefaultHapiContext context = new DefaultHapiContext(new GenericModelClassFactory());
        context.setValidationContext(ValidationContextFactory.noValidation());
        context.getParserConfiguration().setEscaping(new TextEscapes());
        parser = context.getPipeParser();
    }

    /** A document that is being read. */
    private record Draft(String id, String title, List<String> lines) {}

    IncomingEncounter read(MessageHeader header, String message) {
        String type = header.type().replaceFirst("^([^^]*\\^[^^]*).*$", "$1");
        if (!TYPES.contains(type)) {
            throw Hl7Error.reject(
                    type.startsWith("MDM") || type.startsWith("ORU") ? 201 : 200,
                    "Only MDM^T02 and ORU^R01 are supported");
        }
        if (header.controlId().isBlank()) {
            throw Hl7Error.reject(101, "MSH-10, the message control id, is missing");
        }
        List<Segment> segments = segments(message);
        try {
            return encounter(header.controlId(), segments);
        } catch (HL7Exception e) {
            throw Hl7Error.reject(102, "A field cannot be read"); // the message of the exception may quote it
        }
    }

    private List<Segment> segments(String message) {
        try {
            Message parsed = parser.parse(message.replace("\r\n", "\r").replace('\n', '\r'));
            List<Segment> segments = new ArrayList<>();
            for (String name : ((GenericMessage) parsed).getNames()) {
                for (Structure each : ((GenericMessage) parsed).getAll(name)) {
                    segments.add((Segment) each);
                }
            }
            return segments;
        } catch (HL7Exception | RuntimeException e) {
            throw Hl7Error.reject(100, "The message is not HL7 version 2 with vertical bars");
        }
    }

    private static IncomingEncounter encounter(String controlId, List<Segment> segments) throws HL7Exception {
        String encounter = "";
        Optional<LocalDate> discharged = Optional.empty();
        Map<String, Draft> drafts = new LinkedHashMap<>();
        Draft current = new Draft("", "", new ArrayList<>());
        for (Segment segment : segments) {
            switch (segment.getName()) {
                case "PV1" -> {
                    encounter = field(segment, 19, 1);
                    discharged = date(field(segment, 45, 1));
                }
                case "PID" -> encounter = encounter.isEmpty() ? field(segment, 18, 1) : encounter;
                case "TXA" -> current = document(drafts, transcription(segment, controlId));
                case "OBR" -> current = document(drafts, observation(segment, controlId));
                case "OBX" -> current.lines().addAll(lines(segment));
                default -> {} // the other segments are not about documents
            }
        }
        if (encounter.isEmpty()) {
            throw Hl7Error.error(101, "The encounter has no id: PV1-19 (visit number) and PID-18 are empty");
        }
        List<SourceDocument> documents = drafts.values().stream()
                .filter(draft -> !draft.lines().isEmpty())
                .map(draft -> new SourceDocument(draft.id(), draft.title(), String.join("\n", draft.lines())))
                .toList();
        if (documents.isEmpty()) {
            throw Hl7Error.error(
                    101, "The message has no text: no OBX of type TX, FT, ST or text in ED follows TXA or OBR");
        }
        return new IncomingEncounter(encounter, discharged, documents);
    }

    private static Draft document(Map<String, Draft> drafts, Draft draft) {
        String id = draft.id();
        for (int i = 2; drafts.containsKey(id); i++) {
            id = draft.id() + "#" + i;
        }
        Draft unique = new Draft(id, draft.title(), draft.lines());
        drafts.put(id, unique);
        return unique;
    }

    private static Draft transcription(Segment txa, String controlId) throws HL7Exception {
        if (Set.of("CA", "OB").contains(field(txa, 19, 1))) {
            throw Hl7Error.error(103, "The document is cancelled or obsolete (TXA-19)");
        }
        String id = field(txa, 12, 1);
        return new Draft(id.isEmpty() ? controlId : id, field(txa, 2, 1), new ArrayList<>());
    }

    private static Draft observation(Segment obr, String controlId) throws HL7Exception {
        if (field(obr, 25, 1).equals("X")) {
            throw Hl7Error.error(103, "The result is cancelled (OBR-25)");
        }
        String filler = field(obr, 3, 1);
        String id = filler.isEmpty() ? field(obr, 2, 1) : filler;
        String title = field(obr, 4, 2);
        return new Draft(id.isEmpty() ? controlId : id, title.isEmpty() ? field(obr, 4, 1) : title, new ArrayList<>());
    }

    /** The lines of an OBX segment: repetitions are lines; observations that are not text have none. */
    private static List<String> lines(Segment obx) throws HL7Exception {
        if (Set.of("D", "W").contains(field(obx, 11, 1))) {
            throw Hl7Error.error(103, "The text is deleted or was filed wrongly (OBX-11)");
        }
        String type = field(obx, 2, 1);
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < obx.getField(5).length; i++) {
            if (TEXT_TYPES.contains(type)) {
                lines.add(whole(obx, i));
            } else if (type.equals("ED")) {
                encapsulated(obx, i).ifPresent(lines::add);
            }
        }
        return lines;
    }

    /** Senders do not always escape separators in texts, so all components and subcomponents count. */
    private static String whole(Segment obx, int repetition) throws HL7Exception {
        Type field = obx.getField(5, repetition);
        List<String> components = new ArrayList<>();
        for (int i = 1; i <= Math.max(1, Terser.numComponents(field)); i++) {
            List<String> parts = new ArrayList<>();
            for (int j = 1; j <= Math.max(1, Terser.numSubComponents(field, i)); j++) {
                parts.add(value(Terser.getPrimitive(field, i, j).getValue()));
            }
            components.add(String.join("&", parts));
        }
        return String.join("^", components);
    }

    /** Text in an ED: source ^ type ^ subtype ^ encoding ^ data. */
    private static Optional<String> encapsulated(Segment obx, int repetition) throws HL7Exception {
        Type field = obx.getField(5, repetition);
        String kind = component(field, 2) + "/" + component(field, 3);
        if (!Set.of("TEXT/", "TEXT/PLAIN", "TX/", "FT/").contains(kind.toUpperCase(Locale.ROOT))) {
            return Optional.empty();
        }
        String data = component(field, 5);
        if (!component(field, 4).equalsIgnoreCase("Base64")) {
            return Optional.of(data);
        }
        try {
            byte[] bytes = Base64.getMimeDecoder().decode(data);
            return Optional.of(StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString());
        } catch (IllegalArgumentException | CharacterCodingException e) {
            throw Hl7Error.error(102, "The data of an OBX of type ED is not Base64 of UTF-8");
        }
    }

    private static String component(Type field, int number) {
        return value(Terser.getPrimitive(field, number, 1).getValue());
    }

    private static String field(Segment segment, int number, int component) throws HL7Exception {
        return component(segment.getField(number, 0), component).strip();
    }

    private static String value(@Nullable String value) {
        return value == null || value.equals("\"\"") ? "" : value;
    }

    private static Optional<LocalDate> date(String time) {
        try {
            return time.length() < 8
                    ? Optional.empty()
                    : Optional.of(LocalDate.parse(time.substring(0, 8), DateTimeFormatter.BASIC_ISO_DATE));
        } catch (DateTimeException e) {
            throw Hl7Error.error(102, "PV1-45, the time of discharge, is not a date");
        }
    }
}
