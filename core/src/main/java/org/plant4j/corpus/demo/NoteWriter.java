package org.plant4j.corpus.demo;

import static java.util.Map.entry;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import org.plant4j.corpus.Document;
import org.plant4j.corpus.demo.Condition.Field;
import org.plant4j.corpus.demo.Condition.Role;
import org.plant4j.corpus.demo.Plan.Place;

/** Writes one patient's discharge summary, section by section, in the habits of one made-up author. */
final class NoteWriter {

    private static final double TYPO_RATE = 0.006;
    private static final List<String> PANEL = List.of(
            "WBC", "Hgb", "Plt", "Na", "K", "Cl", "HCO3", "BUN", "Cr", "Glucose", "Ca", "Mg", "Phos", "ALT", "AST",
            "Tbili", "Alb", "INR");
    private static final List<String> SPECIAL_TESTS = List.of("BNP", "Trop", "Lipase");
    private static final List<String> SYSTEMS =
            List.of("GEN", "HEENT", "NECK", "CV", "LUNGS", "ABD", "EXT", "SKIN", "NEURO");

    private final Lexicon lexicon;
    private final Patient patient;
    private final Random random;
    private final NoteText text;
    private final Phrasing phrasing;
    private final Plan plan;
    private final Habits habits;

    /** How this author writes, throughout the note. */
    private record Habits(boolean problems, boolean listsDiagnoses, boolean talkative, int bullet, int headings) {
        static Habits draw(Random random) {
            return new Habits(
                    random.nextInt(10) < 6,
                    random.nextInt(10) < 5,
                    random.nextInt(10) < 2,
                    random.nextInt(4),
                    random.nextInt(6));
        }
    }

    private NoteWriter(Lexicon lexicon, Patient patient, Random random) {
        this.lexicon = lexicon;
        this.patient = patient;
        this.random = random;
        habits = Habits.draw(random);
        text = new NoteText(random, TYPO_RATE);
        phrasing = new Phrasing(lexicon, patient, text, random);
        plan = new Plan(patient, habits.listsDiagnoses(), random);
    }

    static Document write(String id, Lexicon lexicon, Patient patient, Random random) {
        NoteWriter writer = new NoteWriter(lexicon, patient, random);
        writer.note();
        return new Document(
                id,
                writer.text.toString().strip() + "\n",
                patient.conditions().stream().map(Condition::code).collect(Collectors.toSet()),
                writer.text.evidence());
    }

    private void note() {
        phrasing.say("heading.admission");
        text.newLine();
        phrasing.say("heading.service");
        text.newLine();
        allergies();
        section("heading.complaint");
        phrasing.complaint();
        text.newLine();
        presentation();
        List<Runnable> background =
                new ArrayList<>(List.of(this::history, this::medications, this::social, this::family));
        Collections.shuffle(background, random);
        background.forEach(Runnable::run);
        if (random.nextInt(10) < 9) {
            exam();
        }
        if (random.nextInt(10) < 9) {
            labs();
        }
        studies();
        course();
        if (habits.talkative()) {
            dischargeMedications();
        }
        if (habits.listsDiagnoses()) {
            diagnoses();
        }
        closing();
    }

    private void section(String heading) {
        text.newLine();
        Template words = lexicon.rule(heading);
        words.write(habits.headings() % words.size(), text, random, slot -> {});
        text.append(":");
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
        if (known.isEmpty()) {
            phrasing.sentence("opener.plain");
        } else {
            phrasing.sentence("opener", Map.of("history", () -> enumerate(known)));
        }
        phrasing.sentence("duration");
        phrasing.phrase(patient.principal(), Field.PRESENT);
        text.endSentence();
        if (random.nextInt(10) < 8) {
            phrasing.sentence("denies", Map.of("symptoms", this::symptoms));
        }
        if (random.nextInt(10) < 6) {
            phrasing.sentence("ed", Map.of("vitals", this::vitals));
        }
        for (Condition condition : plan.at(Place.PRESENTATION)) {
            if (random.nextInt(2) == 0) {
                phrasing.sentence("found", Map.of("mention", () -> phrasing.name(condition)));
            } else {
                phrasing.sentence("noted", Map.of("mention", () -> phrasing.nameOrHint(condition, 9)));
            }
        }
        negations(random.nextInt(3));
        text.newLine();
    }

    private void history() {
        section("heading.pmh");
        List<Runnable> items = new ArrayList<>();
        plan.at(Place.HISTORY).forEach(condition -> items.add(() -> phrasing.name(condition)));
        for (int i = random.nextInt(4); i > 0; i--) {
            items.add(() -> phrasing.say("past"));
        }
        if (random.nextInt(3) == 0) {
            pick(Field.PAST).ifPresent(c -> items.add(() -> phrasing.phrase(c, Field.PAST)));
        }
        Collections.shuffle(items, random);
        if (items.isEmpty()) {
            items.add(() -> text.append(random.nextBoolean() ? "as per HPI" : "see above"));
        }
        list(items);
    }

