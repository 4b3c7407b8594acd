package org.plant4j.context;

import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.plant4j.context.Term.Role;
import org.plant4j.context.TermMatcher.Match;
import org.plant4j.corpus.Span;
import org.plant4j.prediction.Evidence;
import org.plant4j.prediction.Trait;
import org.plant4j.support.Arguments;

/**
 * The context of mentions in a document by the ConText algorithm (Harkema et al., ConText: An algorithm for determining
 * negation, experiencer, and temporal status from clinical reports, Journal of Biomedical Informatics 42, 2009).
 *
 * <p>A term such as "no", "ruled out" or "mother" gives its trait to the words before or after it, up to the end of the
 * sentence or a term such as "but". Headings such as "Family history:" give theirs to the section below.
 */
public final class MentionContext {

    /** The characters from the start of a document that decide on its languages. */
    private static final int LANGUAGE_SAMPLE = 20_000;

    private static final Map<List<Language>, TermMatcher> MATCHERS = new ConcurrentHashMap<>();

    private final String text;
    private final TermMatcher matcher;
    private final Set<String> functionWords = new HashSet<>();

    private MentionContext(String text, List<Language> languages) {
        this.text = text;
        matcher = MATCHERS.computeIfAbsent(languages, TermMatcher::new);
        languages.forEach(language -> functionWords.addAll(language.functionWords()));
    }

    /**
     * Chooses the languages by function words. One language alone is active in a document of this language, since "son" is a
     * relative in English and a verb in Spanish; all are active in a text too short to tell.
     */
    public static MentionContext of(String text) {
        List<Word> words = Word.split(text, 0, Math.min(text.length(), LANGUAGE_SAMPLE));
        long most = Language.ALL.stream()
                .mapToLong(language -> language.count(words))
                .max()
                .orElse(0);
        return new MentionContext(
                text,
                Language.ALL.stream()
                        .filter(language -> 2 * language.count(words) >= most)
                        .toList());
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
        Span sentence = Sentences.around(text, mention);
        List<Word> words = Word.split(text, sentence.start(), sentence.end());
        List<Match> matches = matcher.find(words);
        int first = words.size();
        int last = -1;
        for (int w = 0; w < words.size(); w++) {
            if (words.get(w).span().overlaps(mention) && hasMeaning(words.get(w)) && !isTrigger(w, matches)) {
                first = Math.min(first, w);
                last = w;
            }
        }
        Set<Trait> traits = EnumSet.noneOf(Trait.class);
        if (last < 0) {
            return traits;
        }
        for (Match match : matches) {
            boolean after = match.term().isForward() && match.end() <= first && isOpen(match.end(), last, matches);
            boolean before = match.term().isBackward() && match.start() > last && isOpen(first, match.start(), matches);
            if (after || before) {
                match.term().trait().ifPresent(traits::add);
            }
        }
        traits.addAll(headingTraits(mention));
        return traits;
    }

    private boolean hasMeaning(Word word) {
        return !word.isPunctuation() && !functionWords.contains(word.form());
    }

    private static boolean isTrigger(int word, List<Match> matches) {
        return matches.stream()
                .anyMatch(match -> match.term().trait().isPresent() && match.start() <= word && word < match.end());
    }

    /** Whether no term ends the scope between two words. */
    private static boolean isOpen(int start, int end, List<Match> matches) {
        return matches.stream()
                .noneMatch(match -> match.term().role() == Role.END && match.start() >= start && match.end() <= end);
    }

    private Set<Trait> headingTraits(Span mention) {
        Set<Trait> traits = EnumSet.noneOf(Trait.class);
        Headings.above(text, mention.start())
                .map(Word::forms)
                .ifPresent(heading ->
                        matcher.headings(heading).forEach(term -> term.trait().ifPresent(traits::add)));
        return traits;
    }
}
