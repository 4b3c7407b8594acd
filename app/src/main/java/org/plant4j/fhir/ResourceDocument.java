package org.plant4j.fhir;

import java.util.Optional;
import org.hl7.fhir.r4.model.Identifier;
import org.hl7.fhir.r4.model.Reference;
import org.jspecify.annotations.Nullable;
import org.plant4j.encounter.SourceDocument;

/** A document with references to its resource, patient and encounter; {@code entry} is the number of the resource. */
record ResourceDocument(SourceDocument document, int entry, Reference source, Reference subject, Reference encounter) {

    /** Documents with equal keys are coded together. Documents of different patients never are. */
    public record EncounterKey(String subject, @Nullable String encounter) {}

    EncounterKey encounterKey() {
        // A name does not identify a patient, so without an identifier every resource is about another one.
        return new EncounterKey(
                key(subject).orElse("entry " + entry), key(encounter).orElse(encounter.getDisplay()));
    }

    /** The id of the encounter, if the resource names one that other resources can refer to as well. */
    Optional<String> encounterId() {
        return isLocal(encounter) && !encounter.hasIdentifier() ? Optional.empty() : key(portable(encounter));
    }

    private Optional<String> key(Reference reference) {
        if (reference.hasReference()) {
            // The same reference to a contained resource names another patient in every entry.
            return Optional.of(isLocal(reference) ? entry + reference.getReference() : reference.getReference());
        }
        Identifier identifier = reference.getIdentifier();
        return identifier.hasValue()
                ? Optional.of((identifier.hasSystem() ? identifier.getSystem() : "") + "|" + identifier.getValue())
                : Optional.empty();
    }

    /** Whether a reference is to a contained resource, which other resources cannot refer to. */
    private static boolean isLocal(Reference reference) {
        return reference.hasReference() && reference.getReference().startsWith("#");
    }

    /** A copy of a reference for another resource: of a contained resource only its identifier and name. */
    static Reference portable(Reference reference) {
        if (!isLocal(reference)) {
            return reference.copy();
        }
        Reference copy = new Reference().setDisplay(reference.getDisplay());
        return reference.hasIdentifier()
                ? copy.setIdentifier(reference.getIdentifier().copy())
                : copy;
    }
}
