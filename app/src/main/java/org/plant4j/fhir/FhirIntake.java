package org.plant4j.fhir;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.hl7.fhir.r4.model.BooleanType;
import org.hl7.fhir.r4.model.CodeType;
import org.hl7.fhir.r4.model.Parameters;
import org.hl7.fhir.r4.model.StringType;
import org.plant4j.UserError;
import org.plant4j.encounter.SourceDocument;
import org.plant4j.review.worklist.Arrival;
import org.plant4j.review.worklist.IncomingEncounter;

/** Reads encounters for the worklist from FHIR resources: documents of one patient and encounter belong together. */
public final class FhirIntake {

    private FhirIntake() {}

    /**
     * The encounters of a DocumentReference, Composition, Bundle or Parameters. Their ids are the references to the
     * encounters, such as {@code Encounter/17}. A document without an encounter is one of its own, named after the document.
     *
     * @param limits of which only that of the characters applies: nothing is coded yet
     */
    public static List<IncomingEncounter> read(String resource, FhirLimits limits) {
        Map<String, List<ResourceDocument>> groups = new LinkedHashMap<>();
        for (ResourceDocument each : DocumentExtractor.extract(FhirJson.parse(resource), new RequestSize(limits))) {
            groups.computeIfAbsent(group(each), key -> new ArrayList<>()).add(each);
        }
        return groups.values().stream().map(FhirIntake::encounter).toList();
    }

    /** Documents without an encounter belong together if they come from one resource. */
    private static String group(ResourceDocument document) {
        return document.encounterId().orElse("entry " + document.entry());
    }

    private static IncomingEncounter encounter(List<ResourceDocument> group) {
        ResourceDocument first = group.get(0);
        boolean onePatient = group.stream()
                .allMatch(each -> each.encounterKey()
                        .subject()
                        .equals(first.encounterKey().subject()));
        if (first.encounterId().isPresent() && !onePatient) {
            throw new UserError(
                    "Documents of one encounter name different patients, or none",
                    "subject",
                    "send the same subject with each document of an encounter");
        }
        List<SourceDocument> documents =
                group.stream().map(FhirIntake::identified).toList();
        String id = first.encounterId().orElse(documents.get(0).id());
        return new IncomingEncounter(id, Optional.empty(), documents);
    }

    /** A resource without an id gets one that depends on its text only, so that it can be sent twice. */
    private static SourceDocument identified(ResourceDocument document) {
        SourceDocument source = document.document();
        return document.source().hasReference()
                ? source
                : new SourceDocument(IncomingEncounter.derivedId(source.text()), source.title(), source.text());
    }

    /** The answer: one parameter per encounter with its id, what was done, and the ids of the added documents. */
    public static String write(List<Arrival> arrivals) {
        Parameters parameters = new Parameters();
        for (Arrival arrival : arrivals) {
            Parameters.ParametersParameterComponent encounter =
                    parameters.addParameter().setName("encounter");
            encounter.addPart().setName("id").setValue(new StringType(arrival.id()));
            encounter
                    .addPart()
                    .setName("outcome")
                    .setValue(new CodeType(arrival.outcome().name().toLowerCase(Locale.ROOT)));
            encounter.addPart().setName("reopened").setValue(new BooleanType(arrival.reopened()));
            arrival.added().forEach(id -> encounter.addPart().setName("added").setValue(new StringType(id)));
        }
        return FhirJson.encode(parameters);
    }
}
