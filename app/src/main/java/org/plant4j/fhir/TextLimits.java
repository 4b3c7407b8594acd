package org.plant4j.fhir;

import org.hl7.fhir.r4.model.Base;
import org.hl7.fhir.r4.model.Property;
import org.hl7.fhir.r4.model.Reference;
import org.plant4j.UserError;

/** Limits of texts that are copied into every result. */
final class TextLimits {

    private static final int MAX_TEXT = 200;

    /** A reference may have a URL, an identifier and a name. */
    private static final int MAX_REFERENCE = 1000;

    private TextLimits() {}

    /** Returns an id, URL, title or content type unless it is too long. */
    static String requireShort(String text, String where) {
        require(text.length(), MAX_TEXT, where);
        return text;
    }

    static void requireShort(Reference reference, String where) {
        require(length(reference), MAX_REFERENCE, where);
    }

    private static void require(long length, int limit, String where) {
        if (length > limit) {
            throw new UserError("Longer than " + limit + " characters", where, "shorten it");
        }
    }

    /** The characters of all primitive values of an element. */
    private static long length(Base element) {
        long length = element.isPrimitive() && element.primitiveValue() != null
                ? element.primitiveValue().length()
                : 0;
        for (Property property : element.children()) {
            for (Base value : property.getValues()) {
                length += length(value);
            }
        }
        return length;
    }
}
