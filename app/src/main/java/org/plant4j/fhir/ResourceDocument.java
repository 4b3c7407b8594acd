package org.plant4j.fhir;

import org.hl7.fhir.r4.model.Reference;
import org.plant4j.encounter.SourceDocument;

/** A document with references to its resource, patient and encounter. */
record ResourceDocument(SourceDocument document, Reference source, Reference subject, Reference encounter) {

    /** Documents with equal keys are coded together. Documents of different patients never are. */
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
