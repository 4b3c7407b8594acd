package org.plant4j.fhir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hl7.fhir.r4.model.Bundle;
import org.hl7.fhir.r4.model.CodeableConcept;
import org.hl7.fhir.r4.model.Condition;
import org.hl7.fhir.r4.model.Encounter;
import org.hl7.fhir.r4.model.Extension;
import org.hl7.fhir.r4.model.Procedure;
import org.hl7.fhir.r4.model.Provenance;
import org.hl7.fhir.r4.model.Reference;
import org.hl7.fhir.r4.model.Resource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.plant4j.encounter.SourceDocument;
import org.plant4j.review.PresentOnAdmission;
import org.plant4j.review.Review;
import org.plant4j.review.Review.Verdict;
import org.plant4j.review.SecondReview;
import org.plant4j.review.StoredReview;

class ReviewBundleTest {

    private static final ResourceValidator VALIDATOR = new ResourceValidator();
    private static final FhirService FHIR = new FhirService(FhirLimits.NONE);
    private static final Map<String, String> DESCRIPTIONS = Map.of("I50.9", "Heart failure, unspecified");

    private static final Review REVIEW = review("Encounter/17", "Heart failure, hypertension.");

    private static Review review(String encounter, String text) {
        return new Review(
                Optional.of(encounter),
                Optional.of("2026-02-28"),
                List.of(
                        new SourceDocument("DocumentReference/d1", "Discharge", text),
                        new SourceDocument("b", "", text)),
                "0123456789ab",
                Optional.empty(),
                List.of(),
                List.of(
                        decision("0210093", Verdict.ADDED, Optional.empty()),
                        decision("I50.9", Verdict.ACCEPTED, Optional.of(PresentOnAdmission.YES), 0, 13),
                        decision("J45.909", Verdict.REJECTED, Optional.empty()),
                        decision("I10", Verdict.ADDED, Optional.of(PresentOnAdmission.EXEMPT)),
                        decision("N17.9", Verdict.ADDED, Optional.empty()),
                        decision("02100Z9", Verdict.ADDED, Optional.empty())),
                Optional.of("clear"),
                Optional.of(60),
                Optional.empty());
    }

    private static Review.Decision decision(
            String code, Verdict verdict, Optional<PresentOnAdmission> presentOnAdmission, int... span) {
        List<Review.MarkedSpan> evidence = span.length == 0
                ? List.of()
                : List.of(
                        new Review.MarkedSpan("DocumentReference/d1", span[0], span[1]),
                        new Review.MarkedSpan("b", span[0], span[1]));
        return new Review.Decision(code, verdict, Optional.empty(), evidence, presentOnAdmission);
    }

    private static StoredReview stored(Review review) {
        return new StoredReview(
                "5b0c7c3e-6a0e-4d5c-9a3f-0a6f4a1c2b7d",
                Instant.parse("2026-03-01T10:00:00.125Z"),
                "maria",
                review.documentId(),
                Optional.of("11111111-6a0e-4d5c-9a3f-0a6f4a1c2b7d"),
                review);
    }

    private static Bundle bundle(StoredReview review) {
        return ReviewBundle.of(review, code -> DESCRIPTIONS.getOrDefault(code, ""));
    }

    private static <T extends Resource> List<T> resources(Bundle bundle, Class<T> type) {
        return bundle.getEntry().stream()
                .map(Bundle.BundleEntryComponent::getResource)
                .filter(type::isInstance)
                .map(type::cast)
                .toList();
    }

    private static Resource target(Bundle bundle, Reference reference) {
        return bundle.getEntry().stream()
                .filter(entry -> entry.getFullUrl().equals(reference.getReference()))
                .findFirst()
                .orElseThrow()
                .getResource();
    }

    @Test
    void diagnosesAreRankedInTheOrderOfTheReviewWithTheirIndicators() {
        Bundle bundle = bundle(stored(REVIEW));
        Encounter encounter = resources(bundle, Encounter.class).get(0);
        assertThat(encounter.getDiagnosis())
                .extracting(
                        each -> ((Condition) target(bundle, each.getCondition()))
                                .getCode()
                                .getCodingFirstRep()
                                .getCode(),
                        Encounter.DiagnosisComponent::getRank,
                        each -> each.getUse().getCodingFirstRep().getCode(),
                        ReviewBundleTest::indicator)
                .containsExactly(
                        tuple("I50.9", 1, "billing", "Y"),
                        tuple("I10", 2, "billing", "1"),
                        tuple("N17.9", 3, "billing", ""));
        assertThat(encounter.getIdentifierFirstRep().getValue()).isEqualTo("Encounter/17");
        assertThat(resources(bundle, Condition.class))
                .allSatisfy(
                        each -> assertThat(target(bundle, each.getEncounter())).isSameAs(encounter))
                .allSatisfy(each -> assertThat(
                                each.getVerificationStatus().getCodingFirstRep().getCode())
                        .isEqualTo("confirmed"));
        assertThat(resources(bundle, Procedure.class))
                .extracting(each -> each.getCode().getCodingFirstRep().getCode())
                .containsExactly("0210093", "02100Z9");
        assertThat(FHIR.review(stored(REVIEW), code -> "")).doesNotContain("J45.909", "clear");
    }

    private static String indicator(Encounter.DiagnosisComponent diagnosis) {
        Extension extension = diagnosis.getExtensionByUrl(ReviewBundle.PRESENT_ON_ADMISSION);
        return extension == null
                ? ""
                : ((CodeableConcept) extension.getValue()).getCodingFirstRep().getCode();
    }

