package org.plant4j.corpus.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import org.plant4j.Document;
import org.plant4j.corpus.demo.AnnotatedSummary.Context;
import org.plant4j.corpus.demo.Condition.Field;
import org.plant4j.corpus.demo.MentionPlan.Section;

/** Writes the discharge summary of a patient, section by section, in one writing style. */
final class SummaryWriter {

    private static final double TYPO_RATE = 0.006;

    private final Patient patient;
    private final SummaryBuilder text;
    private final PhraseWriter phrases;
    private final MentionPlan plan;
    private final WritingStyle style;
    private final FindingsWriter findings;

    private SummaryWriter(Lexicon lexicon, Patient patient, Random random) {
        this.patient = patient;
        style = WritingStyle.sample(random);
        text = new SummaryBuilder(random, TYPO_RATE);
        phrases = new PhraseWriter(lexicon, patient, text, random);
        plan = new MentionPlan(patient, style.listsDiagnoses(), random);
        findings = new FindingsWriter(phrases);
    }

    static AnnotatedSummary write(String id, Lexicon lexicon, Patient patient, Random random) {
        SummaryWriter writer = new SummaryWriter(lexicon, patient, random);
        writer.writeSummary();
        Document document = new Document(
                id,
                writer.text.toString(),
                patient.conditions().stream().map(Condition::code).collect(Collectors.toSet()),
                writer.text.evidence());
        return new AnnotatedSummary(document, writer.text.mentions());
    }

    private void writeSummary() {
        phrases.write("heading.admission");
        text.newLine();
        line("heading.service");
        allergies();
        section("heading.complaint");
        phrases.writeComplaint();
        text.newLine();
        presentation();
        List<Runnable> background =
                new ArrayList<>(List.of(this::history, () -> medications("heading.meds"), this::social, this::family));
        phrases.shuffle(background);
        background.forEach(Runnable::run);
        if (phrases.chance(9)) {
            section("heading.exam");
            findings.exam();
        }
        if (phrases.chance(9)) {
            section("heading.labs");
            findings.labs();
        }
        findings.studies(plan.at(Section.STUDIES), style.verbose(), () -> section("heading.studies"));
        section("heading.course");
        new CourseWriter(phrases, style).write(courseConditions());
        if (style.listsDiagnoses()) {
            diagnoses();
        }
        if (style.verbose()) {
            departure();
        }
        closing();
    }

    private void section(String heading) {
        phrases.writeHeading(heading, style.headingVariant());
    }

    private void line(String rule) {
        phrases.write(rule);
        text.newLine();
    }

    private void allergies() {
        section("heading.allergies");
        if (plan.at(Section.ALLERGIES).isEmpty()) {
            phrases.write("allergy");
        }
        plan.at(Section.ALLERGIES).forEach(condition -> phrases.writeNameOrHint(condition, 5));
        text.newLine();
    }

    private void presentation() {
        section("heading.hpi");
        List<Condition> known = plan.at(Section.OPENER);
        phrases.writeSentence(
                known.isEmpty() ? "opener.plain" : "opener", Map.of("history", () -> phrases.join(names(known), ", ")));
        if (!patient.principal().has(Field.PRESENT) || phrases.chance(3)) {
            phrases.writeSentence("duration");
        }
        phrases.writePhrase(patient.principal(), Field.PRESENT);
        text.endSentence();
        if (phrases.chance(8)) {
            phrases.writeSentence("denies", Map.of("symptoms", this::symptoms));
        }
        if (phrases.chance(6)) {
            phrases.writeSentence("ed", Map.of("vitals", findings::vitals));
        }
        for (Condition condition : plan.at(Section.PRESENTATION)) {
            if (phrases.chance(5)) {
                phrases.writeSentence("found", Map.of("mention", () -> phrases.writeName(condition)));
            } else {
                phrases.writeSentence("noted", Map.of("mention", () -> phrases.writeNameOrHint(condition, 9)));
            }
        }
        phrases.writeNegations(phrases.randomInt(3));
        text.newLine();
    }

