package org.plant4j.corpus.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.plant4j.corpus.demo.Condition.Field;
import org.plant4j.corpus.demo.Condition.Role;

/** Writes what was measured and seen: normal values, but for those that the patient's conditions change. */
final class FindingsWriter {

    private static final List<String> PANEL = List.of(
            "WBC", "Hgb", "Plt", "Na", "K", "Cl", "HCO3", "BUN", "Cr", "Glucose", "Ca", "Mg", "Phos", "ALT", "AST",
            "Tbili", "Alb", "INR");
    private static final List<String> SPECIAL_TESTS = List.of("BNP", "Trop", "Lipase");
    private static final List<String> SYSTEMS =
            List.of("GEN", "HEENT", "NECK", "CV", "LUNGS", "ABD", "EXT", "SKIN", "NEURO");
    private static final List<String> STUDIED = List.of("lung", "heart", "neuro", "infection", "renal", "liver", "gut");
    private static final List<String> REPORTED = List.of("lung", "gut", "neuro");

    private final PhraseWriter phrasing;
    private final Patient patient;
    private final SummaryBuilder text;

    FindingsWriter(PhraseWriter phrasing) {
        this.phrasing = phrasing;
        patient = phrasing.patient();
        text = phrasing.text();
    }

    void vitals() {
        value("T", " ");
        text.append(", ");
        value("HR", " ");
        text.append(", BP ");
        value("SBP");
        text.append("/");
        value("DBP");
        text.append(", ");
        value("RR", " ");
        text.append(", ");
        value("O2", " ");
        text.append("%");
    }

    void exam() {
        text.append("VS: ");
        vitals();
        text.newLine();
        for (String system : SYSTEMS) {
            if (patient.finding(system).isPresent() || phrasing.chance(8)) {
                text.append(system + ": ");
                patient.finding(system)
                        .ifPresentOrElse(
                                finding -> phrasing.writeUnused(finding, Map.of()),
                                () -> phrasing.write("exam." + system));
                text.newLine();
            }
        }
    }

    void labs() {
        boolean dashes = phrasing.chance(5);
        List<Runnable> items = new ArrayList<>();
        for (String test : PANEL) {
            if (patient.finding(test).isPresent() || phrasing.chance(7)) {
                items.add(() -> value(test, dashes ? "-" : " "));
            }
        }
        for (String test : SPECIAL_TESTS) {
            if (patient.finding(test).isPresent()) {
                items.add(() -> value(test, dashes ? "-" : " "));
            }
        }
        phrasing.join(items, dashes ? " " : ", ");
        text.newLine();
    }

    /** All normal again, as on the day of discharge. */
    void normalLabs() {
        List<Runnable> items = new ArrayList<>();
        for (String test : PANEL) {
            if (patient.finding(test).isEmpty()) {
                items.add(() -> {
                    text.append(test + " ");
                    phrasing.write("value." + test);
                });
            }
        }
        phrasing.join(items, ", ");
        text.newLine();
    }

    void studies(List<Condition> shown, boolean atLength, Runnable heading) {
        List<Runnable> studies = new ArrayList<>();
        for (Condition condition : shown) {
            studies.add(() -> phrasing.writePhrase(condition, Field.STUDY));
        }
        List<String> normal = new ArrayList<>(STUDIED);
        normal.removeIf(cluster -> patient.conditions().stream()
                .anyMatch(c -> c.clusters().contains(cluster) && (c.role() == Role.ACUTE || shown.contains(c))));
        if (patient.finding("LUNGS").isPresent()) {
            normal.remove("lung");
        }
        phrasing.shuffle(normal);
        normal.stream()
                .limit(phrasing.randomInt(3))
                .forEach(cluster -> studies.add(() -> phrasing.write("study." + cluster)));
        if (atLength) {
            REPORTED.stream()
                    .filter(cluster -> patient.conditions().stream()
                            .noneMatch(c -> c.clusters().contains(cluster)))
                    .forEach(cluster -> studies.add(() -> phrasing.write("report." + cluster)));
        }
        if (studies.isEmpty()) {
            return;
        }
        heading.run();
        for (Runnable study : studies) {
            study.run();
            text.newLine();
        }
    }

    private void value(String test, String separator) {
        text.append(test + separator);
        value(test);
    }

    private void value(String test) {
        patient.finding(test)
                .ifPresentOrElse(
                        finding -> phrasing.writeUnused(finding, Map.of()), () -> phrasing.write("value." + test));
    }
}
