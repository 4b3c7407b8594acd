package org.plant4j.context;

import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.plant4j.Evidence;
import org.plant4j.Span;
import org.plant4j.Trait;
import org.plant4j.support.Arguments;

/**
 * The context of mentions in a document by the ConText algorithm (Harkema et al., ConText: An algorithm for determining
 * negation, experiencer, and temporal status from clinical reports, Journal of Biomedical Informatics 42, 2009).
 *
 * <p>A term such as "no", "ruled out" or "mother" gives its trait to the words before or after it, up to the end of the
 * sentence or a term such as "but". Headings such as "Family history:" give theirs to the section below.
 *
 * <p>The codes of a document share most of their evidence, so what has been found out about a sentence, a clause or a
 * mention is kept. For use by one thread.
 */
public final class MentionContext {

    /** The characters from the start of a document that decide on its languages. */
    private static final int LANGUAGE_SAMPLE = 4000;

    /** By the names of the languages. */
    private static final Map<List<String>, TermMatcher> MATCHERS = new ConcurrentHashMap<>();

    private final String text;
    private final TermMatcher matcher;
    private final Sentences borders;
    private final Map<Span, Sentence> sentences = new HashMap<>();
    private final Map<Span, Clause> clauses = new HashMap<>();
    private final Map<Span, Set<Trait>> traits = new HashMap<>();

    private MentionContext(String text, List<Language> languages) {
        this.text = text;
        this.matcher = MATCHERS.computeIfAbsent(
                languages.stream().map(Language::name).toList(), names -> new TermMatcher(languages));
        this.borders = new Sentences(text);
    }

    /**
     * Chooses the languages by function words. One language alone is active in a document of this language, since "son" is a
     * relative in English and a verb in Spanish; all are active in a text too short to tell.
     */
    public static MentionContext of(String text) {
        return new MentionContext(text, Language.of(Word.split(text, 0, Math.min(text.length(), LANGUAGE_SAMPLE))));
    }

    /** The text of the document. */
    public String text() {
        return text;
    }

    /** Adds its traits to each piece of evidence. */
    public List<Evidence> annotate(List<Evidence> evidence) {
        return evidence.stream()
                .map(item -> item.withTraits(traits(item.span())))
                .toList();
    }

    /** The traits of a mention. A trigger inside the span is not part of the mention: "no pneumonia" is negated. */
    public Set<Trait> traits(Span mention) {
        Arguments.check(mention.end() <= text.length(), "end of span", mention.end(), "at most " + text.length());
        return traits.computeIfAbsent(mention, this::findTraits);
    }

    private Set<Trait> findTraits(Span mention) {
        Set<Trait> found = sentence(mention)
                .traits(mention)
                .map(ofSentence -> {
                    ofSentence.addAll(headingTraits(mention));
                    return ofSentence;
                })
                .orElse(Set.of());
        return Trait.copyOf(found);
    }

    private Sentence sentence(Span span) {
        return sentences.computeIfAbsent(borders.around(span), found -> new Sentence(text, found, matcher));
    }

    /** The words with a meaning in the text, each with whether all its mentions are negated or about relatives. */
    Map<String, Boolean> contradictedWords() {
        Map<String, Boolean> contradicted = new HashMap<>();
        int start = 0;
        while (start < text.length()) {
            Span sentence = borders.around(new Span(start, start + 1));
            boolean heading = headingTraits(sentence).stream().anyMatch(Trait::contradicts);
            new Sentence(text, sentence, matcher).addContradictedWords(heading, contradicted);
            start = Math.max(sentence.end(), start) + 1;
        }
        return contradicted;
    }

    /** The words of a phrase that have a meaning. */
    static List<String> meaningfulWords(String phrase) {
        return Word.split(phrase, 0, phrase.length()).stream()
                .filter(word -> Sentence.hasMeaning(word) && !word.isNumber())
                .map(Word::form)
                .toList();
    }

    /**
     * The clause around a span; empty if the word at the span separates clauses. A single word after a verb or a colon
     * belongs to the clause before: "losartan was uptitrated", "acute tubular necrosis: supportive".
     */
    public Clause clause(Span at) {
        return clauses.computeIfAbsent(at, span -> sentence(span).clause(span));
    }

    private Set<Trait> headingTraits(Span mention) {
        Set<Trait> found = EnumSet.noneOf(Trait.class);
        Headings.above(text, mention.start())
                .map(Word::forms)
                .ifPresent(heading ->
                        matcher.headings(heading).forEach(term -> term.trait().ifPresent(found::add)));
        return found;
    }
}
