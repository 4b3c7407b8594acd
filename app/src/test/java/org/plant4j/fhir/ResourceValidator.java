package org.plant4j.fhir;

import ca.uhn.fhir.context.FhirContext;
import ca.uhn.fhir.context.support.DefaultProfileValidationSupport;
import ca.uhn.fhir.context.support.ValidationSupportContext;
import ca.uhn.fhir.validation.FhirValidator;
import ca.uhn.fhir.validation.ResultSeverityEnum;
import ca.uhn.fhir.validation.SingleValidationMessage;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.hl7.fhir.common.hapi.validation.support.CommonCodeSystemsTerminologyService;
import org.hl7.fhir.common.hapi.validation.support.InMemoryTerminologyServerValidationSupport;
import org.hl7.fhir.common.hapi.validation.support.PrePopulatedValidationSupport;
import org.hl7.fhir.common.hapi.validation.support.SnapshotGeneratingValidationSupport;
import org.hl7.fhir.common.hapi.validation.support.ValidationSupportChain;
import org.hl7.fhir.common.hapi.validation.validator.FhirInstanceValidator;
import org.hl7.fhir.r4.model.CodeSystem;
import org.hl7.fhir.r4.model.StructureDefinition;

/** HAPI's validator, offline, with the project's extensions only. */
final class ResourceValidator {

    private static final String OBSERVATION_VALUES = "http://terminology.hl7.org/CodeSystem/v3-ObservationValue";

    private final FhirValidator validator;
    private final ValidationSupportChain support;

    ResourceValidator() {
        FhirContext context = FhirJson.context();
        PrePopulatedValidationSupport own = new PrePopulatedValidationSupport(context);
        for (String name : List.of("confidence", "band", "out-of-domain", "evidence")) {
            own.addStructureDefinition(context.newJsonParser()
                    .parseResource(StructureDefinition.class, resource("/org/plant4j/fhir/" + name + ".json")));
        }
        DefaultProfileValidationSupport published = new DefaultProfileValidationSupport(context);
        own.addCodeSystem(withLaterCodes(published));
        support = new ValidationSupportChain(
                own,
                published,
                new SnapshotGeneratingValidationSupport(context),
                new InMemoryTerminologyServerValidationSupport(context),
                new CommonCodeSystemsTerminologyService(context));
        FhirInstanceValidator rules = new FhirInstanceValidator(support);
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

    /** The copy of the code system in R4 is of 2018; HL7 has added the label for artificial intelligence since. */
    private static CodeSystem withLaterCodes(DefaultProfileValidationSupport published) {
        CodeSystem values = ((CodeSystem) published.fetchCodeSystem(OBSERVATION_VALUES)).copy();
        values.addConcept().setCode("AIAST").setDisplay("Artificial Intelligence asserted");
        return values;
    }

    /**
     * Errors of a StructureDefinition. The validator generates a snapshot with a package from the internet, which fails
     * offline; HAPI's generator makes the snapshot instead, from the definitions on the class path.
     */
    List<String> definitionErrors(String json) {
        StructureDefinition definition =
                FhirJson.context().newJsonParser().parseResource(StructureDefinition.class, json);
        StructureDefinition generated = (StructureDefinition) support.generateSnapshot(
                new ValidationSupportContext(support), definition, definition.getUrl(), null, definition.getName());
        List<String> errors = new ArrayList<>(errors(json));
        errors.removeIf(each -> each.contains("Unable to resolve package id hl7.fhir.r4.core"));
        if (generated == null || !generated.hasSnapshot()) {
            errors.add("no snapshot can be generated");
        }
        return errors;
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
