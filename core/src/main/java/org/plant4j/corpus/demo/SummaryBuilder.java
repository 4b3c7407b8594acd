package org.plant4j.corpus.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.plant4j.corpus.GoldEvidence;
import org.plant4j.corpus.Span;

/** A note while it is written: it capitalises sentences, slips in a typing error now and then, and keeps the evidence. */
public final class SummaryBuilder {

    private static final Pattern LONG_WORD = Pattern.compile("\\b[a-z]{7,}\\b");

    private final StringBuilder text = new StringBuilder();
    private final List<GoldEvidence> evidence = new ArrayList<>();
    private final List<Span> marks = new ArrayList<>();
    private final Random random;
    private final double typoRate;
    private boolean sentenceStart = true;

    SummaryBuilder(Random random, double typoRate) {
        this.random = random;
        this.typoRate = typoRate;
    }

    void append(String words) {
        if (words.isEmpty()) {
            return;
        }
        String written = typoRate > 0 ? mistype(words) : words;
        boolean capital = sentenceStart || endsWith(". ");
        int first = text.length();
        text.append(written);
        // "pAF" and "dCHF" keep their small letter.
        if (capital && (written.length() == 1 || !Character.isUpperCase(written.charAt(1)))) {
            text.setCharAt(first, Character.toUpperCase(text.charAt(first)));
        }
        sentenceStart = false;
    }

    /** Ends the sentence, unless it has its full stop, and starts another on the same line. */
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

    /** What is written inside counts as evidence of the code where it is marked. */
    void writeMention(String code, Runnable write) {
        write.run();
        if (!marks.isEmpty()) {
            evidence.add(new GoldEvidence(code, marks));
            marks.clear();
        }
    }

    void markEvidence(Runnable write) {
        int start = text.length();
        write.run();
        marks.add(new Span(start, text.length()));
    }

    boolean contains(String words) {
        return text.toString().toLowerCase(Locale.ROOT).contains(words);
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

    private String mistype(String words) {
        Matcher word = LONG_WORD.matcher(words);
        return word.replaceAll(match -> random.nextDouble() < typoRate ? mistyped(match.group()) : match.group());
    }

    private String mistyped(String word) {
        int at = 1 + random.nextInt(word.length() - 3);
        return switch (random.nextInt(3)) {
            case 0 -> word.substring(0, at) + word.charAt(at + 1) + word.charAt(at) + word.substring(at + 2);
            case 1 -> word.substring(0, at) + word.substring(at + 1);
            default -> word.substring(0, at) + word.charAt(at) + word.substring(at);
        };
    }
}
