package org.plant4j.corpus.demo;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.plant4j.corpus.demo.AnnotatedSummary.Context;
import org.plant4j.corpus.demo.Condition.Field;
import org.plant4j.corpus.demo.Condition.Role;
import org.plant4j.corpus.demo.Condition.Sex;

/** Writes rules and conditions into a document; uses all alternatives of a template before it repeats one. */
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
    private final boolean leftSide;
    private boolean negating;

    PhraseWriter(Lexicon lexicon, Patient patient, SummaryBuilder text, Random random) {
        this.lexicon = lexicon;
        this.patient = patient;
        this.text = text;
        this.random = random;
        absentAcute = absent(Role.ACUTE);
        absentChronic = absent(Role.CHRONIC);
        complaint = random.nextInt(complaints().size());
        leftSide = random.nextBoolean();
    }

    Patient patient() {
        return patient;
    }

    SummaryBuilder text() {
        return text;
    }

    /** True with a probability of tenths / 10. */
    boolean chance(int tenths) {
        return random.nextInt(10) < tenths;
    }

    int randomInt(int bound) {
        return random.nextInt(bound);
    }

    void shuffle(List<?> items) {
        Collections.shuffle(items, random);
    }

    /** A random condition that has a phrase and, except for family history, that the patient does not have. */
    Optional<Condition> randomCondition(Field field) {
        List<Condition> candidates = lexicon.conditions().stream()
                .filter(c -> c.has(field) && (field == Field.FAMILY || patient.isFreeOf(c)))
                .toList();
        return candidates.isEmpty() ? Optional.empty() : Optional.of(candidates.get(random.nextInt(candidates.size())));
    }

    /** Writes the heading of a section in one of its variants. */
    void writeHeading(String rule, int variant) {
        text.newLine();
        Template heading = lexicon.rule(rule);
        heading.write(variant % heading.size(), text, random, slot -> {});
        text.append(":");
        text.newLine();
    }

    /** The text of a rule, without writing it. */
    String render(String rule) {
        SummaryBuilder separate = new SummaryBuilder(random, 0);
        separate.append(" ");
        lexicon.rule(rule).write(separate, random, slot -> {});
        return separate.toString().strip();
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

    /** Writes a name of a condition, which is evidence as a whole. */
    void writeName(Condition condition) {
        text.writeMention(condition.code(), () -> text.markEvidence(() -> writeUnused(condition.names(), Map.of())));
    }

    /** Writes a phrase of a condition, if it has one; the marked parts are evidence. */
    void writePhrase(Condition condition, Field field) {
        condition
                .phrase(field)
                .ifPresent(template -> text.writeMention(condition.code(), () -> writeUnused(template, Map.of())));
    }

    /** Writes indirect evidence with a probability of {@code hintTenths} / 10 if the condition has any, else its name. */
    void writeNameOrHint(Condition condition, int hintTenths) {
        if (condition.has(Field.HINT) && chance(hintTenths)) {
            writePhrase(condition, Field.HINT);
        } else {
            writeName(condition);
        }
    }

    /** Writes sentences that rule out conditions which the patient does not have. */
    void writeNegations(int count) {
        negating = true;
        for (int i = 0; i < count; i++) {
            writeSentence(chance(8) ? "negation" : "negation.chronic");
        }
        negating = false;
    }

    /** Conditions that the patient does not have, first those of the same cluster as the reason for admission. */
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
        Context context = negating ? Context.RULED_OUT : Context.HYPOTHETICAL;
        condition
                .phrase(Field.DENY)
                .ifPresent(template -> text.markMention(context, () -> writeUnused(template, Map.of())));
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
        List<Integer> unused = unusedAlternatives.computeIfAbsent(template, t -> new ArrayList<>());
        if (unused.isEmpty()) {
            for (int i = 0; i < template.size(); i++) {
                unused.add(i);
            }
            Collections.shuffle(unused, random);
        }
        template.write(unused.remove(unused.size() - 1), text, random, slot -> fill(slot, slots));
    }

    private void fill(String slot, Map<String, Runnable> slots) {
        String pronoun = (patient.sex() == Sex.F ? FEMALE : MALE).get(slot);
        if (slots.containsKey(slot)) {
            slots.get(slot).run();
        } else if (pronoun != null) {
            text.append(pronoun);
        } else {
            switch (slot) {
                case "age" -> text.append(Integer.toString(patient.age()));
                case "side" -> text.append(leftSide ? "left" : "right");
                case "s" -> text.append(leftSide ? "L" : "R");
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