    private void medications() {
        section("heading.meds");
        medicationList();
    }

    private void dischargeMedications() {
        section("heading.discharge.meds");
        medicationList();
    }

    private void medicationList() {
        List<Runnable> items = new ArrayList<>();
        for (Condition condition : patient.conditions()) {
            if (condition.has(Field.MED) && random.nextInt(10) < 7) {
                items.add(() -> phrasing.phrase(condition, Field.MED));
            }
        }
        for (int i = 2 + random.nextInt(5); i > 0; i--) {
            items.add(() -> phrasing.say("othermed"));
        }
        Collections.shuffle(items, random);
        list(items);
    }

    private void social() {
        section("heading.social");
        phrasing.sentence("social");
        for (Condition condition : plan.at(Place.SOCIAL)) {
            phrasing.nameOrHint(condition, 7);
            text.endSentence();
        }
        if (patient.conditions().stream().noneMatch(c -> c.place().isPresent())) {
            phrasing.sentence("social.clean");
        }
        text.newLine();
    }

    private void family() {
        if (random.nextInt(10) < 2) {
            return;
        }
        section("heading.family");
        if (random.nextInt(5) == 0) {
            phrasing.sentence("family.none");
        } else {
            for (int i = 1 + random.nextInt(3); i > 0; i--) {
                Map<String, Runnable> relative =
                        Map.of("relative", () -> pick(Field.FAMILY).ifPresent(c -> phrasing.phrase(c, Field.FAMILY)));
                phrasing.sentence("family", relative);
            }
        }
        text.newLine();
    }

    private void exam() {
        section("heading.exam");
        text.append("VS: ");
        vitals();
        text.newLine();
        for (String system : SYSTEMS) {
            if (patient.finding(system).isPresent() || random.nextInt(10) < 8) {
                text.append(system + ": ");
                patient.finding(system)
                        .ifPresentOrElse(
                                finding -> phrasing.fresh(finding, Map.of()), () -> phrasing.say("exam." + system));
                text.newLine();
            }
        }
    }

    private void labs() {
        section("heading.labs");
        boolean dashes = random.nextBoolean();
        List<Runnable> items = new ArrayList<>();
        for (String test : PANEL) {
            if (patient.finding(test).isPresent() || random.nextInt(10) < 7) {
                items.add(() -> value(test, dashes ? "-" : " "));
            }
        }
        for (String test : SPECIAL_TESTS) {
            if (patient.finding(test).isPresent()) {
                items.add(() -> value(test, dashes ? "-" : " "));
            }
        }
        join(items, dashes ? " " : ", ");
        text.newLine();
    }

    private void studies() {
        List<Condition> shown = plan.at(Place.STUDIES);
        int normal = random.nextInt(3) + (habits.talkative() ? 1 : 0);
        if (shown.isEmpty() && normal == 0) {
            return;
        }
        section("heading.studies");
        for (Condition condition : shown) {
            phrasing.phrase(condition, Field.STUDY);
            text.newLine();
        }
        // A normal film must not contradict an abnormal one, so the two are never mixed.
        for (int i = shown.isEmpty() ? normal : 0; i > 0; i--) {
            phrasing.say("study");
            text.newLine();
        }
    }

    private void course() {
        section("heading.course");
        phrasing.say("course.start");
        text.endSentence();
        List<Condition> due = new ArrayList<>(plan.at(Place.COURSE));
        for (Condition condition : patient.conditions()) {
            if (!due.contains(condition)
                    && !text.supports(condition.code())
                    && !plan.at(Place.DIAGNOSES).contains(condition)) {
                due.add(condition);
            }
        }
        due.stream().filter(c -> c.role() == Role.ACUTE).forEach(this::problem);
        remark(1 + random.nextInt(2));
        List<Condition> chronic =
                due.stream().filter(c -> c.role() == Role.CHRONIC).toList();
        if (chronic.size() > 1 && habits.problems() && random.nextBoolean()) {
            lineBreak();
            phrasing.say("course.chronic.heading");
        }
        chronic.forEach(this::chronicProblem);
        due.stream().filter(c -> c.role() == Role.STATUS).forEach(condition -> {
            lineBreak();
            phrasing.sentence("noted", Map.of("mention", () -> phrasing.nameOrHint(condition, 9)));
        });
        for (int i = random.nextInt(3) + (habits.talkative() ? 2 : 0); i > 0; i--) {
            lineBreak();
            phrasing.sentence("course.noise");
        }
        text.newLine();
    }

