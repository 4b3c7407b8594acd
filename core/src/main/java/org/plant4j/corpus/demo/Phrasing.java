package org.plant4j.corpus.demo;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.plant4j.corpus.demo.Condition.Field;
import org.plant4j.corpus.demo.Condition.Sex;

/** Writes rules and conditions into one note, and does not say a thing twice the same way while it has another. */
final class Phrasing {

    private static final Map<String, String> FEMALE = Map.of("he", "she", "his", "her", "him", "her", "man", "woman");
    private static final Map<String, String> MALE = Map.of("he", "he", "his", "his", "him", "him", "man", "man");

    private final Lexicon lexicon;
    private final Patient patient;
    private final NoteText text;
    private final Random random;
    private final Map<Template, List<Integer>> unsaid = new HashMap<>();
    private final List<Condition> absent;
    private final int complaint;

    Phrasing(Lexicon lexicon, Patient patient, NoteText text, Random random) {
        this.lexicon = lexicon;
        this.patient = patient;
        this.text = text;
        this.random = random;
        absent = new ArrayList<>(lexicon.conditions().stream()
                .filter(condition -> condition.has(Field.DENY) && patient.isFreeOf(condition))
                .toList());
        Collections.shuffle(absent, random);
        complaint = random.nextInt(complaints().size());
    }

    /** Writes a rule of phrases.txt. */
    void say(String rule) {
        say(rule, Map.of());
    }

    void say(String rule, Map<String, Runnable> slots) {
        fresh(lexicon.rule(rule), slots);
    }

    void sentence(String rule) {
        sentence(rule, Map.of());
    }

    void sentence(String rule, Map<String, Runnable> slots) {
        say(rule, slots);
        text.endSentence();
    }

    /** A name of the condition, all of it evidence. */
    void name(Condition condition) {
        text.mention(condition.code(), () -> text.mark(() -> fresh(condition.names(), Map.of())));
    }

    /** A phrase of the condition, evidence where it is marked; nothing where it has none. */
    void phrase(Condition condition, Field field) {
        condition.phrase(field).ifPresent(template -> text.mention(condition.code(), () -> fresh(template, Map.of())));
    }

    /** Indirect evidence where the condition has any and chance wills it, else its name. */
    void nameOrHint(Condition condition, int hintsInTen) {
        if (condition.has(Field.HINT) && random.nextInt(10) < hintsInTen) {
            phrase(condition, Field.HINT);
        } else {
            name(condition);
        }
    }

    /** A condition the patient does not have, in words that would name it. */
    void denied() {
        Condition condition = absent.remove(0);
        absent.add(condition);
        condition.phrase(Field.DENY).ifPresent(template -> fresh(template, Map.of()));
    }

    void complaint() {
        complaints().write(complaint, text, random, slot -> fill(slot, Map.of()));
    }

    void fresh(Template template, Map<String, Runnable> slots) {
        List<Integer> left = unsaid.computeIfAbsent(template, t -> new ArrayList<>());
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
        } else if (slot.equals("age")) {
            text.append(Integer.toString(patient.age()));
        } else if (slot.equals("complaint")) {
            complaint();
        } else if (slot.equals("denied")) {
            denied();
        } else {
            fresh(lexicon.rule(slot), slots);
        }
    }

    private Template complaints() {
        return patient.principal().phrase(Field.COMPLAINT).orElseGet(() -> lexicon.rule("complaint.any"));
    }
}
