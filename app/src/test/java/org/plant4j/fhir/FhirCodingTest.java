package org.plant4j.fhir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.hl7.fhir.r4.model.Bundle;
import org.hl7.fhir.r4.model.CodeType;
import org.hl7.fhir.r4.model.Condition;
import org.hl7.fhir.r4.model.DecimalType;
import org.hl7.fhir.r4.model.Extension;
import org.hl7.fhir.r4.model.OperationOutcome;
import org.hl7.fhir.r4.model.Procedure;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.plant4j.Band;
import org.plant4j.DomainCheck;
import org.plant4j.Evidence;
import org.plant4j.Span;
import org.plant4j.Suggestion;
import org.plant4j.Trait;
import org.plant4j.UserError;
import org.plant4j.corpus.codeset.CodeSystem;
import org.plant4j.encounter.CodedDocument;
import org.plant4j.encounter.SourceDocument;

class FhirCodingTest {

    private static final String TEXT = "Known asthma; CT of the thorax.";

    private static final ResourceValidator VALIDATOR = new ResourceValidator();

    private final List<List<SourceDocument>> codedDocuments = new ArrayList<>();

    /** A model that finds the words asthma and CT, and suggests one hidden code. */
    private CodedDocument coder(List<SourceDocument> documents) {
        codedDocuments.add(documents);
        return new CodedDocument(
                "demo laat",
                "0123456789ab",
                DomainCheck.IN_DOMAIN,
                List.of(
                        suggestion("J45.909", "Unspecified asthma", 0.96543, Band.SUGGEST, find("asthma", documents)),
                        suggestion("BW24ZZZ", "", 0.4, Band.REVIEW, find("CT", documents)),
                        suggestion("8140/3", "", 0.3, Band.REVIEW, List.of()),
                        suggestion("I10", "", 0.01, Band.HIDDEN, List.of())));
    }

    private static Suggestion suggestion(
            String code, String description, double probability, Band band, List<Evidence> evidence) {
        return new Suggestion(code, description, probability, probability, band, band == Band.SUGGEST, evidence);
    }

    private static List<Evidence> find(String word, List<SourceDocument> documents) {
        List<Evidence> spans = new ArrayList<>();
        for (SourceDocument document : documents) {
            int start = document.text().indexOf(word);
            if (start >= 0) {
                spans.add(new Evidence(
                        new Span(start, start + word.length()), word, 0.5, Set.of(), Optional.of(document.id())));
            }
        }
        return spans;
    }

    private static String base64(String text, Charset charset) {
        return Base64.getEncoder().encodeToString(text.getBytes(charset));
    }

    private static String documentReference(String more, String contentType, String data) {
        return """
                {"resourceType": "DocumentReference", %s "status": "current",
                 "content": [{"attachment": {"contentType": "%s", "title": "Discharge", "data": "%s"}}]}
                """.replaceFirst("%s", more).replaceFirst("%s", contentType).replaceFirst("%s", data);
    }

    private static String document(String id, String subject, String encounter, String text) {
        return documentReference(
                "\"id\": \"" + id + "\", \"subject\": {\"reference\": \"" + subject
                        + "\"}, \"context\": {\"encounter\": [{\"reference\": \"" + encounter + "\"}]},",
                "text/plain",
                base64(text, StandardCharsets.UTF_8));
    }

    private static String composition(String div) {
        return """
                {"resourceType": "Composition", "id": "c1", "status": "final", "title": "Report", "date": "2026-01-02",
                 "type": {"text": "Report"}, "author": [{"display": "A doctor"}],
                 "section": [{"title": "History", "text": {"status": "additional", "div": "DIV"},
                   "section": [{"title": "Plan", "text": {"status": "additional",
                     "div": "<div xmlns='http://www.w3.org/1999/xhtml'>CT tomorrow.</div>"}}]}]}
                """.replace("DIV", div);
    }

    private static String bundle(String... resources) {
        StringBuilder entries = new StringBuilder();
        for (int i = 0; i < resources.length; i++) {
            entries.append(i == 0 ? "" : ",")
                    .append("{\"fullUrl\": \"http://here.example/fhir/r")
                    .append(i)
                    .append("\", \"resource\": ")
                    .append(resources[i])
                    .append("}");
        }
        return "{\"resourceType\": \"Bundle\", \"type\": \"collection\", \"entry\": [" + entries + "]}";
    }

