package org.plant4j.fhir;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Date;
import java.util.List;
import org.hl7.fhir.r4.model.CodeableConcept;
import org.hl7.fhir.r4.model.Coding;
import org.hl7.fhir.r4.model.DomainResource;
import org.hl7.fhir.r4.model.Identifier;
import org.hl7.fhir.r4.model.Provenance;
import org.hl7.fhir.r4.model.Reference;
import org.plant4j.encounter.CodedDocument;

/** Says of results that a model made them, which one, and from which documents. */
final class AiProvenance {

    private static final Coding AI_ASSERTED =
            new Coding(CodeConcepts.TERMINOLOGY + "v3-ObservationValue", "AIAST", "Artificial Intelligence asserted");

    private AiProvenance() {}

    /** Adds the security label "asserted by artificial intelligence". */
    static <T extends DomainResource> T label(T resource) {
        resource.getMeta().addSecurity(AI_ASSERTED.copy());
        return resource;
    }

    /** The model and its version. */
    static String uri(CodedDocument coded) {
        return "urn:plant4j:" + URLEncoder.encode(coded.model(), StandardCharsets.UTF_8) + ":" + coded.version();
    }

    /** {@code targets}: the full URLs of the results of these documents. */
    static Provenance of(CodedDocument coded, List<ResourceDocument> documents, List<String> targets, Date at) {
        Provenance provenance = label(new Provenance());
        targets.forEach(each -> provenance.addTarget(new Reference(each)));
        provenance.setRecorded(at);
        provenance.setActivity(concept("v3-DataOperation", "CREATE", "create"));
        provenance
                .addAgent()
                .setType(concept("provenance-participant-type", "assembler", "Assembler"))
                .setWho(new Reference()
                        .setType("Device")
                        .setIdentifier(
                                new Identifier().setSystem("urn:ietf:rfc:3986").setValue(uri(coded)))
                        .setDisplay("Plant4j, model " + coded.model() + ", version " + coded.version()));
        documents.stream()
                .map(ResourceDocument::source)
                .distinct()
                .forEach(source -> provenance
                        .addEntity()
                        .setRole(Provenance.ProvenanceEntityRole.SOURCE)
                        .setWhat(source.copy()));
        return provenance;
    }

    private static CodeableConcept concept(String system, String code, String display) {
        return new CodeableConcept(new Coding(CodeConcepts.TERMINOLOGY + system, code, display));
    }
}
