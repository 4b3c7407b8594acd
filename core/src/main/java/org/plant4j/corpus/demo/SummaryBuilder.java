package org.plant4j.corpus.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.plant4j.GoldEvidence;
import org.plant4j.Span;
import org.plant4j.corpus.demo.AnnotatedSummary.Context;
import org.plant4j.corpus.demo.AnnotatedSummary.Mention;

/** Builds the text of a document: capitalises sentences, adds occasional typing errors, and records the gold evidence. */
final class SummaryBuilder {

    private static final Pattern LONG_WORD = Pattern.compile("\\b[a-z]{7,}\\b");

    private final StringBuilder text = new StringBuilder();
    private final List<GoldEvidence> evidence = new ArrayList<>();
    private final List<Span> marked = new ArrayList<>();
    private final List<Mention> otherMentions = new ArrayList<>();
    private final Random random;
    private final double typoRate;
    private boolean sentenceStart = true;

    SummaryBuilder(Random random, double typoRate) {
        this.random = random;
        this.typoRate = typoRate;
    }

    void append(String fragment) {
        if (fragment.isEmpty()) {
            return;
        }
        String typed = typoRate > 0 ? addTypos(fragment) : fragment;
        boolean capital = sentenceStart || endsWith(". ");
        int first = text.length();
        text.append(typed);
        // "pAF" and "dCHF" keep their lower-case letter.
        if (capital && (typed.length() == 1 || !Character.isUpperCase(typed.charAt(1)))) {
            text.setCharAt(first, Character.toUpperCase(text.charAt(first)));
        }
        sentenceStart = false;
    }

    /** Ends the sentence with a full stop, unless it has one, and starts another on the same line. */
    void endSentence() {
        if (sentenceStart) {
            return;
        }
        trim();
        text.append(".:;".indexOf(text.charAt(text.length() - 1)) < 0 ? ". " : " ");
        sentenceStart = true;
    }

    void newLine() {
        trim();
        text.append('\n');
        sentenceStart = true;
    }

    /** Records the evidence that {@code write} marks as evidence for the code. */
    void writeMention(String code, Runnable write) {
        write.run();
        if (!marked.isEmpty()) {
            evidence.add(new GoldEvidence(code, marked));
            marked.clear();
        }
    }

    /** Marks the text that {@code write} appends. */
    void markEvidence(Runnable write) {
        int start = text.length();
        write.run();
        marked.add(new Span(start, text.length()));
    }

    /** Records the text that {@code write} appends as a mention of a condition without evidence. */
    void markMention(Context context, Runnable write) {
        int start = text.length();
        write.run();
        otherMentions.add(new Mention(new Span(start, text.length()), context));
    }

    /** All mentions: the evidence, and those in another context. */
    List<Mention> mentions() {
        List<Mention> mentions = new ArrayList<>(otherMentions);
        evidence.forEach(each -> each.spans().forEach(span -> mentions.add(new Mention(span, Context.PRESENT))));
        return mentions;
    }

    boolean contains(String fragment) {
        return text.toString().toLowerCase(Locale.ROOT).contains(fragment);
    }

    boolean endsWith(String end) {
        return text.length() >= end.length() && text.indexOf(end, text.length() - end.length()) >= 0;
    }

    boolean hasEvidenceFor(String code) {
        return evidence.stream().anyMatch(e -> e.code().equals(code));
    }

    List<GoldEvidence> evidence() {
        return evidence;
    }

    @Override
    public String toString() {
        return text.toString();
    }

    private void trim() {
        while (endsWith(" ")) {
            text.setLength(text.length() - 1);
        }
    }

    private String addTypos(String fragment) {
        Matcher word = LONG_WORD.matcher(fragment);
        return word.replaceAll(match -> random.nextDouble() < typoRate ? addTypo(match.group()) : match.group());
    }

    /** Swaps two letters, drops one or doubles one. */
    private String addTypo(String word) {
        int at = 1 + random.nextInt(word.length() - 3);
        return switch (random.nextInt(3)) {
            case 0 -> word.substring(0, at) + word.charAt(at + 1) + word.charAt(at) + word.substring(at + 2);
            case 1 -> word.substring(0, at) + word.substring(at + 1);
            default -> word.substring(0, at) + word.charAt(at) + word.substring(at);
        };
    }
}