    private Bundle coded(String json) {
        String out = new FhirService(FhirLimits.NONE).code(json, this::coder);
        assertThat(VALIDATOR.errors(out)).isEmpty();
        Bundle bundle = (Bundle) FhirJson.parse(out);
        assertThat(bundle.getType()).isEqualTo(Bundle.BundleType.COLLECTION);
        return bundle;
    }

    private static Condition condition(Bundle bundle, int entry) {
        return (Condition) bundle.getEntry().get(entry).getResource();
    }

    @Test
    void aDocumentReferenceBecomesValidConditionsAndProcedures() {
        String in = document("d1", "Patient/p", "Encounter/e", TEXT);
        Bundle out = coded(in);
        assertThat(codedDocuments)
                .containsExactly(List.of(new SourceDocument("DocumentReference/d1", "Discharge", TEXT)));
        assertThat(out.getEntry()).hasSize(4); // without the hidden code, with the provenance

        Condition asthma = condition(out, 0);
        assertThat(asthma.getCode().getCodingFirstRep().getSystem()).isEqualTo("http://hl7.org/fhir/sid/icd-10-cm");
        assertThat(asthma.getCode().getCodingFirstRep().getCode()).isEqualTo("J45.909");
        assertThat(asthma.getCode().getCodingFirstRep().getDisplay()).isEqualTo("Unspecified asthma");
        assertThat(asthma.getVerificationStatus().getCodingFirstRep().getCode()).isEqualTo("unconfirmed");
        assertThat(asthma.getSubject().getReference()).isEqualTo("Patient/p");
        assertThat(asthma.getEncounter().getReference()).isEqualTo("Encounter/e");
        assertThat(asthma.getMeta().getSource()).isEqualTo("urn:plant4j:demo+laat:0123456789ab");
        assertThat(((DecimalType)
                                asthma.getExtensionByUrl(FhirCoding.CONFIDENCE).getValue())
                        .getValue())
                .isEqualByComparingTo("0.9654");
        assertThat(((CodeType) asthma.getExtensionByUrl(FhirCoding.BAND).getValue()).getValue())
                .isEqualTo("suggest");
        Condition.ConditionEvidenceComponent evidence = asthma.getEvidenceFirstRep();
        assertThat(evidence.getDetailFirstRep().getReference()).isEqualTo("DocumentReference/d1");
        assertThat(words(evidence.getExtensionFirstRep())).isEqualTo("DocumentReference/d1 6-12 asthma 0.5");

        Procedure scan = (Procedure) out.getEntry().get(1).getResource();
        assertThat(scan.getCode().getCodingFirstRep().getSystem())
                .isEqualTo("http://www.cms.gov/Medicare/Coding/ICD10");
        assertThat(scan.getStatus()).isEqualTo(Procedure.ProcedureStatus.UNKNOWN);
        assertThat(scan.getReportFirstRep().getReference()).isEqualTo("DocumentReference/d1");
        assertThat(words(scan.getReportFirstRep().getExtensionFirstRep()))
                .isEqualTo("DocumentReference/d1 14-16 CT 0.5");

        // A code without evidence refers to its documents.
        assertThat(condition(out, 2).getEvidenceFirstRep().getDetailFirstRep().getReference())
                .isEqualTo("DocumentReference/d1");
    }

    @Test
    void evidenceHasItsTraits() {
        CodedDocument contradicted = coder(List.of(new SourceDocument("DocumentReference/d1", "", TEXT)));
        Suggestion asthma = contradicted.codes().get(0);
        Suggestion negated = asthma.withEvidence(
                List.of(asthma.evidence().get(0).withTraits(Set.of(Trait.HISTORICAL, Trait.NEGATED))));
        String out = new FhirService(FhirLimits.NONE)
                .code(
                        document("d1", "Patient/p", "Encounter/e", TEXT),
                        documents -> new CodedDocument("m", "v", DomainCheck.IN_DOMAIN, List.of(negated)));
        assertThat(VALIDATOR.errors(out)).isEmpty();
        Condition condition = condition((Bundle) FhirJson.parse(out), 0);
        assertThat(condition.getEvidenceFirstRep().getExtensionFirstRep().getExtensionsByUrl("trait"))
                .extracting(trait -> trait.getValue().primitiveValue())
                .containsExactly("negated", "historical");
        assertThat(condition.getVerificationStatus().getCodingFirstRep().getCode())
                .isEqualTo("unconfirmed");
    }

