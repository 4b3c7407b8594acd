package org.plant4j.hl7;

import ca.uhn.hl7v2.HL7Exception;
import ca.uhn.hl7v2.model.Segment;
import ca.uhn.hl7v2.model.Type;
import ca.uhn.hl7v2.util.Terser;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** The text of OBX segments, in OBX-5. */
final class ObservationText {

    private static final Set<String> TEXT_TYPES = Set.of("TX", "FT", "ST");
    private static final Set<String> ENCAPSULATED_TEXT = Set.of("TEXT/", "TEXT/PLAIN", "TX/", "FT/");

    /** The first component with data in an ED: source ^ type ^ subtype ^ encoding ^ data. */
    private static final int DATA = 5;

    private final String componentSeparator;
    private final String subcomponentSeparator;

    ObservationText(SegmentParser parser) {
        componentSeparator = parser.componentSeparator();
        subcomponentSeparator = parser.subcomponentSeparator();
    }

    /** The lines of an OBX segment: repetitions are lines; observations that are not text have none. */
    List<String> lines(Segment obx) throws HL7Exception {
        if (Set.of("D", "W").contains(SegmentParser.field(obx, 11, 1))) {
            throw Hl7Error.error(103, "The text is deleted or was filed wrongly (OBX-11)");
        }
        String type = SegmentParser.field(obx, 2, 1);
        Type[] repetitions = obx.getField(5);
        List<String> lines = new ArrayList<>();
        for (Type repetition : repetitions) {
            if (TEXT_TYPES.contains(type)) {
                lines.add(joined(repetition, 1));
            } else if (type.equals("ED")) {
                encapsulated(repetition, !lines.isEmpty()).ifPresent(lines::add);
            }
        }
        return lines;
    }

    /** Senders do not always escape separators in texts, so all components and subcomponents from {@code first} count. */
    private String joined(Type field, int first) {
        List<String> components = new ArrayList<>();
        int count = Math.max(first, Terser.numComponents(field));
        for (int i = first; i <= count; i++) {
            List<String> parts = new ArrayList<>();
            int subcomponents = Math.max(1, Terser.numSubComponents(field, i));
            for (int j = 1; j <= subcomponents; j++) {
                parts.add(SegmentParser.component(field, i, j));
            }
            components.add(String.join(subcomponentSeparator, parts));
        }
        return String.join(componentSeparator, components);
    }

    private Optional<String> encapsulated(Type field, boolean afterText) {
        String kind = component(field, 2) + "/" + component(field, 3);
        if (afterText && kind.equals("/")) {
            throw Hl7Error.error(102, "The text of an OBX of type ED has a repetition separator that is not escaped");
        }
        if (!ENCAPSULATED_TEXT.contains(kind.toUpperCase(Locale.ROOT))) {
            return Optional.empty();
        }
        String data = joined(field, DATA);
        return Optional.of(
                switch (component(field, 4).toUpperCase(Locale.ROOT)) {
                    case "", "A" -> data;
                    case "BASE64" -> utf8(data, true);
                    case "HEX" -> utf8(data, false);
                    default -> throw Hl7Error.error(102, "The encoding of an OBX of type ED is not A, Base64 or Hex");
                });
    }

    private static String utf8(String data, boolean base64) {
        String digits = data.replaceAll("\\s", "");
        try {
            byte[] bytes =
                    base64 ? Base64.getDecoder().decode(digits) : HexFormat.of().parseHex(digits);
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (IllegalArgumentException | CharacterCodingException e) {
            throw Hl7Error.error(102, "The data of an OBX of type ED is not Base64 or Hex of UTF-8");
        }
    }

    private static String component(Type field, int number) {
        return SegmentParser.component(field, number, 1).strip();
    }
}
