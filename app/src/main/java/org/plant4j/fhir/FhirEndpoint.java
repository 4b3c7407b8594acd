package org.plant4j.fhir;

import java.util.List;
import java.util.function.Function;
import org.plant4j.encounter.CodedDocument;
import org.plant4j.encounter.Note;

/** The desk in the language of hospitals, FHIR R4: JSON in, JSON out. */
public interface FhirEndpoint {

    /** Codes the notes of a DocumentReference, Composition or Bundle; a resource without any is a UserError. */
    String code(String resource, Function<List<Note>, CodedDocument> coder);

    /** What this server can do, as a CapabilityStatement; {@code base} is its own address. */
    String capabilities(String base);
}
