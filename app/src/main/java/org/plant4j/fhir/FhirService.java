package org.plant4j.fhir;

import java.util.List;
import java.util.function.Function;
import org.hl7.fhir.r4.model.CapabilityStatement;
import org.hl7.fhir.r4.model.DateTimeType;
import org.hl7.fhir.r4.model.Enumerations.FHIRVersion;
import org.hl7.fhir.r4.model.Enumerations.PublicationStatus;
import org.plant4j.encounter.CodedDocument;
import org.plant4j.encounter.SourceDocument;

/** FHIR R4 input and output: JSON in, JSON out. HAPI is loaded with the first resource. */
public final class FhirService {

    /** Canonical URL of the {@code $code} operation. */
    private static final String OPERATION = "https://plant4j.org/fhir/OperationDefinition/code";

    /** Codes the documents of a DocumentReference, Composition or Bundle; throws a UserError if it contains none. */
    public String code(String resource, Function<List<SourceDocument>, CodedDocument> coder) {
        return FhirJson.encode(FhirCoding.code(FhirJson.parse(resource), coder));
    }

    /** The capability statement; {@code base} is the URL of the FHIR endpoint. */
    public String capabilities(String base) {
        CapabilityStatement statement = new CapabilityStatement();
        statement
                .setStatus(PublicationStatus.ACTIVE)
                .setDateElement(DateTimeType.now())
                .setKind(CapabilityStatement.CapabilityStatementKind.INSTANCE)
                .setFhirVersion(FHIRVersion._4_0_1)
                .addFormat("json");
        statement.getSoftware().setName("Plant4j");
        statement.getImplementation().setDescription("Coding server").setUrl(base);
        statement
                .addRest()
                .setMode(CapabilityStatement.RestfulCapabilityMode.SERVER)
                .addOperation()
                .setName("code")
                .setDefinition(OPERATION)
                .setDocumentation("POST [base]/$code with a DocumentReference (inline text/plain), a Composition or a"
                        + " Bundle of them. Returns a Bundle of Condition and Procedure resources.");
        return FhirJson.encode(statement);
    }
}
