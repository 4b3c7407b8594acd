package org.plant4j.corpus.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import org.plant4j.corpus.Document;
import org.plant4j.corpus.demo.Condition.Field;
import org.plant4j.corpus.demo.Plan.Place;

/** Writes one patient's discharge summary, section by section, in the habits of one made-up author. */
final class NoteWriter {

    private static final double TYPO_RATE = 0.006;

    private final Patient patient;
    private final NoteText text;
    private final Phrasing phrasing;
    private final Plan plan;
    private final Habits habits;
    private final FindingsWriter findings;

    private NoteWriter(Lexicon lexicon, Patient patient, Random random) {
        this.patient = patient;
        habits = Habits.draw(random);
        text = new NoteText(random, TYPO_RATE);
        phrasing = new Phrasing(lexicon, patient, text, random);
        plan = new Plan(patient, habits.listsDiagnoses(), random);
        findings = new FindingsWriter(phrasing);
    }

    static Document write(String id, Lexicon lexicon, Patient patient, Random random) {
        NoteWriter writer = new NoteWriter(lexicon, patient, random);
        writer.note();
        return new Document(
                id,
                writer.text.toString(),
                patient.conditions().stream().map(Condition::code).collect(Collectors.toSet()),
                writer.text.evidence());
    }

    private void note() {
        phrasing.say("heading.admission");
        text.newLine();
        line("heading.service");
        allergies();
        section("heading.complaint");
        phrasing.complaint();
        text.newLine();
        presentation();
        List<Runnable> background =
                new ArrayList<>(List.of(this::history, () -> medications("heading.meds"), this::social, this::family));
        phrasing.shuffle(background);
        background.forEach(Runnable::run);
        if (phrasing.chance(9)) {
            section("heading.exam");
            findings.exam();
        }
        if (phrasing.chance(9)) {
            section("heading.labs");
            findings.labs();
        }
        findings.studies(plan.at(Place.STUDIES), habits.talkative(), () -> section("heading.studies"));
        section("heading.course");
        new CourseWriter(phrasing, habits).write(dueInCourse());
        if (habits.listsDiagnoses()) {
            diagnoses();
        }
        if (habits.talkative()) {
            departure();
        }
        closing();
    }

    private void section(String heading) {
        phrasing.heading(heading, habits.heading());
    }

    private void line(String rule) {
        phrasing.say(rule);
        text.newLine();
    }

    private void allergies() {
        section("heading.allergies");
        if (plan.at(Place.ALLERGIES).isEmpty()) {
            phrasing.say("allergy");
        }
        plan.at(Place.ALLERGIES).forEach(condition -> phrasing.nameOrHint(condition, 5));
        text.newLine();
    }

    private void presentation() {
        section("heading.hpi");
        List<Condition> known = plan.at(Place.OPENER);
        phrasing.sentence(
                known.isEmpty() ? "opener.plain" : "opener",
                Map.of("history", () -> phrasing.join(names(known), ", ")));
        if (!patient.principal().has(Field.PRESENT) || phrasing.chance(3)) {
            phrasing.sentence("duration");
        }
        phrasing.phrase(patient.principal(), Field.PRESENT);
        text.endSentence();
        if (phrasing.chance(8)) {
            phrasing.sentence("denies", Map.of("symptoms", this::symptoms));
        }
        if (phrasing.chance(6)) {
            phrasing.sentence("ed", Map.of("vitals", findings::vitals));
        }
        for (Condition condition : plan.at(Place.PRESENTATION)) {
            if (phrasing.chance(5)) {
                phrasing.sentence("found", Map.of("mention", () -> phrasing.name(condition)));
            } else {
                phrasing.sentence("noted", Map.of("mention", () -> phrasing.nameOrHint(condition, 9)));
            }
        }
        phrasing.negations(phrasing.below(3));
        text.newLine();
    }

    /** Symptoms the note has not spoken of so far, so that it does not deny what it told. */
    private void symptoms() {
        List<String> denied = new ArrayList<>();
        for (int i = 3 + phrasing.below(3); i > 0; i--) {
            String symptom = phrasing.words("symptom");
            if (!text.mentions(symptom) && !denied.contains(symptom)) {
                denied.add(symptom);
            }
        }
        text.append(denied.isEmpty() ? "recent trauma" : String.join(phrasing.chance(7) ? ", " : " or ", denied));
    }

