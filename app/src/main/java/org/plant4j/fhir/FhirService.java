package org.plant4j.fhir;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.hl7.fhir.instance.model.api.IBaseResource;
import org.hl7.fhir.r4.model.Bundle;
import org.hl7.fhir.r4.model.CapabilityStatement;
import org.hl7.fhir.r4.model.DateTimeType;
import org.hl7.fhir.r4.model.Enumerations.FHIRVersion;
import org.hl7.fhir.r4.model.Enumerations.PublicationStatus;
import org.hl7.fhir.r4.model.Enumerations.SearchParamType;
import org.plant4j.UserError;
import org.plant4j.encounter.CodedDocument;
import org.plant4j.encounter.SourceDocument;
import org.plant4j.review.StoredReview;

/** FHIR R4 input and output: JSON in, JSON out. HAPI is loaded with the first resource. */
public final class FhirService {

    /** Prefix of the canonical URLs of the operations. */
    private static final String OPERATIONS = "https://plant4j.org/fhir/OperationDefinition/";

    private static final String STRUCTURE_DEFINITION = "StructureDefinition";
    private static final String OPERATION_DEFINITION = "OperationDefinition";
    private static final String BUNDLE = "Bundle";

    /** The definitions that are served, with their files. */
    private static final Map<String, String> DEFINITIONS = Map.of(
            OPERATION_DEFINITION + "/code", "operation-code.json",
            OPERATION_DEFINITION + "/add-to-worklist", "operation-add-to-worklist.json",
            STRUCTURE_DEFINITION + "/band", "band.json",
            STRUCTURE_DEFINITION + "/confidence", "confidence.json",
            STRUCTURE_DEFINITION + "/evidence", "evidence.json",
            STRUCTURE_DEFINITION + "/out-of-domain", "out-of-domain.json");

    private final FhirLimits limits;

    public FhirService(FhirLimits limits) {
        this.limits = limits;
    }

    /** Codes the documents of a resource; throws a UserError if it contains none. */
    public String code(String resource, Function<List<SourceDocument>, CodedDocument> coder) {
        return code(resource, coder, FhirError::of);
    }

    /**
     * Codes the documents of a DocumentReference, Composition, Bundle or Parameters. A batch or transaction is answered as
     * such.
     *
     * @param errors turns an exception into the error of one entry of a batch
     */
    public String code(
            String resource,
            Function<List<SourceDocument>, CodedDocument> coder,
            Function<RuntimeException, FhirError> errors) {
        IBaseResource in = FhirJson.parse(resource);
        RequestSize size = new RequestSize(limits);
        return FhirJson.encode(
                in instanceof Bundle bundle && RequestBundle.isRequest(bundle)
                        ? new RequestBundle(bundle, coder, errors, size).answerDocuments()
                        : FhirCoding.code(FhirCoding.byEncounter(DocumentExtractor.extract(in, size), size), coder));
    }

    /** Codes the documents of a resource, if it contains any. */
    public Optional<String> codeIfAny(String resource, Function<List<SourceDocument>, CodedDocument> coder) {
        RequestSize size = new RequestSize(limits);
        List<ResourceDocument> documents = DocumentExtractor.find(FhirJson.parse(resource), size);
        return documents.isEmpty()
                ? Optional.empty()
                : Optional.of(FhirJson.encode(FhirCoding.code(FhirCoding.byEncounter(documents, size), coder)));
    }

    /** Answers a batch or transaction whose entries call the operation. */
    public String process(
            String resource,
            Function<List<SourceDocument>, CodedDocument> coder,
            Function<RuntimeException, FhirError> errors) {
        if (FhirJson.parse(resource) instanceof Bundle bundle && RequestBundle.isRequest(bundle)) {
            return FhirJson.encode(new RequestBundle(bundle, coder, errors, new RequestSize(limits)).answerCalls());
        }
        throw new UserError(
                "Not a batch or transaction",
                "the FHIR resource",
                "send a Bundle of type batch or transaction, or send documents to /fhir/$code");
    }

    /**
     * A review as a Bundle.
     *
     * @param descriptions the description of a code, or an empty text
     */
    public String review(StoredReview review, UnaryOperator<String> descriptions) {
        return FhirJson.encode(ReviewBundle.of(review, descriptions));
    }

    /**
     * The result of a search for reviews.
     *
     * @param base the URL of the FHIR endpoint
     * @param self the URL of the search
     */
    public String searchResult(
            Optional<StoredReview> found, UnaryOperator<String> descriptions, String base, String self) {
        Bundle result = new Bundle().setType(Bundle.BundleType.SEARCHSET);
        result.addLink().setRelation("self").setUrl(self);
        found.ifPresent(review -> result.addEntry()
                .setFullUrl(base + "/" + BUNDLE + "/" + review.id())
                .setResource(ReviewBundle.of(review, descriptions))
                .getSearch()
                .setMode(Bundle.SearchEntryMode.MATCH));
        return FhirJson.encode(result.setTotal(result.getEntry().size()));
    }

    /** A definition of this project by its type and id, as JSON. */
    public Optional<String> definition(String type, String id) {
        return Optional.ofNullable(DEFINITIONS.get(type + "/" + id)).map(FhirService::read);
    }

    private static String read(String file) {
        try (InputStream in = FhirService.class.getResourceAsStream(file)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
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
        CapabilityStatement.CapabilityStatementRestComponent rest =
                statement.addRest().setMode(CapabilityStatement.RestfulCapabilityMode.SERVER);
        for (String type : List.of(OPERATION_DEFINITION, STRUCTURE_DEFINITION)) {
            rest.addResource().setType(type).addInteraction().setCode(CapabilityStatement.TypeRestfulInteraction.READ);
        }
        CapabilityStatement.CapabilityStatementRestResourceComponent reviews = rest.addResource()
                .setType(BUNDLE)
                .setDocumentation("A submitted review: an Encounter with its diagnoses in order and their"
                        + " present-on-admission indicators, Conditions, Procedures and a Provenance.");
        reviews.addInteraction().setCode(CapabilityStatement.TypeRestfulInteraction.READ);
        reviews.addInteraction().setCode(CapabilityStatement.TypeRestfulInteraction.SEARCHTYPE);
        reviews.addSearchParam()
                .setName("identifier")
                .setDefinition("http://hl7.org/fhir/SearchParameter/Bundle-identifier")
                .setType(SearchParamType.TOKEN)
                .setDocumentation("The id of an encounter; required. Finds the review that counts.");
        rest.addInteraction().setCode(CapabilityStatement.SystemRestfulInteraction.BATCH);
        rest.addInteraction().setCode(CapabilityStatement.SystemRestfulInteraction.TRANSACTION);
        rest.addOperation()
                .setName("code")
                .setDefinition(OPERATIONS + "code")
                .setDocumentation(
                        "POST [base]/$code with a DocumentReference (inline or bundled text/plain or text/html),"
                                + " a Composition, or a Bundle or Parameters of them. Returns a Bundle of Condition, Procedure"
                                + " and Provenance resources.");
        rest.addOperation()
                .setName("add-to-worklist")
                .setDefinition(OPERATIONS + "add-to-worklist")
                .setDocumentation(
                        "POST [base]/$add-to-worklist with the same input. Adds its documents to the worklist.");
        return FhirJson.encode(statement);
    }
}
