package org.plant4j.fhir;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.hl7.fhir.r4.model.Bundle;
import org.hl7.fhir.r4.model.CodeType;
import org.hl7.fhir.r4.model.CodeableConcept;
import org.hl7.fhir.r4.model.Condition;
import org.hl7.fhir.r4.model.DecimalType;
import org.hl7.fhir.r4.model.DomainResource;
import org.hl7.fhir.r4.model.Extension;
import org.hl7.fhir.r4.model.InstantType;
import org.hl7.fhir.r4.model.OperationOutcome;
import org.hl7.fhir.r4.model.Procedure;
import org.hl7.fhir.r4.model.Provenance;
import org.hl7.fhir.r4.model.Reference;
import org.hl7.fhir.r4.model.StringType;
import org.plant4j.Band;
import org.plant4j.Suggestion;
import org.plant4j.encounter.CodedDocument;
import org.plant4j.encounter.SourceDocument;

/**
 * Codes the documents of a FHIR R4 resource. Input: a DocumentReference, a Composition or a Bundle. Output: a Bundle of
 * Condition and Procedure resources with probability and evidence. Documents of the same patient and encounter are coded
 * together. Codes of the hidden band are left out, because a resource would be read as a statement.
 */
final class FhirCoding {

    /** Prefix of the canonical URLs of the extensions. */
    static final String EXTENSIONS = "https://plant4j.org/fhir/StructureDefinition/";

    /** Extensions for the calibrated probability of a code and its band. */
    static final String CONFIDENCE = EXTENSIONS + "confidence";

    static final String BAND = EXTENSIONS + "band";

    /** Extension for the reason why the documents are out of domain. */
    static final String OUT_OF_DOMAIN = EXTENSIONS + "out-of-domain";

    private FhirCoding() {}

    /** Documents by encounter, which are added to the size of the request. */
    static Collection<List<ResourceDocument>> byEncounter(List<ResourceDocument> documents, RequestSize size) {
        Collection<List<ResourceDocument>> encounters = documents.stream()
                .collect(Collectors.groupingBy(ResourceDocument::encounterKey, LinkedHashMap::new, Collectors.toList()))
                .values();
        size.addEncounters(encounters.size());
        return encounters;
    }

    /** Codes encounters, each given by its documents. */
    static Bundle code(
            Collection<List<ResourceDocument>> encounters, Function<List<SourceDocument>, CodedDocument> coder) {
        Bundle out = new Bundle().setType(Bundle.BundleType.COLLECTION).setTimestampElement(InstantType.now());
        out.setId(UUID.randomUUID().toString());
        List<Provenance> provenances = new ArrayList<>();
        encounters.forEach(documents -> {
            CodedDocument coded = coder.apply(
                    documents.stream().map(ResourceDocument::document).toList());
            coded.domain().notice().ifPresent(notice -> add(out, outcome(notice, documents), coded));
            List<String> targets = new ArrayList<>();
            for (Suggestion code : coded.codes()) {
                if (code.band() != Band.HIDDEN) {
                    DomainResource resource = resource(code, documents);
                    coded.domain()
                            .reason()
                            .ifPresent(reason -> resource.addExtension(OUT_OF_DOMAIN, new StringType(reason)));
                    targets.add(add(out, AiProvenance.label(resource), coded));
                }
            }
            if (!targets.isEmpty()) {
                provenances.add(AiProvenance.of(coded, documents, targets, out.getTimestamp()));
            }
        });
        provenances.forEach(each ->
                out.addEntry().setFullUrl("urn:uuid:" + UUID.randomUUID()).setResource(each));
        return out;
    }

    /** Adds a resource and returns its full URL. */
    private static String add(Bundle out, DomainResource resource, CodedDocument coded) {
        resource.getMeta().setSource(AiProvenance.uri(coded));
        String fullUrl = "urn:uuid:" + UUID.randomUUID();
        out.addEntry().setFullUrl(fullUrl).setResource(resource);
        return fullUrl;
    }

