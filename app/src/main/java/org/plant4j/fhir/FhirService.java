package org.plant4j.fhir;

import java.util.List;
import java.util.function.Function;
import org.hl7.fhir.r4.model.CapabilityStatement;
import org.hl7.fhir.r4.model.DateTimeType;
import org.hl7.fhir.r4.model.Enumerations.FHIRVersion;
import org.hl7.fhir.r4.model.Enumerations.PublicationStatus;
import org.plant4j.encounter.CodedDocument;
import org.plant4j.encounter.Note;

/** The desk in FHIR R4 with HAPI, which is loaded by the first resource and not before. */
public final class FhirService {

    /** What {@code $code} means, for the statement of capabilities. */
    private static final String OPERATION = "https://plant4j.org/fhir/OperationDefinition/code";

    public String code(String resource, Function<List<Note>, CodedDocument> coder) {
        return FhirJson.encode(FhirCoding.code(FhirJson.parse(resource), coder));
    }

    public String capabilities(String base) {
        CapabilityStatement statement = new CapabilityStatement();
        statement
                .setStatus(PublicationStatus.ACTIVE)
                .setDateElement(DateTimeType.now())
                .setKind(CapabilityStatement.CapabilityStatementKind.INSTANCE)
                .setFhirVersion(FHIRVersion._4_0_1)
                .addFormat("json");
        statement.getSoftware().setName("Plant4j");
        statement.getImplementation().setDescription("A coding desk").setUrl(base);
        statement
                .addRest()
                .setMode(CapabilityStatement.RestfulCapabilityMode.SERVER)
                .addOperation()
                .setName("code")
                .setDefinition(OPERATION)
                .setDocumentation("POST [base]/$code with a DocumentReference (inline text/plain), a Composition or a"
                        + " Bundle of them; the answer is a Bundle of Condition and Procedure resources.");
        return FhirJson.encode(statement);
    }
}
