package org.plant4j.corpus.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.plant4j.corpus.demo.Condition.Field;
import org.plant4j.corpus.demo.Condition.Role;

/** Writes vital signs, examination, laboratory values and studies; normal except where a condition changes them. */
final class FindingsWriter {

    private static final List<String> STANDARD_TESTS = List.of(
            "WBC", "Hgb", "Plt", "Na", "K", "Cl", "HCO3", "BUN", "Cr", "Glucose", "Ca", "Mg", "Phos", "ALT", "AST",
            "Tbili", "Alb", "INR");
    private static final List<String> SPECIAL_TESTS = List.of("BNP", "Trop", "Lipase");
    private static final List<String> SYSTEMS =
            List.of("GEN", "HEENT", "NECK", "CV", "LUNGS", "ABD", "EXT", "SKIN", "NEURO");
    private static final List<String> STUDY_CLUSTERS =
            List.of("lung", "heart", "neuro", "infection", "renal", "liver", "gut");
    private static final List<String> REPORT_CLUSTERS = List.of("lung", "gut", "neuro");

    private final PhraseWriter phrases;
    private final Patient patient;
    private final SummaryBuilder text;

    FindingsWriter(PhraseWriter phrases) {
        this.phrases = phrases;
        patient = phrases.patient();
        text = phrases.text();
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
            if (patient.finding(system).isPresent() || phrases.chance(8)) {
                text.append(system + ": ");
                patient.finding(system)
                        .ifPresentOrElse(
                                finding -> phrases.writeUnused(finding, Map.of()),
                                () -> phrases.write("exam." + system));
                text.newLine();
            }
        }
    }

    void labs() {
        boolean dashed = phrases.chance(5);
        List<Runnable> items = new ArrayList<>();
        for (String test : STANDARD_TESTS) {
            if (patient.finding(test).isPresent() || phrases.chance(7)) {
                items.add(() -> value(test, dashed ? "-" : " "));
            }
        }
        for (String test : SPECIAL_TESTS) {
            if (patient.finding(test).isPresent()) {
                items.add(() -> value(test, dashed ? "-" : " "));
            }
        }
        phrases.join(items, dashed ? " " : ", ");
        text.newLine();
    }

    /** Laboratory values at discharge, all normal. */
    void normalLabs() {
        List<Runnable> items = new ArrayList<>();
        for (String test : STANDARD_TESTS) {
            if (patient.finding(test).isEmpty()) {
                items.add(() -> {
                    text.append(test + " ");
                    phrases.write("value." + test);
                });
            }
        }
        phrases.join(items, ", ");
        text.newLine();
    }

    void studies(List<Condition> conditions, boolean verbose, Runnable heading) {
        List<Runnable> studies = new ArrayList<>();
        for (Condition condition : conditions) {
            studies.add(() -> phrases.writePhrase(condition, Field.STUDY));
        }
        List<String> normal = new ArrayList<>(STUDY_CLUSTERS);
        normal.removeIf(cluster -> patient.conditions().stream()
                .anyMatch(c -> c.isIn(cluster) && (c.role() == Role.ACUTE || conditions.contains(c))));
        if (patient.finding("LUNGS").isPresent()) {
            normal.remove("lung");
        }
        phrases.shuffle(normal);
        normal.stream()
                .limit(phrases.randomInt(3))
                .forEach(cluster -> studies.add(() -> phrases.write("study." + cluster)));
        if (verbose) {
            REPORT_CLUSTERS.stream()
                    .filter(cluster -> patient.conditions().stream().noneMatch(c -> c.isIn(cluster)))
                    .forEach(cluster -> studies.add(() -> phrases.write("report." + cluster)));
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
                        finding -> phrases.writeUnused(finding, Map.of()), () -> phrases.write("value." + test));
    }
}
