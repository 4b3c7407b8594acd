package org.plant4j.fhir;

import org.hl7.fhir.r4.model.CodeType;
import org.hl7.fhir.r4.model.CodeableConcept;
import org.hl7.fhir.r4.model.Coding;
import org.hl7.fhir.r4.model.Element;
import org.plant4j.corpus.codeset.CodeSystem;

/** Codes of classifications and of HL7 as concepts of FHIR. */
final class CodeConcepts {

    /** Prefix of the code systems of HL7. */
    static final String TERMINOLOGY = "http://terminology.hl7.org/CodeSystem/";

    private static final String ABSENT = "http://hl7.org/fhir/StructureDefinition/data-absent-reason";

    private CodeConcepts() {}

    /** A code of a classification; {@code description}: empty if there is none. */
    static CodeableConcept of(String code, String description) {
        Coding coding = new Coding().setSystem(uri(CodeSystem.of(code))).setCode(code);
        if (!description.isBlank()) {
            coding.setDisplay(description);
        }
        return new CodeableConcept(coding);
    }

    /** A code of one of HL7's code systems. */
    static CodeableConcept ofTerminology(String system, String code) {
        return new CodeableConcept(new Coding().setSystem(TERMINOLOGY + system).setCode(code));
    }

    static boolean isProcedure(String code) {
        return switch (CodeSystem.of(code)) {
            case ICD_10_PCS, ICD_9_PROCEDURE -> true;
            case ICD_10_CM, ICD_9_CM, ICD_O_3 -> false;
        };
    }

    static String uri(CodeSystem system) {
        return switch (system) {
            case ICD_10_CM -> "http://hl7.org/fhir/sid/icd-10-cm";
            case ICD_10_PCS -> "http://www.cms.gov/Medicare/Coding/ICD10";
            case ICD_9_CM, ICD_9_PROCEDURE -> "http://hl7.org/fhir/sid/icd-9-cm";
            case ICD_O_3 -> TERMINOLOGY + "icd-o-3";
        };
    }

    /** Marks a required element as absent. */
    static <T extends Element> T unknown(T element) {
        element.addExtension(ABSENT, new CodeType("unknown"));
        return element;
    }
}