    @Test
    void documentsOutOfDomainHaveAWarningAndMarkTheirCodes() {
        String reason = "Only 1 of 5 words is known.";
        Suggestion asthma = suggestion("J45.909", "", 0.9, Band.REVIEW, List.of());
        String out = new FhirService(FhirLimits.NONE)
                .code(
                        bundle(
                                document("d1", "Patient/p", "Encounter/e", "Lorem ipsum."),
                                document("d2", "Patient/q", "Encounter/f", "Asthma.")),
                        documents -> new CodedDocument(
                                "m",
                                "v",
                                documents.get(0).text().startsWith("Lorem")
                                        ? DomainCheck.outOfDomain(reason)
                                        : DomainCheck.IN_DOMAIN,
                                List.of(asthma)));
        assertThat(VALIDATOR.errors(out)).isEmpty();
        Bundle bundle = (Bundle) FhirJson.parse(out);
        assertThat(bundle.getEntry()).hasSize(5); // with a provenance per encounter
        OperationOutcome outcome = (OperationOutcome) bundle.getEntry().get(0).getResource();
        assertThat(outcome.getIssueFirstRep().getSeverity()).isEqualTo(OperationOutcome.IssueSeverity.WARNING);
        assertThat(outcome.getIssueFirstRep().getDetails().getText())
                .contains("does not resemble", reason, "for review only");
        assertThat(outcome.getIssueFirstRep().getDiagnostics()).isEqualTo("http://here.example/fhir/r0");
        assertThat(condition(bundle, 1).getExtensionString(FhirCoding.OUT_OF_DOMAIN))
                .isEqualTo(reason);
        assertThat(condition(bundle, 2).getExtensionByUrl(FhirCoding.OUT_OF_DOMAIN))
                .isNull();
    }

    private static String words(Extension evidence) {
        return part(evidence, "document") + " " + part(evidence, "start") + "-" + part(evidence, "end") + " "
                + part(evidence, "text") + " "
                + part(evidence, "weight").replaceAll("0+$", "");
    }

    private static String part(Extension evidence, String name) {
        return evidence.getExtensionByUrl(name).getValue().primitiveValue();
    }

    @Test
    void sectionsOfACompositionBecomeDocumentsWithoutMarkup() {
        coded(composition("<div xmlns='http://www.w3.org/1999/xhtml'><h2>History</h2><p>Known&#160;<b>asth</b>ma &amp;"
                + " more<br/>second line</p><table><tr><td>HR</td><td>80</td></tr></table><!-- no comment --></div>"));
        assertThat(codedDocuments)
                .containsExactly(List.of(
                        new SourceDocument(
                                "Composition/c1", "History", "History\n\nKnown asthma & more\nsecond line\n\nHR 80"),
                        new SourceDocument("Composition/c1#2", "Plan", "CT tomorrow.")));
    }

    @Test
    void aScriptInANarrativeIsDropped() {
        String script = "<div xmlns='http://www.w3.org/1999/xhtml'><script>alert(1)</script><p>Fever.</p></div>";
        new FhirService(FhirLimits.NONE).code(composition(script), this::coder);
        assertThat(codedDocuments.get(0).get(0).text()).isEqualTo("Fever.");
    }

    @Test
    void attachmentsOfOneResourceAreNumbered() {
        coded(bundle(attachments("d", 3)));
        assertThat(codedDocuments.get(0))
                .extracting(SourceDocument::id)
                .containsExactly(
                        "http://here.example/fhir/r0",
                        "http://here.example/fhir/r0#2",
                        "http://here.example/fhir/r0#3");
    }

    @Test
    void aResourceHasALargestNumberOfDocuments() {
        List<ResourceDocument> most =
                DocumentExtractor.extract(FhirJson.parse(attachments("d", 1000)), new RequestSize(FhirLimits.NONE));
        assertThat(most).hasSize(1000);
        assertThat(most.get(999).document().id()).isEqualTo("DocumentReference/d#1000");
        String more = attachments("d", 1001);
        UserError error =
                catchThrowableOfType(UserError.class, () -> new FhirService(FhirLimits.NONE).code(more, this::coder));
        assertThat(error.what()).isEqualTo("The resource contains more than 1000 documents");
        assertThat(codedDocuments).isEmpty();
    }

