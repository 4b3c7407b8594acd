package org.plant4j.fhir;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.hl7.fhir.r4.model.Bundle;
import org.hl7.fhir.r4.model.CodeableConcept;
import org.hl7.fhir.r4.model.Coding;
import org.hl7.fhir.r4.model.Condition;
import org.hl7.fhir.r4.model.Encounter;
import org.hl7.fhir.r4.model.Extension;
import org.hl7.fhir.r4.model.Identifier;
import org.hl7.fhir.r4.model.Procedure;
import org.hl7.fhir.r4.model.Provenance;
import org.hl7.fhir.r4.model.Reference;
import org.hl7.fhir.r4.model.Resource;
import org.plant4j.encounter.SourceDocument;
import org.plant4j.review.PresentOnAdmission;
import org.plant4j.review.Review;
import org.plant4j.review.SecondReview;
import org.plant4j.review.StoredReview;

/**
 * A review in FHIR R4: an Encounter that lists its diagnoses in order, with their present-on-admission indicators, then the
 * Conditions, the Procedures in order, and a Provenance. Rejected codes are left out. The same review always has the same
 * form.
 */
final class ReviewBundle {

    /** Extension of QI-Core on Encounter.diagnosis, and the code system that it requires. */
    static final String PRESENT_ON_ADMISSION =
            "http://hl7.org/fhir/us/qicore/StructureDefinition/qicore-encounter-diagnosisPresentOnAdmission";

    static final String INDICATORS =
            "https://www.cms.gov/Medicare/Medicare-Fee-for-Service-Payment/HospitalAcqCond/Coding";

    /** A document that arrived as a resource which a server has. */
    private static final Pattern REFERENCE =
            Pattern.compile("(https?://\\S+/)?(DocumentReference|Composition)/[A-Za-z0-9.-]{1,64}");

    /** An identifier in the form of FHIR's searches; its system is a URI or missing. */
    private static final Pattern IDENTIFIER = Pattern.compile("([A-Za-z][A-Za-z0-9+.-]*:[^\\s|]*)?\\|(.+)");

    private final StoredReview stored;
    private final UnaryOperator<String> descriptions;
    private final Bundle bundle = new Bundle();
    private final List<String> fullUrls = new ArrayList<>();
    private final Reference encounter;

    private ReviewBundle(StoredReview stored, UnaryOperator<String> descriptions) {
        this.stored = stored;
        this.descriptions = descriptions;
        this.encounter = new Reference(fullUrl(0));
    }

    /** {@code descriptions}: the description of a code, or an empty text. */
    static Bundle of(StoredReview stored, UnaryOperator<String> descriptions) {
        return new ReviewBundle(stored, descriptions).build();
    }

    private Bundle build() {
        Date at = Date.from(stored.at());
        bundle.setIdentifier(identifier(stored.document()))
                .setType(Bundle.BundleType.COLLECTION)
                .setTimestamp(at)
                .setId(stored.id());
        bundle.getMeta().setLastUpdated(at);
        Encounter coded = new Encounter()
                .setStatus(Encounter.EncounterStatus.UNKNOWN)
                .setClass_(CodeConcepts.unknown(new Coding()));
        stored.review().encounter().ifPresent(id -> coded.addIdentifier(identifier(id)));
        add(coded);
        stored.review().decisions().stream()
                .filter(each -> each.decision() != Review.Verdict.REJECTED)
                .filter(each -> !CodeConcepts.isProcedure(each.code()))
                .forEach(each -> addDiagnosis(coded, each, at));
        stored.review().decisions().stream()
                .filter(each -> each.decision() != Review.Verdict.REJECTED)
                .filter(each -> CodeConcepts.isProcedure(each.code()))
                .forEach(each -> add(procedure(each)));
        add(provenance(at));
        return bundle;
    }

    /** Adds a resource and returns its full URL. */
    private String add(Resource resource) {
        String fullUrl = fullUrl(fullUrls.size());
        fullUrls.add(fullUrl);
        bundle.addEntry().setFullUrl(fullUrl).setResource(resource);
        return fullUrl;
    }

    private String fullUrl(int entry) {
        byte[] name = (stored.id() + "/" + entry).getBytes(StandardCharsets.UTF_8);
        return "urn:uuid:" + UUID.nameUUIDFromBytes(name);
    }