    private void problem(Condition condition) {
        lineBreak();
        boolean hinted = condition.has(Field.HINT) && random.nextInt(10) < 3;
        String frame = hinted ? "course.hint" : habits.problems() ? "course.problem" : "course.prose";
        phrasing.sentence(
                frame,
                Map.ofEntries(
                        entry("mention", () -> phrasing.nameOrHint(condition, hinted ? 10 : 0)),
                        entry("detail", () -> details(condition, 1 + random.nextInt(habits.talkative() ? 4 : 3)))));
        remark(random.nextInt(10) < 3 ? 1 : 0);
    }

    private void chronicProblem(Condition condition) {
        lineBreak();
        if (condition.has(Field.HINT) && random.nextInt(10) < 4) {
            phrasing.sentence("noted", Map.of("mention", () -> phrasing.phrase(condition, Field.HINT)));
        } else {
            phrasing.sentence(
                    habits.problems() ? "course.chronic" : "course.chronic.prose",
                    Map.of("mention", () -> phrasing.name(condition), "detail", () -> details(condition, 1)));
        }
    }

    private void details(Condition condition, int sentences) {
        int most = Math.min(
                sentences, condition.phrase(Field.COURSE).map(Template::size).orElse(0));
        for (int i = 0; i < most; i++) {
            if (i > 0) {
                text.endSentence();
            }
            phrasing.phrase(condition, Field.COURSE);
        }
    }

    private void remark(int negations) {
        negations(negations);
    }

    private void negations(int count) {
        for (int i = 0; i < count; i++) {
            phrasing.sentence("negation");
        }
    }

    private void diagnoses() {
        section("heading.diagnoses");
        List<Condition> listed = plan.at(Place.DIAGNOSES);
        if (listed.isEmpty()) {
            text.append("as above");
            text.newLine();
            return;
        }
        boolean split = listed.size() > 1 && random.nextBoolean();
        if (split) {
            phrasing.say("primary");
            text.newLine();
            phrasing.name(listed.get(0));
            text.newLine();
            phrasing.say("secondary");
            text.newLine();
        }
        List<Runnable> items = new ArrayList<>();
        listed.subList(split ? 1 : 0, listed.size()).forEach(condition -> items.add(() -> phrasing.name(condition)));
        list(items);
    }

    private void closing() {
        section("heading.disposition");
        phrasing.say("disposition");
        text.newLine();
        if (random.nextInt(10) < 6) {
            section("heading.condition");
            phrasing.say("condition");
            text.newLine();
        }
        if (habits.talkative() || random.nextInt(10) < 5) {
            section("heading.instructions");
            phrasing.sentence("instructions");
            phrasing.sentence("hypothetical");
            text.newLine();
        }
        section("heading.followup");
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
            phrasing.sentence("followup");
        }
        text.newLine();
    }

    private void vitals() {
        value("T", " ");
        text.append(", ");
        value("HR", " ");
        text.append(", BP ");
        patient.finding("SBP").ifPresentOrElse(t -> phrasing.fresh(t, Map.of()), () -> phrasing.say("value.SBP"));
        text.append("/");
        patient.finding("DBP").ifPresentOrElse(t -> phrasing.fresh(t, Map.of()), () -> phrasing.say("value.DBP"));
        text.append(", ");
        value("RR", " ");
        text.append(", ");
        value("O2", " ");
        text.append("%");
    }

    private void value(String test, String separator) {
        text.append(test + separator);
        patient.finding(test).ifPresentOrElse(t -> phrasing.fresh(t, Map.of()), () -> phrasing.say("value." + test));
    }

    private void symptoms() {
        List<Runnable> items = new ArrayList<>();
        for (int i = 2 + random.nextInt(3); i > 0; i--) {
            items.add(() -> phrasing.say("symptom"));
        }
        join(items, ", ");
    }

    private void enumerate(Collection<Condition> conditions) {
        List<Runnable> items = new ArrayList<>();
        conditions.forEach(condition -> items.add(() -> phrasing.name(condition)));
        join(items, ", ");
    }

    private void list(List<Runnable> items) {
        for (int i = 0; i < items.size(); i++) {
            if (habits.bullet() < 3) {
                text.append(habits.bullet() == 0 ? "- " : habits.bullet() == 1 ? (i + 1) + ". " : "");
                items.get(i).run();
                text.newLine();
            }
        }
        if (habits.bullet() == 3) {
            join(items, ", ");
            text.newLine();
        }
    }

    private void join(List<Runnable> items, String separator) {
        for (int i = 0; i < items.size(); i++) {
            text.append(i == 0 ? "" : separator);
            items.get(i).run();
        }
    }

    /** A new line for authors who write by problem; the others stay in their paragraph. */
    private void lineBreak() {
        if (habits.problems()) {
            text.newLine();
        }
    }

    private Optional<Condition> pick(Field field) {
        List<Condition> able = lexicon.conditions().stream()
                .filter(c -> c.has(field) && (field == Field.FAMILY || patient.isFreeOf(c)))
                .toList();
        return able.isEmpty() ? Optional.empty() : Optional.of(able.get(random.nextInt(able.size())));
    }
}
