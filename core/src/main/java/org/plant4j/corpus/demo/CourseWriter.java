package org.plant4j.corpus.demo;

import java.util.List;
import java.util.Map;
import org.plant4j.corpus.demo.Condition.Field;
import org.plant4j.corpus.demo.Condition.Role;

/** Writes the hospital course: treated problems, differential diagnoses that were ruled out, and chronic problems. */
final class CourseWriter {

    private final PhraseWriter phrases;
    private final WritingStyle style;
    private final SummaryBuilder text;

    CourseWriter(PhraseWriter phrases, WritingStyle style) {
        this.phrases = phrases;
        this.style = style;
        text = phrases.text();
    }

    void write(List<Condition> conditions) {
        phrases.writeSentence("course.start");
        of(Role.ACUTE, conditions).forEach(this::writeProblem);
        phrases.writeNegations(1 + phrases.randomInt(2));
        List<Condition> chronic = of(Role.CHRONIC, conditions);
        if (chronic.size() > 1 && style.problemOriented() && phrases.chance(5)) {
            lineBreak();
            phrases.write("course.chronic.heading");
        }
        chronic.forEach(this::writeChronicProblem);
        for (Condition condition : of(Role.STATUS, conditions)) {
            lineBreak();
            phrases.writeSentence("noted.status", Map.of("mention", () -> phrases.writeNameOrHint(condition, 9)));
        }
        for (int i = phrases.randomInt(3) + (style.verbose() ? 2 : 0); i > 0; i--) {
            lineBreak();
            phrases.writeSentence("course.noise");
        }
        for (int i = style.verbose() ? phrases.randomInt(5) : 0; i > 0; i--) {
            text.newLine();
            phrases.writeSentence("consult");
        }
        text.newLine();
    }

    private void writeProblem(Condition condition) {
        lineBreak();
        boolean hinted = condition.has(Field.HINT) && phrases.chance(3);
        String frame =
                (hinted ? "course.hint" : "course") + (style.problemOriented() ? ".problem" : hinted ? "" : ".prose");
        phrases.writeSentence(
                frame,
                Map.of(
                        "mention", () -> phrases.writeNameOrHint(condition, hinted ? 10 : 0),
                        "detail", () -> writeDetails(condition, 1 + phrases.randomInt(style.verbose() ? 4 : 3))));
        phrases.writeNegations(phrases.chance(3) ? 1 : 0);
    }

    private void writeChronicProblem(Condition condition) {
        lineBreak();
        if (condition.has(Field.HINT) && phrases.chance(4)) {
            phrases.writeSentence("noted", Map.of("mention", () -> phrases.writePhrase(condition, Field.HINT)));
        } else {
            phrases.writeSentence(
                    style.problemOriented() ? "course.chronic" : "course.chronic.prose",
                    Map.of("mention", () -> phrases.writeName(condition), "detail", () -> writeDetails(condition, 1)));
        }
    }

    private void writeDetails(Condition condition, int sentences) {
        int available = condition.phrase(Field.COURSE).map(Template::size).orElse(0);
        for (int i = 0; i < Math.min(sentences, available); i++) {
            if (i > 0) {
                text.endSentence();
            }
            phrases.writePhrase(condition, Field.COURSE);
        }
    }

    /** Starts a new line in problem-oriented documents; prose continues its paragraph. */
    private void lineBreak() {
        if (style.problemOriented() && !text.endsWith("\n")) {
            text.newLine();
        }
    }

    private static List<Condition> of(Role role, List<Condition> conditions) {
        return conditions.stream().filter(c -> c.role() == role).toList();
    }
}
