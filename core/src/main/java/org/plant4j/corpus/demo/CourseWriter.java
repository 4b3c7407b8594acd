package org.plant4j.corpus.demo;

import java.util.List;
import java.util.Map;
import org.plant4j.corpus.demo.Condition.Field;
import org.plant4j.corpus.demo.Condition.Role;

/** Writes the hospital course: what was treated, what was thought of and dismissed, and what merely went along. */
final class CourseWriter {

    private final PhraseWriter phrasing;
    private final WritingStyle habits;
    private final SummaryBuilder text;

    CourseWriter(PhraseWriter phrasing, WritingStyle habits) {
        this.phrasing = phrasing;
        this.habits = habits;
        text = phrasing.text();
    }

    void write(List<Condition> conditions) {
        phrasing.writeSentence("course.start");
        of(Role.ACUTE, conditions).forEach(this::problem);
        phrasing.writeNegations(1 + phrasing.randomInt(2));
        List<Condition> chronic = of(Role.CHRONIC, conditions);
        if (chronic.size() > 1 && habits.problemOriented() && phrasing.chance(5)) {
            lineBreak();
            phrasing.write("course.chronic.heading");
        }
        chronic.forEach(this::chronicProblem);
        for (Condition condition : of(Role.STATUS, conditions)) {
            lineBreak();
            phrasing.writeSentence("noted.status", Map.of("mention", () -> phrasing.writeNameOrHint(condition, 9)));
        }
        for (int i = phrasing.randomInt(3) + (habits.verbose() ? 2 : 0); i > 0; i--) {
            lineBreak();
            phrasing.writeSentence("course.noise");
        }
        for (int i = habits.verbose() ? phrasing.randomInt(5) : 0; i > 0; i--) {
            text.newLine();
            phrasing.writeSentence("consult");
        }
        text.newLine();
    }

    private void problem(Condition condition) {
        lineBreak();
        boolean hinted = condition.has(Field.HINT) && phrasing.chance(3);
        String frame =
                (hinted ? "course.hint" : "course") + (habits.problemOriented() ? ".problem" : hinted ? "" : ".prose");
        phrasing.writeSentence(
                frame,
                Map.of(
                        "mention", () -> phrasing.writeNameOrHint(condition, hinted ? 10 : 0),
                        "detail", () -> details(condition, 1 + phrasing.randomInt(habits.verbose() ? 4 : 3))));
        phrasing.writeNegations(phrasing.chance(3) ? 1 : 0);
    }

    private void chronicProblem(Condition condition) {
        lineBreak();
        if (condition.has(Field.HINT) && phrasing.chance(4)) {
            phrasing.writeSentence("noted", Map.of("mention", () -> phrasing.writePhrase(condition, Field.HINT)));
        } else {
            phrasing.writeSentence(
                    habits.problemOriented() ? "course.chronic" : "course.chronic.prose",
                    Map.of("mention", () -> phrasing.writeName(condition), "detail", () -> details(condition, 1)));
        }
    }

    private void details(Condition condition, int sentences) {
        int known = condition.phrase(Field.COURSE).map(Template::size).orElse(0);
        for (int i = 0; i < Math.min(sentences, known); i++) {
            if (i > 0) {
                text.endSentence();
            }
            phrasing.writePhrase(condition, Field.COURSE);
        }
    }

    /** A new line for authors who write by problem; the others stay in their paragraph. */
    private void lineBreak() {
        if (habits.problemOriented() && !text.endsWith("\n")) {
            text.newLine();
        }
    }

    private static List<Condition> of(Role role, List<Condition> conditions) {
        return conditions.stream().filter(c -> c.role() == role).toList();
    }
}
