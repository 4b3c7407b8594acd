package org.plant4j.corpus.demo;

import java.util.List;
import java.util.Map;
import org.plant4j.corpus.demo.Condition.Field;
import org.plant4j.corpus.demo.Condition.Role;

/** Writes the hospital course: what was treated, what was thought of and dismissed, and what merely went along. */
final class CourseWriter {

    private final Phrasing phrasing;
    private final Habits habits;
    private final NoteText text;

    CourseWriter(Phrasing phrasing, Habits habits) {
        this.phrasing = phrasing;
        this.habits = habits;
        text = phrasing.text();
    }

    void write(List<Condition> conditions) {
        phrasing.sentence("course.start");
        of(Role.ACUTE, conditions).forEach(this::problem);
        phrasing.negations(1 + phrasing.below(2));
        List<Condition> chronic = of(Role.CHRONIC, conditions);
        if (chronic.size() > 1 && habits.problems() && phrasing.chance(5)) {
            lineBreak();
            phrasing.say("course.chronic.heading");
        }
        chronic.forEach(this::chronicProblem);
        for (Condition condition : of(Role.STATUS, conditions)) {
            lineBreak();
            phrasing.sentence("noted.status", Map.of("mention", () -> phrasing.nameOrHint(condition, 9)));
        }
        for (int i = phrasing.below(3) + (habits.talkative() ? 2 : 0); i > 0; i--) {
            lineBreak();
            phrasing.sentence("course.noise");
        }
        for (int i = habits.talkative() ? phrasing.below(5) : 0; i > 0; i--) {
            text.newLine();
            phrasing.sentence("consult");
        }
        text.newLine();
    }

    private void problem(Condition condition) {
        lineBreak();
        boolean hinted = condition.has(Field.HINT) && phrasing.chance(3);
        String frame = (hinted ? "course.hint" : "course") + (habits.problems() ? ".problem" : hinted ? "" : ".prose");
        phrasing.sentence(
                frame,
                Map.of(
                        "mention", () -> phrasing.nameOrHint(condition, hinted ? 10 : 0),
                        "detail", () -> details(condition, 1 + phrasing.below(habits.talkative() ? 4 : 3))));
        phrasing.negations(phrasing.chance(3) ? 1 : 0);
    }

    private void chronicProblem(Condition condition) {
        lineBreak();
        if (condition.has(Field.HINT) && phrasing.chance(4)) {
            phrasing.sentence("noted", Map.of("mention", () -> phrasing.phrase(condition, Field.HINT)));
        } else {
            phrasing.sentence(
                    habits.problems() ? "course.chronic" : "course.chronic.prose",
                    Map.of("mention", () -> phrasing.name(condition), "detail", () -> details(condition, 1)));
        }
    }

    private void details(Condition condition, int sentences) {
        int known = condition.phrase(Field.COURSE).map(Template::size).orElse(0);
        for (int i = 0; i < Math.min(sentences, known); i++) {
            if (i > 0) {
                text.endSentence();
            }
            phrasing.phrase(condition, Field.COURSE);
        }
    }

    /** A new line for authors who write by problem; the others stay in their paragraph. */
    private void lineBreak() {
        if (habits.problems() && !text.endsWith("\n")) {
            text.newLine();
        }
    }

    private static List<Condition> of(Role role, List<Condition> conditions) {
        return conditions.stream().filter(c -> c.role() == role).toList();
    }
}
