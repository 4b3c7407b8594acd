package org.plant4j.server.cds;

import java.util.Map;

/** A service as the discovery endpoint describes it. */
record CdsService(String hook, String title, String description, String id, Map<String, String> prefetch) {

    static final CdsService DISCHARGE = new CdsService(
            "encounter-discharge",
            "Codes for this encounter",
            "Suggests diagnosis and procedure codes for the documents of the encounter.",
            "plant4j-encounter-discharge",
            Map.of("documents", "DocumentReference?encounter={{context.encounterId}}&status=current"));

    static final CdsService PATIENT_VIEW = new CdsService(
            "patient-view",
            "Codes for this patient's documents",
            "Suggests diagnosis and procedure codes for the documents of the patient, encounter by encounter.",
            "plant4j-patient-view",
            Map.of("documents", "DocumentReference?patient={{context.patientId}}&status=current&_count=20"));
}
