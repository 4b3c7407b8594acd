package org.plant4j.app;

import java.util.List;
import org.plant4j.app.desk.CodedDocument;
import org.plant4j.app.desk.Encounter;
import org.plant4j.app.desk.Note;
import org.plant4j.app.fhir.FhirInterchange;
import org.plant4j.experiment.Manifest;
import org.plant4j.predict.Coder;
import org.plant4j.predict.RunFolder;

/** Codes a FHIR resource with a run. */
record RunInterchange(RunFolder folder, Coder coder, int codes) {

    String code(String resource) {
        Manifest manifest = folder.read(folder.manifest(), Manifest.class);
        return new FhirInterchange().code(resource, notes -> code(notes, manifest));
    }

    private CodedDocument code(List<Note> notes, Manifest manifest) {
        Encounter encounter = new Encounter(notes);
        return CodedDocument.of(manifest.name(), manifest.version(), encounter, coder.code(encounter.text(), codes));
    }
}