    /** Writes symptoms that the document has not mentioned so far, since a denial must not contradict it. */
    private void symptoms() {
        List<String> denied = new ArrayList<>();
        for (int i = 3 + phrases.randomInt(3); i > 0; i--) {
            String symptom = phrases.render("symptom");
            if (!text.contains(symptom) && !denied.contains(symptom)) {
                denied.add(symptom);
            }
        }
        text.append(denied.isEmpty() ? "recent trauma" : String.join(phrases.chance(7) ? ", " : " or ", denied));
    }

    private void history() {
        section("heading.pmh");
        List<Runnable> items = names(plan.at(Section.HISTORY));
        for (int i = phrases.randomInt(4); i > 0; i--) {
            items.add(() -> phrases.write("past"));
        }
        if (phrases.chance(3)) {
            phrases.randomCondition(Field.PAST).ifPresent(c -> items.add(() -> phrases.writePhrase(c, Field.PAST)));
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
            if (condition.has(Field.MED) && phrases.chance(7)) {
                items.add(() -> phrases.writePhrase(condition, Field.MED));
            }
        }
        for (int i = 2 + phrases.randomInt(5); i > 0; i--) {
            items.add(() -> phrases.write("othermed"));
        }
        list(items);
    }

    private void social() {
        section("heading.social");
        phrases.writeSentence("social");
        for (Condition condition : plan.at(Section.SOCIAL)) {
            phrases.writeNameOrHint(condition, 7);
            text.endSentence();
        }
        if (patient.conditions().stream().noneMatch(c -> c.section().equals(Optional.of(Section.SOCIAL)))) {
            phrases.writeSentence("social.clean");
        }
        text.newLine();
    }

    private void family() {
        if (phrases.chance(2)) {
            return;
        }
        section("heading.family");
        if (phrases.chance(2)) {
            phrases.writeSentence("family.none");
        } else {
            Runnable relative = () -> phrases.randomCondition(Field.FAMILY)
                    .ifPresent(c -> text.markMention(Context.RELATIVE, () -> phrases.writePhrase(c, Field.FAMILY)));
            for (int i = 1 + phrases.randomInt(3); i > 0; i--) {
                phrases.writeSentence("family", Map.of("relative", relative));
            }
        }
        text.newLine();
    }

    /** The conditions planned for the course, and those without evidence before it or in the list of diagnoses. */
    private List<Condition> courseConditions() {
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
        boolean split = listed.size() > 1 && phrases.chance(5);
        if (split) {
            line("primary");
            phrases.writeName(listed.get(0));
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
        for (int i = 2 + phrases.randomInt(4); i > 0; i--) {
            text.append("- ");
            line("transitional");
        }
    }

    private void closing() {
        section("heading.disposition");
        line("disposition");
        if (phrases.chance(6)) {
            section("heading.condition");
            line("condition");
        }
        if (style.verbose() || phrases.chance(5)) {
            section("heading.instructions");
            phrases.writeSentence("instructions");
            phrases.writeSentence("hypothetical");
            for (int i = style.verbose() ? 3 : phrases.randomInt(2); i > 0; i--) {
                phrases.writeSentence("instructions.long");
            }
            text.newLine();
        }
        section("heading.followup");
        for (int i = 1 + phrases.randomInt(3); i > 0; i--) {
            phrases.writeSentence("followup");
        }
        text.newLine();
    }

    private List<Runnable> names(List<Condition> conditions) {
        List<Runnable> items = new ArrayList<>();
        conditions.forEach(condition -> items.add(() -> phrases.writeName(condition)));
        return items;
    }

    private void list(List<Runnable> items) {
        phrases.shuffle(items);
        if (style.bullet() == WritingStyle.Bullet.COMMA) {
            phrases.join(items, ", ");
            text.newLine();
            return;
        }
        for (int i = 0; i < items.size(); i++) {
            text.append(
                    switch (style.bullet()) {
                        case DASH -> "- ";
                        case NUMBER -> (i + 1) + ". ";
                        case LINE, COMMA -> "";
                    });
            items.get(i).run();
            text.newLine();
        }
    }
}
