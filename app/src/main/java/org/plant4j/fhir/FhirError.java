package org.plant4j.fhir;

import org.hl7.fhir.r4.model.CodeableConcept;
import org.hl7.fhir.r4.model.OperationOutcome;
import org.plant4j.UserError;

/**
 * Why one entry of a batch failed.
 *
 * @param status the HTTP status that the entry would get alone
 * @param type a code of http://hl7.org/fhir/issue-type
 */
public record FhirError(int status, String type, String what, String diagnostics) {

    private static final int UNPROCESSABLE = 422;

    /** The error of invalid input; any other exception is thrown again. */
    public static FhirError of(RuntimeException failure) {
        if (failure instanceof UserError error) {
            return new FhirError(
                    UNPROCESSABLE,
                    "processing",
                    error.what(),
                    "where: " + error.where() + "; remedy: " + error.remedy());
        }
        throw failure;
    }

    OperationOutcome outcome() {
        return outcome(OperationOutcome.IssueSeverity.ERROR, type, what, diagnostics);
    }

    /** An outcome that is not an error. */
    static OperationOutcome information(String what) {
        return outcome(OperationOutcome.IssueSeverity.INFORMATION, "informational", what, "nothing to do");
    }

    private static OperationOutcome outcome(
            OperationOutcome.IssueSeverity severity, String type, String what, String diagnostics) {
        OperationOutcome outcome = new OperationOutcome();
        outcome.addIssue()
                .setSeverity(severity)
                .setCode(OperationOutcome.IssueType.fromCode(type))
                .setDetails(new CodeableConcept().setText(what))
                .setDiagnostics(diagnostics);
        return outcome;
    }
}
