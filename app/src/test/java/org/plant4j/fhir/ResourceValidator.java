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
import org.hl7.fhir.r4.model.ElementDefinition;
import org.hl7.fhir.r4.model.Enumerations;
import org.hl7.fhir.r4.model.Enumerations.PublicationStatus;
import org.hl7.fhir.r4.model.StructureDefinition;
import org.hl7.fhir.r4.model.UriType;
import org.hl7.fhir.r4.model.ValueSet;

/** HAPI's validator, offline, with the extensions of this project and of QI-Core only. */
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
        addPresentOnAdmission(own);
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

    /** The extension of QI-Core 5 for present-on-admission indicators, with the value set that it requires. */
    private static void addPresentOnAdmission(PrePopulatedValidationSupport own) {
        CodeSystem indicators = new CodeSystem();
        indicators
                .setUrl("https://www.cms.gov/Medicare/Medicare-Fee-for-Service-Payment/HospitalAcqCond/Coding")
                .setStatus(PublicationStatus.ACTIVE)
                .setContent(CodeSystem.CodeSystemContentMode.COMPLETE);
        List.of("Y", "N", "U", "W", "1")
                .forEach(code -> indicators.addConcept().setCode(code).setDisplay(code));
        own.addCodeSystem(indicators);
        ValueSet values = new ValueSet();
        values.setUrl("http://hl7.org/fhir/us/qicore/ValueSet/qicore-present-on-admission")
                .setStatus(PublicationStatus.ACTIVE);
        values.getCompose().addInclude().setSystem(indicators.getUrl());
        own.addValueSet(values);
        StructureDefinition extension = new StructureDefinition();
        extension
                .setUrl("http://hl7.org/fhir/us/qicore/StructureDefinition/"
                        + "qicore-encounter-diagnosisPresentOnAdmission")
                .setName("PresentOnAdmission")
                .setStatus(PublicationStatus.DRAFT)
                .setFhirVersion(Enumerations.FHIRVersion._4_0_1)
                .setKind(StructureDefinition.StructureDefinitionKind.COMPLEXTYPE)
                .setAbstract(false)
                .setType("Extension")
                .setBaseDefinition("http://hl7.org/fhir/StructureDefinition/Extension")
                .setDerivation(StructureDefinition.TypeDerivationRule.CONSTRAINT);
        extension
                .addContext()
                .setType(StructureDefinition.ExtensionContextType.ELEMENT)
                .setExpression("Encounter.diagnosis");
        ElementDefinition url = extension
                .getDifferential()
                .addElement()
                .setPath("Extension.url")
                .setFixed(new UriType(extension.getUrl()));
        url.setId("Extension.url");
        ElementDefinition value = extension.getDifferential().addElement().setPath("Extension.value[x]");
        value.setId("Extension.value[x]");
        value.addType().setCode("CodeableConcept");
        value.getBinding().setStrength(Enumerations.BindingStrength.REQUIRED).setValueSet(values.getUrl());
        own.addStructureDefinition(extension);
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