    /** A warning about documents that do not resemble the training documents; it remains if no code is returned. */
    private static OperationOutcome outcome(String notice, List<ResourceDocument> documents) {
        OperationOutcome outcome = new OperationOutcome();
        outcome.addIssue()
                .setSeverity(OperationOutcome.IssueSeverity.WARNING)
                .setCode(OperationOutcome.IssueType.PROCESSING)
                .setDetails(new CodeableConcept().setText(notice))
                .setDiagnostics(
                        documents.stream().map(each -> each.document().id()).collect(Collectors.joining(", ")));
        return outcome;
    }

    private static DomainResource resource(Suggestion code, List<ResourceDocument> documents) {
        ResourceDocument first = documents.get(0);
        DomainResource resource = CodeConcepts.isProcedure(code.code())
                ? procedure(code, first, evidence(code, documents))
                : condition(code, first, evidence(code, documents));
        resource.addExtension(CONFIDENCE, decimal(code.probability()));
        resource.addExtension(BAND, new CodeType(code.band().key()));
        return resource;
    }

    private static Condition condition(
            Suggestion code, ResourceDocument first, Map<ResourceDocument, List<Extension>> evidence) {
        Condition condition = new Condition()
                .setVerificationStatus(CodeConcepts.ofTerminology("condition-ver-status", "unconfirmed"))
                .addCategory(CodeConcepts.ofTerminology("condition-category", "encounter-diagnosis"))
                .setCode(CodeConcepts.of(code.code(), code.description()))
                .setSubject(subject(first));
        Reference encounter = ResourceDocument.portable(first.encounter());
        if (!encounter.isEmpty()) {
            condition.setEncounter(encounter);
        }
        evidence.forEach((document, extensions) -> {
            Condition.ConditionEvidenceComponent component = condition.addEvidence();
            component.addDetail(document.source().copy());
            extensions.forEach(component::addExtension);
        });
        return condition;
    }

    private static Procedure procedure(
            Suggestion code, ResourceDocument first, Map<ResourceDocument, List<Extension>> evidence) {
        Procedure procedure = new Procedure()
                .setStatus(Procedure.ProcedureStatus.UNKNOWN) // the procedure may only be planned
                .setCode(CodeConcepts.of(code.code(), code.description()))
                .setSubject(subject(first));
        Reference encounter = ResourceDocument.portable(first.encounter());
        if (!encounter.isEmpty()) {
            procedure.setEncounter(encounter);
        }
        evidence.forEach((document, extensions) -> {
            Reference report = document.source().copy();
            extensions.forEach(report::addExtension);
            procedure.addReport(report);
        });
        return procedure;
    }

    /** Evidence extensions by document. A code without evidence refers to all documents. */
    private static Map<ResourceDocument, List<Extension>> evidence(Suggestion code, List<ResourceDocument> documents) {
        Map<ResourceDocument, List<Extension>> byDocument = new LinkedHashMap<>();
        for (ResourceDocument source : documents) {
            List<Extension> extensions = code.evidence().stream()
                    .filter(span -> span.document()
                            .orElseThrow()
                            .equals(source.document().id()))
                    .map(span -> EvidenceExtension.of(span, source.document()))
                    .toList();
            if (!extensions.isEmpty() || code.evidence().isEmpty()) {
                byDocument.put(source, extensions);
            }
        }
        return byDocument;
    }

    static DecimalType decimal(double value) {
        return new DecimalType(BigDecimal.valueOf(value).setScale(4, RoundingMode.HALF_UP));
    }

    /** FHIR requires a patient; if the documents name none, it is marked as absent. */
    private static Reference subject(ResourceDocument document) {
        Reference subject = ResourceDocument.portable(document.subject());
        if (!subject.isEmpty()) {
            return subject;
        }
        return CodeConcepts.unknown(new Reference());
    }
}
