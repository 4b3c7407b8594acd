package org.plant4j.corpus.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import org.plant4j.corpus.Document;
import org.plant4j.corpus.demo.Condition.Field;
import org.plant4j.corpus.demo.MentionPlan.Section;

/** Writes one patient's discharge summary, section by section, in the habits of one made-up author. */
final class SummaryWriter {

    private static final double TYPO_RATE = 0.006;

    private final Patient patient;
    private final SummaryBuilder text;
    private final PhraseWriter phrasing;
    private final MentionPlan plan;
    private final WritingStyle habits;
    private final FindingsWriter findings;

    private SummaryWriter(Lexicon lexicon, Patient patient, Random random) {
        this.patient = patient;
        habits = WritingStyle.draw(random);
        text = new SummaryBuilder(random, TYPO_RATE);
        phrasing = new PhraseWriter(lexicon, patient, text, random);
        plan = new MentionPlan(patient, habits.listsDiagnoses(), random);
        findings = new FindingsWriter(phrasing);
    }

    static Document write(String id, Lexicon lexicon, Patient patient, Random random) {
        SummaryWriter writer = new SummaryWriter(lexicon, patient, random);
        writer.note();
        return new Document(
                id,
                writer.text.toString(),
                patient.conditions().stream().map(Condition::code).collect(Collectors.toSet()),
                writer.text.evidence());
    }

    private void note() {
        phrasing.write("heading.admission");
        text.newLine();
        line("heading.service");
        allergies();
        section("heading.complaint");
        phrasing.writeComplaint();
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
        findings.studies(plan.at(Section.STUDIES), habits.verbose(), () -> section("heading.studies"));
        section("heading.course");
        new CourseWriter(phrasing, habits).write(dueInCourse());
        if (habits.listsDiagnoses()) {
            diagnoses();
        }
        if (habits.verbose()) {
            departure();
        }
        closing();
    }

    private void section(String heading) {
        phrasing.writeHeading(heading, habits.headingVariant());
    }

    private void line(String rule) {
        phrasing.write(rule);
        text.newLine();
    }

    private void allergies() {
        section("heading.allergies");
        if (plan.at(Section.ALLERGIES).isEmpty()) {
            phrasing.write("allergy");
        }
        plan.at(Section.ALLERGIES).forEach(condition -> phrasing.writeNameOrHint(condition, 5));
        text.newLine();
    }

    private void presentation() {
        section("heading.hpi");
        List<Condition> known = plan.at(Section.OPENER);
        phrasing.writeSentence(
                known.isEmpty() ? "opener.plain" : "opener",
                Map.of("history", () -> phrasing.join(names(known), ", ")));
        if (!patient.principal().has(Field.PRESENT) || phrasing.chance(3)) {
            phrasing.writeSentence("duration");
        }
        phrasing.writePhrase(patient.principal(), Field.PRESENT);
        text.endSentence();
        if (phrasing.chance(8)) {
            phrasing.writeSentence("denies", Map.of("symptoms", this::symptoms));
        }
        if (phrasing.chance(6)) {
            phrasing.writeSentence("ed", Map.of("vitals", findings::vitals));
        }
        for (Condition condition : plan.at(Section.PRESENTATION)) {
            if (phrasing.chance(5)) {
                phrasing.writeSentence("found", Map.of("mention", () -> phrasing.writeName(condition)));
            } else {
                phrasing.writeSentence("noted", Map.of("mention", () -> phrasing.writeNameOrHint(condition, 9)));
            }
        }
        phrasing.writeNegations(phrasing.randomInt(3));
        text.newLine();
    }

    /** Symptoms the note has not spoken of so far, so that it does not deny what it told. */
    private void symptoms() {
        List<String> denied = new ArrayList<>();
        for (int i = 3 + phrasing.randomInt(3); i > 0; i--) {
            String symptom = phrasing.render("symptom");
            if (!text.contains(symptom) && !denied.contains(symptom)) {
                denied.add(symptom);
            }
        }
        text.append(denied.isEmpty() ? "recent trauma" : String.join(phrasing.chance(7) ? ", " : " or ", denied));
    }

    private void history() {
        section("heading.pmh");
        List<Runnable> items = names(plan.at(Section.HISTORY));
        for (int i = phrasing.randomInt(4); i > 0; i--) {
            items.add(() -> phrasing.write("past"));
        }
        if (phrasing.chance(3)) {
            phrasing.randomCondition(Field.PAST).ifPresent(c -> items.add(() -> phrasing.writePhrase(c, Field.PAST)));
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
                items.add(() -> phrasing.writePhrase(condition, Field.MED));
            }
        }
        for (int i = 2 + phrasing.randomInt(5); i > 0; i--) {
            items.add(() -> phrasing.write("othermed"));
        }
        list(items);
    }

    private void social() {
        section("heading.social");
        phrasing.writeSentence("social");
        for (Condition condition : plan.at(Section.SOCIAL)) {
            phrasing.writeNameOrHint(condition, 7);
            text.endSentence();
        }
        if (patient.conditions().stream().noneMatch(c -> c.section().equals(Optional.of(Section.SOCIAL)))) {
            phrasing.writeSentence("social.clean");
        }
        text.newLine();
    }

    private void family() {
        if (phrasing.chance(2)) {
            return;
        }
        section("heading.family");
        if (phrasing.chance(2)) {
            phrasing.writeSentence("family.none");
        } else {
            Runnable relative =
                    () -> phrasing.randomCondition(Field.FAMILY).ifPresent(c -> phrasing.writePhrase(c, Field.FAMILY));
            for (int i = 1 + phrasing.randomInt(3); i > 0; i--) {
                phrasing.writeSentence("family", Map.of("relative", relative));
            }
        }
        text.newLine();
    }

    /** What is planned for the course, and what nothing before it supports nor the diagnoses will. */
    private List<Condition> dueInCourse() {
        List<Condition> due = new ArrayList<>(plan.at(Section.COURSE));
        for (Condition condition : patient.conditions()) {
            boolean listed = plan.at(Section.DIAGNOSES).contains(condition);
            if (!due.contains(condition) && !listed && !text.hasEvidenceFor(condition.code())) {
                due.add(condition);
            }
        }
        return due;
    }

    private void diagnoses() {
        section("heading.diagnoses");
        List<Condition> listed = plan.at(Section.DIAGNOSES);
        if (listed.isEmpty()) {
            text.append("as above");
            text.newLine();
            return;
        }
        boolean split = listed.size() > 1 && phrasing.chance(5);
        if (split) {
            line("primary");
            phrasing.writeName(listed.get(0));
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
        for (int i = 2 + phrasing.randomInt(4); i > 0; i--) {
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
        if (habits.verbose() || phrasing.chance(5)) {
            section("heading.instructions");
            phrasing.writeSentence("instructions");
            phrasing.writeSentence("hypothetical");
            for (int i = habits.verbose() ? 3 : phrasing.randomInt(2); i > 0; i--) {
                phrasing.writeSentence("instructions.long");
            }
            text.newLine();
        }
        section("heading.followup");
        for (int i = 1 + phrasing.randomInt(3); i > 0; i--) {
            phrasing.writeSentence("followup");
        }
        text.newLine();
    }

    private List<Runnable> names(List<Condition> conditions) {
        List<Runnable> items = new ArrayList<>();
        conditions.forEach(condition -> items.add(() -> phrasing.writeName(condition)));
        return items;
    }

    private void list(List<Runnable> items) {
        phrasing.shuffle(items);
        if (habits.bullet() == WritingStyle.Bullet.COMMA) {
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
