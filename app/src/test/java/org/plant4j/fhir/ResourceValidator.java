package org.plant4j.fhir;

import ca.uhn.fhir.context.FhirContext;
import ca.uhn.fhir.context.support.DefaultProfileValidationSupport;
import ca.uhn.fhir.validation.FhirValidator;
import ca.uhn.fhir.validation.ResultSeverityEnum;
import ca.uhn.fhir.validation.SingleValidationMessage;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.hl7.fhir.common.hapi.validation.support.CommonCodeSystemsTerminologyService;
import org.hl7.fhir.common.hapi.validation.support.InMemoryTerminologyServerValidationSupport;
import org.hl7.fhir.common.hapi.validation.support.PrePopulatedValidationSupport;
import org.hl7.fhir.common.hapi.validation.support.SnapshotGeneratingValidationSupport;
import org.hl7.fhir.common.hapi.validation.support.ValidationSupportChain;
import org.hl7.fhir.common.hapi.validation.validator.FhirInstanceValidator;
import org.hl7.fhir.r4.model.StructureDefinition;

/** HAPI's validator, offline, with the project's extensions only. */
final class ResourceValidator {

    private final FhirValidator validator;

    ResourceValidator() {
        FhirContext context = FhirJson.context();
        PrePopulatedValidationSupport own = new PrePopulatedValidationSupport(context);
        for (String name : List.of("confidence", "band", "out-of-domain", "evidence")) {
            own.addStructureDefinition(context.newJsonParser()
                    .parseResource(StructureDefinition.class, resource("/org/plant4j/fhir/" + name + ".json")));
        }
        FhirInstanceValidator rules = new FhirInstanceValidator(new ValidationSupportChain(
                new DefaultProfileValidationSupport(context),
                own,
                new SnapshotGeneratingValidationSupport(context),
                new InMemoryTerminologyServerValidationSupport(context),
                new CommonCodeSystemsTerminologyService(context)));
        rules.setAnyExtensionsAllowed(false);
        validator = context.newValidator().registerValidatorModule(rules);
    }

    /** Validation messages of severity error or fatal. */
    List<String> errors(String json) {
        return validator.validateWithResult(json).getMessages().stream()
                .filter(message -> message.getSeverity() == ResultSeverityEnum.ERROR
                        || message.getSeverity() == ResultSeverityEnum.FATAL)
                .map(ResourceValidator::text)
                .toList();
    }

    private static String text(SingleValidationMessage message) {
        return message.getLocationString() + ": " + message.getMessage();
    }

    private static String resource(String name) {
        try (InputStream in = ResourceValidator.class.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
