package org.plant4j.cli.code;

import java.util.List;
import org.plant4j.Coder;
import org.plant4j.encounter.CodedDocument;
import org.plant4j.encounter.Encounter;
import org.plant4j.encounter.SourceDocument;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.experiment.RunManifest;
import org.plant4j.fhir.FhirLimits;
import org.plant4j.fhir.FhirService;

/** Codes a FHIR resource with the model of a run. */
final class FhirPredictor {

    private final RunDirectory directory;
    private final Coder coder;
    private final int codes;

    FhirPredictor(RunDirectory directory, Coder coder, int codes) {
        this.directory = directory;
        this.coder = coder;
        this.codes = codes;
    }

    String code(String resource) {
        RunManifest manifest = directory.readManifest();
        return new FhirService(FhirLimits.NONE).code(resource, documents -> code(documents, manifest));
    }

    private CodedDocument code(List<SourceDocument> documents, RunManifest manifest) {
        Encounter encounter = new Encounter(documents);
        return CodedDocument.of(manifest.name(), manifest.version(), encounter, coder.code(encounter.text(), codes));
    }
}