    private void addDiagnosis(Encounter coded, Review.Decision decision, Date at) {
        Condition condition = new Condition()
                .setVerificationStatus(CodeConcepts.ofTerminology("condition-ver-status", "confirmed"))
                .addCategory(CodeConcepts.ofTerminology("condition-category", "encounter-diagnosis"))
                .setCode(CodeConcepts.of(decision.code(), descriptions.apply(decision.code())))
                .setSubject(CodeConcepts.unknown(new Reference()))
                .setEncounter(encounter.copy())
                .setRecordedDate(at);
        evidence(decision).forEach((document, marked) -> {
            Condition.ConditionEvidenceComponent component = condition.addEvidence();
            component.addDetail(reference(document));
            marked.forEach(component::addExtension);
        });
        Encounter.DiagnosisComponent diagnosis = coded.addDiagnosis()
                .setCondition(new Reference(add(condition)))
                .setUse(CodeConcepts.ofTerminology("diagnosis-role", "billing"))
                .setRank(coded.getDiagnosis().size());
        decision.presentOnAdmission().ifPresent(each -> diagnosis.addExtension(PRESENT_ON_ADMISSION, indicator(each)));
    }

    private static CodeableConcept indicator(PresentOnAdmission value) {
        return new CodeableConcept(new Coding().setSystem(INDICATORS).setCode(value.indicator()));
    }

    private Procedure procedure(Review.Decision decision) {
        Procedure procedure = new Procedure()
                .setStatus(Procedure.ProcedureStatus.COMPLETED)
                .setCode(CodeConcepts.of(decision.code(), descriptions.apply(decision.code())))
                .setSubject(CodeConcepts.unknown(new Reference()))
                .setEncounter(encounter.copy());
        evidence(decision).forEach((document, marked) -> {
            Reference report = reference(document);
            marked.forEach(report::addExtension);
            procedure.addReport(report);
        });
        return procedure;
    }

    /** The spans that the coder marked, by document. */
    private Map<SourceDocument, List<Extension>> evidence(Review.Decision decision) {
        Map<SourceDocument, List<Extension>> byDocument = new LinkedHashMap<>();
        for (SourceDocument document : stored.review().documents()) {
            List<Extension> marked = decision.evidence().stream()
                    .filter(each -> each.document().equals(document.id()))
                    .map(each -> EvidenceExtension.of(each, document))
                    .toList();
            if (!marked.isEmpty()) {
                byDocument.put(document, marked);
            }
        }
        return byDocument;
    }

    /** Who decided, which model suggested, from which documents, and which reviews came before. */
    private Provenance provenance(Date at) {
        Provenance provenance = new Provenance().setRecorded(at);
        fullUrls.forEach(each -> provenance.addTarget(new Reference(each)));
        provenance.setActivity(CodeConcepts.ofTerminology("v3-DataOperation", "CREATE"));
        provenance
                .addAgent()
                .setType(CodeConcepts.ofTerminology("provenance-participant-type", "author"))
                .setWho(new Reference()
                        .setType("Practitioner")
                        .setIdentifier(new Identifier().setValue(stored.reviewer()))
                        .setDisplay(stored.reviewer()));
        String version = stored.review().version();
        provenance
                .addAgent()
                .setType(CodeConcepts.ofTerminology("provenance-participant-type", "assembler"))
                .setWho(new Reference()
                        .setType("Device")
                        .setIdentifier(new Identifier().setValue(version))
                        .setDisplay("Plant4j, model version " + version));
        stored.review()
                .documents()
                .forEach(each -> provenance
                        .addEntity()
                        .setRole(Provenance.ProvenanceEntityRole.SOURCE)
                        .setWhat(reference(each)));
        stored.supersedes().ifPresent(id -> addRevised(provenance, id));
        stored.review().second().map(SecondReview::review).ifPresent(id -> addRevised(provenance, id));
        return provenance;
    }

    private static void addRevised(Provenance provenance, String review) {
        provenance
                .addEntity()
                .setRole(Provenance.ProvenanceEntityRole.REVISION)
                .setWhat(new Reference("Bundle/" + review));
    }

    /** A reference to a document: to its resource if it arrived as one, otherwise by its id. */
    private static Reference reference(SourceDocument document) {
        Reference reference = REFERENCE.matcher(document.id()).matches()
                ? new Reference(document.id())
                : new Reference().setIdentifier(new Identifier().setValue(document.id()));
        return document.title().isBlank() ? reference : reference.setDisplay(document.title());
    }

    /** The identifier that an id stands for: an encounter that arrived with an identifier has {@code system|value}. */
    private static Identifier identifier(String id) {
        var parts = IDENTIFIER.matcher(id);
        return parts.matches()
                ? new Identifier().setSystem(parts.group(1)).setValue(parts.group(2))
                : new Identifier().setValue(id);
    }
}