    @Test
    void markedEvidenceRefersToItsDocument() {
        Condition condition = resources(bundle(stored(REVIEW)), Condition.class).get(0);
        assertThat(condition.getCode().getCodingFirstRep().getDisplay()).isEqualTo("Heart failure, unspecified");
        assertThat(condition.getEvidence())
                .extracting(
                        each -> each.getDetailFirstRep().getReference(),
                        each -> each.getDetailFirstRep().getIdentifier().getValue(),
                        each -> each.getExtensionByUrl(EvidenceExtension.URL)
                                .getExtensionByUrl("text")
                                .getValue()
                                .primitiveValue())
                .containsExactly(
                        tuple("DocumentReference/d1", null, "Heart failure"), tuple(null, "b", "Heart failure"));
        Condition withoutText = resources(bundle(stored(review("Encounter/17", ""))), Condition.class)
                .get(0);
        Extension span = withoutText.getEvidenceFirstRep().getExtensionByUrl(EvidenceExtension.URL);
        assertThat(span.getExtensionByUrl("text")).isNull();
        assertThat(span.getExtensionByUrl("end").getValue().primitiveValue()).isEqualTo("13");
    }

    @Test
    void theProvenanceNamesWhoDecidedAndWhatCameBefore() {
        Review second = new Review(
                REVIEW.encounter(),
                REVIEW.date(),
                REVIEW.documents(),
                REVIEW.version(),
                REVIEW.outOfDomain(),
                REVIEW.shown(),
                REVIEW.decisions(),
                REVIEW.comment(),
                REVIEW.seconds(),
                Optional.of(new SecondReview("22222222-6a0e-4d5c-9a3f-0a6f4a1c2b7d", "hash", List.of())));
        Bundle bundle = bundle(stored(second));
        Provenance provenance = resources(bundle, Provenance.class).get(0);
        assertThat(provenance.getTarget())
                .extracting(Reference::getReference)
                .containsExactlyElementsOf(bundle.getEntry().stream()
                        .limit(6)
                        .map(Bundle.BundleEntryComponent::getFullUrl)
                        .toList());
        assertThat(provenance.getAgent())
                .extracting(each -> each.getWho().getIdentifier().getValue())
                .containsExactly("maria", "0123456789ab");
        assertThat(provenance.getEntity())
                .extracting(
                        each -> each.getRole().toCode(), each -> each.getWhat().getReference())
                .containsExactly(
                        tuple("source", "DocumentReference/d1"),
                        tuple("source", null),
                        tuple("revision", "Bundle/11111111-6a0e-4d5c-9a3f-0a6f4a1c2b7d"),
                        tuple("revision", "Bundle/22222222-6a0e-4d5c-9a3f-0a6f4a1c2b7d"));
        assertThat(VALIDATOR.errors(FHIR.review(stored(second), code -> ""))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {
                "urn:oid:2.16.840.1.113883.19.5|V17 urn:oid:2.16.840.1.113883.19.5 V17",
                "http://x.org/visits|V17 http://x.org/visits V17",
                "|V17 '' V17",
                "V17 '' V17",
                "ward|V17 '' ward|V17",
                "Encounter/17 '' Encounter/17"
            })
    void theIdOfAnEncounterIsItsIdentifier(String id, String system, String value) {
        Bundle bundle = bundle(stored(review(id, "Gout.")));
        assertThat(List.of(
                        bundle.getIdentifier(),
                        resources(bundle, Encounter.class).get(0).getIdentifierFirstRep()))
                .allSatisfy(each -> {
                    assertThat(String.valueOf(each.getSystem()).replace("null", ""))
                            .isEqualTo(system);
                    assertThat(each.getValue()).isEqualTo(value);
                });
        assertThat(VALIDATOR.errors(FHIR.review(stored(review(id, "Gout.")), code -> "")))
                .isEmpty();
    }

    @Test
    void everyFormIsValidAndTheSameEachTime() {
        String json = FHIR.review(stored(REVIEW), code -> DESCRIPTIONS.getOrDefault(code, ""));
        assertThat(VALIDATOR.errors(json)).isEmpty();
        assertThat(json)
                .isEqualTo(FHIR.review(stored(REVIEW), code -> DESCRIPTIONS.getOrDefault(code, "")))
                .contains("\"lastUpdated\": \"2026-03-01T10:00:00.125")
                .doesNotContain("hypertension");
        assertThat(VALIDATOR.errors(FHIR.review(stored(review("Encounter/17", "")), code -> "")))
                .isEmpty();
        String found = FHIR.searchResult(
                Optional.of(stored(REVIEW)),
                code -> "",
                "https://x.org/fhir",
                "https://x.org/fhir/Bundle?identifier=17");
        assertThat(VALIDATOR.errors(found)).isEmpty();
        String none = FHIR.searchResult(
                Optional.empty(), code -> "", "https://x.org/fhir", "https://x.org/fhir/Bundle?identifier=17");
        assertThat(VALIDATOR.errors(none)).isEmpty();
    }

    @Test
    void theValidatorKnowsTheIndicators() {
        String json = FHIR.review(stored(REVIEW), code -> "");
        assertThat(VALIDATOR.errors(json.replace("\"Y\"", "\"X\""))).anyMatch(fault -> fault.contains("X"));
        assertThat(VALIDATOR.errors(json.replace("billing", "invoice"))).isNotEmpty();
    }
}
