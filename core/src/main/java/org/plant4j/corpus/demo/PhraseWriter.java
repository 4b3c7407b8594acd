package org.plant4j.corpus.demo;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.plant4j.corpus.demo.Condition.Field;
import org.plant4j.corpus.demo.Condition.Role;
import org.plant4j.corpus.demo.Condition.Sex;

/** Writes rules and conditions into one note, and does not say a thing twice the same way while it has another. */
final class PhraseWriter {

    private static final Map<String, String> FEMALE = Map.of("he", "she", "his", "her", "him", "her", "man", "woman");
    private static final Map<String, String> MALE = Map.of("he", "he", "his", "his", "him", "him", "man", "man");

    private final Lexicon lexicon;
    private final Patient patient;
    private final SummaryBuilder text;
    private final Random random;
    private final Map<Template, List<Integer>> unusedAlternatives = new HashMap<>();
    private final List<Condition> absentAcute;
    private final List<Condition> absentChronic;
    private final int complaint;
    private final boolean left;

    PhraseWriter(Lexicon lexicon, Patient patient, SummaryBuilder text, Random random) {
        this.lexicon = lexicon;
        this.patient = patient;
        this.text = text;
        this.random = random;
        absentAcute = absent(Role.ACUTE);
        absentChronic = absent(Role.CHRONIC);
        complaint = random.nextInt(complaints().size());
        left = random.nextBoolean();
    }

    Patient patient() {
        return patient;
    }

    SummaryBuilder text() {
        return text;
    }

    /** True so many times in ten. */
    boolean chance(int inTen) {
        return random.nextInt(10) < inTen;
    }

    int randomInt(int bound) {
        return random.nextInt(bound);
    }

    void shuffle(List<?> items) {
        Collections.shuffle(items, random);
    }

    /** A condition of the lexicon with such a phrase, any relative's or one the patient does not have. */
    Optional<Condition> randomCondition(Field field) {
        List<Condition> able = lexicon.conditions().stream()
                .filter(c -> c.has(field) && (field == Field.FAMILY || patient.isFreeOf(c)))
                .toList();
        return able.isEmpty() ? Optional.empty() : Optional.of(able.get(random.nextInt(able.size())));
    }

    /** A section's heading in the author's habit. */
    void writeHeading(String rule, int habit) {
        text.newLine();
        Template words = lexicon.rule(rule);
        words.write(habit % words.size(), text, random, slot -> {});
        text.append(":");
        text.newLine();
    }

    /** The rule in plain words, not yet written. */
    String render(String rule) {
        SummaryBuilder aside = new SummaryBuilder(random, 0);
        aside.append(" ");
        lexicon.rule(rule).write(aside, random, slot -> {});
        return aside.toString().strip();
    }

    /** Writes a rule of phrases.txt. */
    void write(String rule) {
        write(rule, Map.of());
    }

    void write(String rule, Map<String, Runnable> slots) {
        writeUnused(lexicon.rule(rule), slots);
    }

    void writeSentence(String rule) {
        writeSentence(rule, Map.of());
    }

    void writeSentence(String rule, Map<String, Runnable> slots) {
        write(rule, slots);
        text.endSentence();
    }

    /** A name of the condition, all of it evidence. */
    void writeName(Condition condition) {
        text.writeMention(condition.code(), () -> text.markEvidence(() -> writeUnused(condition.names(), Map.of())));
    }

    /** A phrase of the condition, evidence where it is marked; nothing where it has none. */
    void writePhrase(Condition condition, Field field) {
        condition
                .phrase(field)
                .ifPresent(template -> text.writeMention(condition.code(), () -> writeUnused(template, Map.of())));
    }

    /** Indirect evidence where the condition has any and chance wills it, else its name. */
    void writeNameOrHint(Condition condition, int hintsInTen) {
        if (condition.has(Field.HINT) && chance(hintsInTen)) {
            writePhrase(condition, Field.HINT);
        } else {
            writeName(condition);
        }
    }

    /** Sentences on conditions that the patient does not have, in words that would name them. */
    void writeNegations(int count) {
        for (int i = 0; i < count; i++) {
            writeSentence(chance(8) ? "negation" : "negation.chronic");
        }
    }

    /** Conditions that the patient does not have, those first that could be mistaken for the reason of admission. */
    private List<Condition> absent(Role role) {
        List<Condition> absent = new ArrayList<>(lexicon.conditions().stream()
                .filter(c -> c.has(Field.DENY) && c.role() == role && patient.isFreeOf(c))
                .toList());
        Collections.shuffle(absent, random);
        absent.sort(Comparator.comparing(condition -> !condition.sharesCluster(patient.principal())));
        return absent;
    }

    private void writeDenial(List<Condition> absent) {
        Condition condition = absent.remove(0);
        absent.add(condition);
        condition.phrase(Field.DENY).ifPresent(template -> writeUnused(template, Map.of()));
    }

    void join(List<Runnable> items, String separator) {
        for (int i = 0; i < items.size(); i++) {
            text.append(i == 0 ? "" : separator);
            items.get(i).run();
        }
    }

    void writeComplaint() {
        complaints().write(complaint, text, random, slot -> fill(slot, Map.of()));
    }

    void writeUnused(Template template, Map<String, Runnable> slots) {
        List<Integer> left = unusedAlternatives.computeIfAbsent(template, t -> new ArrayList<>());
        if (left.isEmpty()) {
            for (int i = 0; i < template.size(); i++) {
                left.add(i);
            }
            Collections.shuffle(left, random);
        }
        template.write(left.remove(left.size() - 1), text, random, slot -> fill(slot, slots));
    }

    private void fill(String slot, Map<String, Runnable> slots) {
        String word = (patient.sex() == Sex.F ? FEMALE : MALE).get(slot);
        if (slots.containsKey(slot)) {
            slots.get(slot).run();
        } else if (word != null) {
            text.append(word);
        } else {
            switch (slot) {
                case "age" -> text.append(Integer.toString(patient.age()));
                case "side" -> text.append(left ? "left" : "right");
                case "s" -> text.append(left ? "L" : "R");
                case "complaint" -> writeComplaint();
                case "danger" -> writeDenial(absentAcute);
                case "denied" -> writeDenial(absentChronic);
                default -> writeUnused(lexicon.rule(slot), slots);
            }
        }
    }

    private Template complaints() {
        return patient.principal().phrase(Field.COMPLAINT).orElseGet(() -> lexicon.rule("complaint.any"));
    }
}
