package org.plant4j.context;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.plant4j.Evidence;
import org.plant4j.Span;
import org.plant4j.Trait;
import org.plant4j.context.Term.Role;
import org.plant4j.context.TermMatcher.Match;
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
    private static final int LANGUAGE_SAMPLE = 4000;

    private static final Map<List<Language>, TermMatcher> MATCHERS = new ConcurrentHashMap<>();

    /** The function words of all languages: none is a mention in another language. */
    private static final Set<String> FUNCTION_WORDS = Language.ALL.stream()
            .flatMap(language -> language.functionWords().stream())
            .collect(Collectors.toUnmodifiableSet());

    private final String text;
    private final TermMatcher matcher;

    private MentionContext(String text, List<Language> languages) {
        this.text = text;
        matcher = MATCHERS.computeIfAbsent(languages, TermMatcher::new);
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
        Scopes scopes = new Scopes(words, matches);
        for (Match match : matches) {
            if (scopes.cover(match, first, last)) {
                match.term().trait().ifPresent(traits::add);
            }
        }
        traits.addAll(headingTraits(mention));
        return traits;
    }

    /** The words with a meaning in the text, each with whether all its mentions are negated or about relatives. */
    Map<String, Boolean> contradictedWords() {
        Map<String, Boolean> contradicted = new HashMap<>();
        int start = 0;
        while (start < text.length()) {
            Span sentence = Sentences.around(text, new Span(start, start + 1));
            addContradictedWords(sentence, contradicted);
            start = Math.max(sentence.end(), start) + 1;
        }
        return contradicted;
    }

    private void addContradictedWords(Span sentence, Map<String, Boolean> contradicted) {
        List<Word> words = Word.split(text, sentence.start(), sentence.end());
        List<Match> matches = matcher.find(words);
        Scopes scopes = new Scopes(words, matches);
        boolean heading = headingTraits(sentence).stream().anyMatch(Trait::contradicts);
        for (int w = 0; w < words.size(); w++) {
            int word = w;
            if (hasMeaning(words.get(w)) && !words.get(w).isNumber() && !isTrigger(w, matches)) {
                boolean here = heading
                        || matches.stream()
                                .anyMatch(match -> match.term()
                                                .trait()
                                                .filter(Trait::contradicts)
                                                .isPresent()
                                        && scopes.cover(match, word, word));
                contradicted.merge(words.get(w).form(), here, Boolean::logicalAnd);
            }
        }
    }

    /** The words of a phrase that have a meaning. */
    static List<String> meaningfulWords(String phrase) {
        return Word.split(phrase, 0, phrase.length()).stream()
                .filter(word -> hasMeaning(word) && !word.isNumber())
                .map(Word::form)
                .toList();
    }

    private static boolean hasMeaning(Word word) {
        return !word.isPunctuation() && !FUNCTION_WORDS.contains(word.form());
    }

    private static boolean isTrigger(int word, List<Match> matches) {
        return matches.stream()
                .anyMatch(match -> match.term().trait().isPresent() && match.start() <= word && word < match.end());
    }

    /**
     * The clause around a span; empty if the word at the span separates clauses. A single word after a verb or a colon
     * belongs to the clause before: "losartan was uptitrated", "acute tubular necrosis: supportive".
     */
    public Clause clause(Span at) {
        Span sentence = Sentences.around(text, at);
        List<Word> words = Word.split(text, sentence.start(), sentence.end());
        Border[] borders = borders(words);
        int position = 0;
        while (position < words.size() && words.get(position).span().end() <= at.start()) {
            position++;
        }
        int start = clauseStart(position, borders);
        int end = position;
        while (end < words.size() && borders[end] == Border.NONE) {
            end++;
        }
        if (start > 0 && borders[start - 1] == Border.LINK && countMeaningful(words, start, end) == 1) {
            int before = clauseStart(start - 1, borders);
            start = isHeading(words.subList(before, start)) ? start : before;
        }
        List<Word> clause = start < end ? words.subList(start, end) : List.of();
        return new Clause(
                clause.stream().map(Word::span).toList(),
                clause.stream()
                        .map(word -> !hasMeaning(word) || word.isNumber())
                        .toList(),
                clause.stream().map(Word::isNumber).toList());
    }

    /** At most two words with a meaning before a colon, such as "Discharge diagnosis:". */
    private static boolean isHeading(List<Word> words) {
        return words.get(words.size() - 1).form().equals(":") && countMeaningful(words, 0, words.size()) <= 2;
    }

    private static int clauseStart(int position, Border[] borders) {
        int start = position;
        while (start > 0 && borders[start - 1] == Border.NONE) {
            start--;
        }
        return start;
    }

    private static long countMeaningful(List<Word> words, int start, int end) {
        return words.subList(start, Math.max(start, end)).stream()
                .filter(word -> hasMeaning(word) && !word.isNumber())
                .count();
    }

    /** What a word does to the clauses on its sides: separates them, or, as a verb or colon, also links them. */
    private enum Border {
        NONE,
        LINK,
        END
    }

    private Border[] borders(List<Word> words) {
        Border[] borders = new Border[words.size()];
        for (int w = 0; w < borders.length; w++) {
            borders[w] = separates(words.get(w)) ? Border.END : Border.NONE;
            borders[w] = words.get(w).form().equals(":") ? Border.LINK : borders[w];
        }
        for (Match match : matcher.find(words)) {
            if (match.term().role() != Role.PSEUDO) {
                Border border = match.term().role() == Role.VERB ? Border.LINK : Border.END;
                Arrays.fill(borders, match.start(), match.end(), border);
            }
        }
        return borders;
    }

    /** A hyphen, slash or full stop inside a word, such as "X-ray", does not separate clauses. */
    private boolean separates(Word word) {
        if (!word.isPunctuation()) {
            return false;
        }
        boolean spaceBefore = word.span().start() == 0
                || Character.isWhitespace(text.charAt(word.span().start() - 1));
        return spaceBefore || !"-/.'’%°".contains(word.form());
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