    private void history() {
        section("heading.pmh");
        List<Runnable> items = names(plan.at(Place.HISTORY));
        for (int i = phrasing.below(4); i > 0; i--) {
            items.add(() -> phrasing.say("past"));
        }
        if (phrasing.chance(3)) {
            phrasing.other(Field.PAST).ifPresent(c -> items.add(() -> phrasing.phrase(c, Field.PAST)));
        }
        if (items.isEmpty()) {
            items.add(() -> text.append("as per HPI"));
        }
        list(items);
    }

    private void medications(String heading) {
        section(heading);
        List<Runnable> items = new ArrayList<>();
        for (Condition condition : patient.conditions()) {
            if (condition.has(Field.MED) && phrasing.chance(7)) {
                items.add(() -> phrasing.phrase(condition, Field.MED));
            }
        }
        for (int i = 2 + phrasing.below(5); i > 0; i--) {
            items.add(() -> phrasing.say("othermed"));
        }
        list(items);
    }

    private void social() {
        section("heading.social");
        phrasing.sentence("social");
        for (Condition condition : plan.at(Place.SOCIAL)) {
            phrasing.nameOrHint(condition, 7);
            text.endSentence();
        }
        if (patient.conditions().stream().noneMatch(c -> c.place().equals(Optional.of(Place.SOCIAL)))) {
            phrasing.sentence("social.clean");
        }
        text.newLine();
    }

    private void family() {
        if (phrasing.chance(2)) {
            return;
        }
        section("heading.family");
        if (phrasing.chance(2)) {
            phrasing.sentence("family.none");
        } else {
            Runnable relative = () -> phrasing.other(Field.FAMILY).ifPresent(c -> phrasing.phrase(c, Field.FAMILY));
            for (int i = 1 + phrasing.below(3); i > 0; i--) {
                phrasing.sentence("family", Map.of("relative", relative));
            }
        }
        text.newLine();
    }

    /** What is planned for the course, and what nothing before it supports nor the diagnoses will. */
    private List<Condition> dueInCourse() {
        List<Condition> due = new ArrayList<>(plan.at(Place.COURSE));
        for (Condition condition : patient.conditions()) {
            boolean listed = plan.at(Place.DIAGNOSES).contains(condition);
            if (!due.contains(condition) && !listed && !text.supports(condition.code())) {
                due.add(condition);
            }
        }
        return due;
    }

    private void diagnoses() {
        section("heading.diagnoses");
        List<Condition> listed = plan.at(Place.DIAGNOSES);
        if (listed.isEmpty()) {
            text.append("as above");
            text.newLine();
            return;
        }
        boolean split = listed.size() > 1 && phrasing.chance(5);
        if (split) {
            line("primary");
            phrasing.name(listed.get(0));
            text.newLine();
            line("secondary");
        }
        list(names(listed.subList(split ? 1 : 0, listed.size())));
    }

    private void departure() {
        medications("heading.discharge.meds");
        section("heading.discharge.exam");
        line("discharge.exam");
        section("heading.discharge.labs");
        findings.normalLabs();
        section("heading.transitional");
        for (int i = 2 + phrasing.below(4); i > 0; i--) {
            text.append("- ");
            line("transitional");
        }
    }

    private void closing() {
        section("heading.disposition");
        line("disposition");
        if (phrasing.chance(6)) {
            section("heading.condition");
            line("condition");
        }
        if (habits.talkative() || phrasing.chance(5)) {
            section("heading.instructions");
            phrasing.sentence("instructions");
            phrasing.sentence("hypothetical");
            for (int i = habits.talkative() ? 3 : phrasing.below(2); i > 0; i--) {
                phrasing.sentence("instructions.long");
            }
            text.newLine();
        }
        section("heading.followup");
        for (int i = 1 + phrasing.below(3); i > 0; i--) {
            phrasing.sentence("followup");
        }
        text.newLine();
    }

    private List<Runnable> names(List<Condition> conditions) {
        List<Runnable> items = new ArrayList<>();
        conditions.forEach(condition -> items.add(() -> phrasing.name(condition)));
        return items;
    }

    private void list(List<Runnable> items) {
        phrasing.shuffle(items);
        if (habits.bullet() == Habits.Bullet.COMMA) {
            phrasing.join(items, ", ");
            text.newLine();
            return;
        }
        for (int i = 0; i < items.size(); i++) {
            text.append(
                    switch (habits.bullet()) {
                        case DASH -> "- ";
                        case NUMBER -> (i + 1) + ". ";
                        case LINE, COMMA -> "";
                    });
            items.get(i).run();
            text.newLine();
        }
    }
}