    /** A DocumentReference with several attachments. */
    private static String attachments(String id, int count) {
        String content = "{\"attachment\": {\"contentType\": \"text/plain\", \"data\": \""
                + base64(TEXT, StandardCharsets.UTF_8) + "\"}}";
        return "{\"resourceType\": \"DocumentReference\", \"id\": \"" + id
                + "\", \"status\": \"current\", \"content\": [" + String.join(",", Collections.nCopies(count, content))
                + "]}";
    }

    @ParameterizedTest
    @ValueSource(ints = {500, 5_000, 100_000})
    void deeplyNestedMarkupIsReadOrRejected(int depth) {
        String deep = "<div xmlns='http://www.w3.org/1999/xhtml'>" + "<div>".repeat(depth) + "Fever."
                + "</div>".repeat(depth) + "</div>";
        try {
            new FhirService(FhirLimits.NONE).code(composition(deep), this::coder);
        } catch (UserError rejected) {
            return;
        }
        assertThat(codedDocuments.get(0).get(0).text()).isEqualTo("Fever.");
    }

    @Test
    void entitiesAreNotResolved() {
        String entity = "<!DOCTYPE div [<!ENTITY x SYSTEM 'file:///etc/passwd'>]>"
                + "<div xmlns='http://www.w3.org/1999/xhtml'>&x; Fever.</div>";
        try {
            new FhirService(FhirLimits.NONE).code(composition(entity), this::coder);
        } catch (UserError rejected) {
            return;
        }
        assertThat(codedDocuments.get(0).get(0).text()).doesNotContain("root:");
    }

    @Test
    void notesOfOneEncounterAreCodedTogether() {
        Bundle out = coded(bundle(
                document("d1", "Patient/p", "Encounter/e", "Known asthma."),
                "{\"resourceType\": \"Patient\", \"id\": \"p\"}",
                document("d2", "Patient/p", "Encounter/e", "No fever, but asthma.")));
        assertThat(codedDocuments).hasSize(1);
        assertThat(codedDocuments.get(0))
                .extracting(SourceDocument::text)
                .containsExactly("Known asthma.", "No fever, but asthma.");
        List<Condition.ConditionEvidenceComponent> evidence = condition(out, 0).getEvidence();
        assertThat(evidence)
                .extracting(piece -> piece.getDetailFirstRep().getReference())
                .containsExactly("http://here.example/fhir/r0", "http://here.example/fhir/r2");
        assertThat(words(evidence.get(1).getExtensionFirstRep()))
                .isEqualTo("http://here.example/fhir/r2 14-20 asthma 0.5");
    }

    @Test
    void notesOfDifferentPatientsAndEncountersAreCodedSeparately() {
        Bundle out = coded(bundle(
                document("d1", "Patient/p", "Encounter/e", "Asthma of one."),
                document("d2", "Patient/q", "Encounter/e", "Asthma of another."),
                document("d3", "Patient/p", "Encounter/f", "Asthma, later.")));
        assertThat(codedDocuments).hasSize(3).allMatch(documents -> documents.size() == 1);
        assertThat(out.getEntry()).hasSize(12); // with a provenance per encounter
        assertThat(condition(out, 3).getSubject().getReference()).isEqualTo("Patient/q");
        assertThat(condition(out, 6).getEncounter().getReference()).isEqualTo("Encounter/f");
    }

