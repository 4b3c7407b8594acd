package org.plant4j.fhir;

import org.hl7.fhir.r4.model.Reference;
import org.plant4j.encounter.Note;

/** A note and where it came from: the resource that holds it, whose patient, which encounter. */
public record SourceNote(Note note, Reference source, Reference subject, Reference encounter) {

    /** Notes of equal groups are coded together; two patients' notes never are. */
    public record EncounterKey(String subject, String encounter) {}

    EncounterKey encounterKey() {
        return new EncounterKey(key(subject), key(encounter));
    }

    private static String key(Reference reference) {
        if (reference.hasReference()) {
            return reference.getReference();
        }
        return reference.hasIdentifier()
                ? reference.getIdentifier().getSystem() + "|"
                        + reference.getIdentifier().getValue()
                : "";
    }
}
