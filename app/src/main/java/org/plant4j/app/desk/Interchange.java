package org.plant4j.app.desk;

import java.util.List;
import java.util.function.Function;

/** The desk in the language of hospitals, FHIR R4: JSON in, JSON out. */
public interface Interchange {

    /** Codes the notes of a DocumentReference, Composition or Bundle; a resource without any is a UserError. */
    String code(String resource, Function<List<Note>, CodedDocument> coder);

    /** What this server can do, as a CapabilityStatement; {@code base} is its own address. */
    String capabilities(String base);
}