    @Test
    void containedPatientsOfDifferentResourcesAreDifferentPatients() {
        String contained = "\"contained\": [{\"resourceType\": \"Patient\", \"id\": \"p\"}],"
                + " \"subject\": {\"reference\": \"#p\"},";
        String data = base64(TEXT, StandardCharsets.UTF_8);
        Bundle out = coded(bundle(
                documentReference(contained, "text/plain", data), documentReference(contained, "text/plain", data)));
        assertThat(codedDocuments).hasSize(2);
        // The patient is contained in the submitted resource, so another resource cannot refer to it.
        assertThat(condition(out, 0).getSubject().hasReference()).isFalse();
        assertThat(condition(out, 0).getSubject().getExtensionFirstRep().getUrl())
                .endsWith("data-absent-reason");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "\"subject\": {\"display\": \"John Smith\"},",
                "\"subject\": {\"identifier\": {\"system\": \"http://here.example/mrn\"}},"
            })
    void resourcesWithoutAnIdentifiedPatientAreCodedSeparately(String subject) {
        String data = base64(TEXT, StandardCharsets.UTF_8);
        new FhirService(FhirLimits.NONE)
                .code(
                        bundle(
                                documentReference(subject, "text/plain", data),
                                documentReference(subject, "text/plain", data)),
                        this::coder);
        assertThat(codedDocuments).hasSize(2).allMatch(documents -> documents.size() == 1);
    }

    @Test
    void aDocumentWithoutPatientHasAnUnknownSubject() {
        Bundle out = coded(documentReference("", "text/plain", base64(TEXT, StandardCharsets.UTF_8)));
        assertThat(condition(out, 0).getSubject().getExtensionFirstRep().getUrl())
                .endsWith("data-absent-reason");
    }

    @Test
    void usesTheDeclaredEncoding() {
        coded(documentReference(
                "", "text/plain; charset=ISO-8859-1", base64("Diagnóstico: asthma", StandardCharsets.ISO_8859_1)));
        assertThat(codedDocuments.get(0).get(0).text()).isEqualTo("Diagnóstico: asthma");
        UserError error = catchThrowableOfType(
                UserError.class,
                () -> new FhirService(FhirLimits.NONE)
                        .code(
                                documentReference("", "text/plain", base64("ó", StandardCharsets.ISO_8859_1)),
                                this::coder));
        assertThat(error.remedy()).contains("UTF-8");
    }

    @ParameterizedTest
    @ValueSource(strings = {"application/pdf", "text/rtf", "image/png"})
    void rejectsAttachmentsThatAreNotText(String type) {
        String in = documentReference("", type, base64("Secretword", StandardCharsets.UTF_8));
        UserError error =
                catchThrowableOfType(UserError.class, () -> new FhirService(FhirLimits.NONE).code(in, this::coder));
        assertThat(error.what()).contains("no document");
        assertThat(error.remedy()).contains("text/plain", "Composition", "Bundle");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "{\"resourceType\": \"Nonsense\", \"x\": \"Secretword\"}",
                "{\"resourceType\": \"DocumentReference\", \"Secretword is no name\": 1}",
                "{\"resourceType\": \"DocumentReference\", \"status\": \"Secretword\"}",
                "{\"resourceType\": \"DocumentReference\", \"date\": \"Secretword\"}",
                "{\"resourceType\": \"DocumentReference\", \"content\": \"Secretword\"}",
                "{\"resourceType\": \"DocumentReference\", \"status\": ",
                "<DocumentReference xmlns='http://hl7.org/fhir'/>",
                "{\"resourceType\": \"Patient\", \"id\": \"Secretword\"}",
                "{\"resourceType\": \"Bundle\", \"type\": \"collection\", \"entry\": [{\"resource\": [1], \"fullUrl\": \"Secretword\"}]}"
            })
    void invalidResourcesAreReportedWithoutTheirContent(String in) {
        UserError error =
                catchThrowableOfType(UserError.class, () -> new FhirService(FhirLimits.NONE).code(in, this::coder));
        assertThat(error).isNotNull();
        assertThat(error.toString() + error.what() + error.where() + error.getCause())
                .doesNotContain("Secretword");
    }

    @ParameterizedTest
    @CsvSource({
        "J45.909, http://hl7.org/fhir/sid/icd-10-cm",
        "BW24ZZZ, http://www.cms.gov/Medicare/Coding/ICD10",
        "428.0, http://hl7.org/fhir/sid/icd-9-cm",
        "38.93, http://hl7.org/fhir/sid/icd-9-cm",
        "8140/3, http://terminology.hl7.org/CodeSystem/icd-o-3"
    })
    void everyCodeHasItsCodeSystem(String code, String uri) {
        assertThat(CodeConcepts.uri(CodeSystem.of(code))).isEqualTo(uri);
    }

    @Test
    void theCapabilityStatementIsValid() {
        String statement = new FhirService(FhirLimits.NONE).capabilities("http://localhost:8080/fhir");
        assertThat(VALIDATOR.errors(statement)).isEmpty();
        assertThat(statement).contains("\"4.0.1\"", "http://localhost:8080/fhir", "\"code\"");
    }

    @Test
    void theValidatorDetectsErrors() {
        String broken = new FhirService(FhirLimits.NONE)
                .code(document("d1", "Patient/p", "Encounter/e", TEXT), this::coder)
                .replace("StructureDefinition/confidence", "StructureDefinition/unheard-of")
                .replace("unconfirmed", "nonsense");
        assertThat(VALIDATOR.errors(broken))
                .anyMatch(fault -> fault.contains("unheard-of"))
                .anyMatch(fault -> fault.contains("nonsense"));
    }
}
