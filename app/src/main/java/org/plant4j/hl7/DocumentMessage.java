package org.plant4j.hl7;

import static org.plant4j.hl7.SegmentParser.field;

import ca.uhn.hl7v2.HL7Exception;
import ca.uhn.hl7v2.model.Segment;
import java.nio.charset.Charset;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.plant4j.encounter.SourceDocument;
import org.plant4j.review.worklist.IncomingEncounter;

/**
 * Reads the documents of an MDM^T02 or ORU^R01 message of any version. The text of a document is in the OBX segments that
 * follow its TXA or OBR segment.
 */
final class DocumentMessage {

    private static final Set<String> TYPES = Set.of("MDM^T02", "ORU^R01");
    private static final Set<String> READ = Set.of("PID", "PV1", "TXA", "OBR", "OBX");
    private static final Set<String> ONCE = Set.of("PID", "PV1");

    private final String controlId;
    private final SegmentParser parser;
    private final ObservationText observations;

    private final Set<String> seen = new HashSet<>();
    private String visit = "";
    private String account = "";
    private Optional<LocalDate> discharged = Optional.empty();
    private final Map<String, Draft> drafts = new LinkedHashMap<>();
    private final Map<String, Integer> repeated = new HashMap<>(); // how often an id was used again
    private Draft current = new Draft("", "", new ArrayList<>());

    /** A document that is being read. */
    private record Draft(String id, String title, List<String> lines) {}

    private DocumentMessage(String controlId, SegmentParser parser) {
        this.controlId = controlId;
        this.parser = parser;
        observations = new ObservationText(parser);
    }

    /** Reads a message that was decoded from {@code charset}. */
    static IncomingEncounter read(MessageHeader header, String message, Charset charset) {
        String type = header.type().replaceFirst("^([^^]*\\^[^^]*).*$", "$1");
        if (!TYPES.contains(type)) {
            throw Hl7Error.reject(
                    type.startsWith("MDM") || type.startsWith("ORU") ? 201 : 200,
                    "Only MDM^T02 and ORU^R01 are supported");
        }
        if (header.controlId().isBlank()) {
            throw Hl7Error.reject(101, "MSH-10, the message control id, is missing");
        }
        SegmentParser parser = new SegmentParser(header, message, charset);
        DocumentMessage reader = new DocumentMessage(header.controlId(), parser);
        try {
            for (String segment : parser.split(message)) {
                reader.add(segment);
            }
        } catch (HL7Exception e) {
            throw Hl7Error.reject(102, "A field cannot be read"); // the message of the exception may quote it
        }
        return reader.encounter();
    }

    private void add(String text) throws HL7Exception {
        String name = text.substring(0, 3);
        if (!READ.contains(name)) {
            return; // the other segments are not about documents
        }
        if (ONCE.contains(name) && !seen.add(name)) {
            throw Hl7Error.error(103, "The message has a second " + name + ": send one patient and visit per message");
        }
        Segment segment = parser.parse(text);
        switch (name) {
            case "PID" -> account = identifier(segment, 18);
            case "PV1" -> {
                visit = identifier(segment, 19);
                discharged = date(field(segment, 45, 1));
            }
            case "TXA" -> current = document(transcription(segment));
            case "OBR" -> current = document(observation(segment));
            default -> current.lines().addAll(observations.lines(segment));
        }
    }

    /** Numbers of several hospitals may be the same, so the authority that assigned one belongs to it. */
    private static String identifier(Segment segment, int number) throws HL7Exception {
        String id = field(segment, number, 1);
        String namespace = field(segment, number, 4);
        String authority = namespace.isEmpty()
                ? SegmentParser.component(segment.getField(number, 0), 4, 2).strip()
                : namespace;
        return id.isEmpty() || authority.isEmpty() ? id : id + "^^^" + authority;
    }

    private IncomingEncounter encounter() {
        String encounter = visit.isEmpty() ? account : visit;
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

    private Draft document(Draft draft) {
        String id = draft.id();
        while (drafts.containsKey(id)) {
            id = draft.id() + "#" + (1 + repeated.merge(draft.id(), 1, Integer::sum));
        }
        Draft unique = new Draft(id, draft.title(), draft.lines());
        drafts.put(id, unique);
        return unique;
    }

    private Draft transcription(Segment txa) throws HL7Exception {
        if (Set.of("CA", "OB").contains(field(txa, 19, 1))) {
            throw Hl7Error.error(103, "The document is cancelled or obsolete (TXA-19)");
        }
        String id = field(txa, 12, 1);
        return new Draft(id.isEmpty() ? controlId : id, field(txa, 2, 1), new ArrayList<>());
    }

    private Draft observation(Segment obr) throws HL7Exception {
        if (field(obr, 25, 1).equals("X")) {
            throw Hl7Error.error(103, "The result is cancelled (OBR-25)");
        }
        String filler = field(obr, 3, 1);
        String id = filler.isEmpty() ? field(obr, 2, 1) : filler;
        String title = field(obr, 4, 2);
        return new Draft(id.isEmpty() ? controlId : id, title.isEmpty() ? field(obr, 4, 1) : title, new ArrayList<>());
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
