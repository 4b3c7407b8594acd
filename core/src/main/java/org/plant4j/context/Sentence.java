package org.plant4j.context;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.plant4j.Span;
import org.plant4j.Trait;
import org.plant4j.context.Clause.Kind;
import org.plant4j.context.Term.Role;
import org.plant4j.context.TermMatcher.Match;

/** The words of a sentence, the terms among them, and what these mean for the other words. */
final class Sentence {

    /** The function words of all languages: none is a mention in another language. */
    private static final Set<String> FUNCTION_WORDS = ofAllLanguages(Language::functionWords);

    private static final Set<String> GENERIC_WORDS = ofAllLanguages(Language::genericWords);
    private static final Set<String> UNITS = ofAllLanguages(Language::units);

    private static Set<String> ofAllLanguages(Function<Language, Set<String>> words) {
        return Language.ALL.stream()
                .flatMap(language -> words.apply(language).stream())
                .collect(Collectors.toUnmodifiableSet());
    }

    /** What a word does to the clauses on its sides: separates them, or, as a verb or colon, also links them. */
    private enum Border {
        NONE,
        LINK,
        END
    }

    private final List<Word> words;
    private final List<Match> matches;
    private final Scopes scopes;
    private final Kind[] kinds;
    private final boolean[] triggers;
    private final Border[] borders;

    Sentence(String text, Span span, TermMatcher matcher) {
        words = Word.split(text, span.start(), span.end());
        matches = matcher.find(words);
        scopes = new Scopes(words, matches);
        kinds = new Kind[words.size()];
        borders = new Border[words.size()];
        for (int w = 0; w < borders.length; w++) {
            kinds[w] = kind(words.get(w));
            borders[w] = border(words.get(w), text);
        }
        triggers = new boolean[words.size()];
        for (Match match : matches) {
            if (match.term().trait().isPresent()) {
                Arrays.fill(triggers, match.start(), match.end(), true);
            }
            if (match.term().role() != Role.PSEUDO) {
                Border border = match.term().role() == Role.VERB ? Border.LINK : Border.END;
                Arrays.fill(borders, match.start(), match.end(), border);
            }
        }
    }

    static boolean hasMeaning(Word word) {
        return !word.isPunctuation() && !FUNCTION_WORDS.contains(word.form());
    }

    private static Kind kind(Word word) {
        if (!hasMeaning(word)) {
            return Kind.FUNCTION;
        }
        if (word.isNumber()) {
            return Kind.NUMBER;
        }
        if (UNITS.contains(word.form())) {
            return Kind.UNIT;
        }
        return GENERIC_WORDS.contains(word.form()) ? Kind.GENERIC : Kind.SPECIFIC;
    }

    private static Border border(Word word, String text) {
        if (word.form().equals(":")) {
            return Border.LINK;
        }
        return separates(word, text) ? Border.END : Border.NONE;
    }

    /** A hyphen, slash or full stop inside a word, such as "X-ray", does not separate clauses. */
    private static boolean separates(Word word, String text) {
        if (!word.isPunctuation()) {
            return false;
        }
        boolean spaceBefore = word.span().start() == 0
                || Character.isWhitespace(text.charAt(word.span().start() - 1));
        return spaceBefore || !"-/.'’%°".contains(word.form());
    }

    /** The traits that terms of the sentence give to a mention; none if the span has no word that can be mentioned. */
    Optional<Set<Trait>> traits(Span mention) {
        int first = words.size();
        int last = -1;
        for (int w = 0; w < words.size(); w++) {
            if (isMeaningful(w) && !triggers[w] && words.get(w).span().overlaps(mention)) {
                first = Math.min(first, w);
                last = w;
            }
        }
        if (last < 0) {
            return Optional.empty();
        }
        Set<Trait> traits = EnumSet.noneOf(Trait.class);
        for (Match match : matches) {
            if (scopes.cover(match, first, last)) {
                match.term().trait().ifPresent(traits::add);
            }
        }
        return Optional.of(traits);
    }

    /**
     * Adds each word with a meaning, and whether all its mentions are negated or about relatives.
     *
     * @param heading whether the heading of the section contradicts all of them
     */
    void addContradictedWords(boolean heading, Map<String, Boolean> contradicted) {
        for (int w = 0; w < words.size(); w++) {
            if (kinds[w].hasMeaning() && !triggers[w]) {
                contradicted.merge(words.get(w).form(), heading || isContradicted(w), Boolean::logicalAnd);
            }
        }
    }

    private boolean isMeaningful(int word) {
        return kinds[word] != Kind.FUNCTION;
    }

    private boolean isContradicted(int word) {
        return matches.stream()
                .anyMatch(match ->
                        match.term().trait().filter(Trait::contradicts).isPresent() && scopes.cover(match, word, word));
    }

    /**
     * The clause around a span; empty if the word at the span separates clauses. A single word after a verb or a colon
     * belongs to the clause before: "losartan was uptitrated", "acute tubular necrosis: supportive". So do generic words
     * alone, also after a comma: "27 pack-year history, quit in 2019".
     */
    Clause clause(Span at) {
        int position = 0;
        while (position < words.size() && words.get(position).span().end() <= at.start()) {
            position++;
        }
        int start = clauseStart(position);
        int end = position;
        while (end < words.size() && borders[end] == Border.NONE) {
            end++;
        }
        if (start < end && start > 0 && belongsToClauseBefore(start, end)) {
            int before = clauseStart(start - 1);
            start = isHeading(before, start) ? start : before;
        }
        return new Clause(
                IntStream.range(start, end).mapToObj(w -> words.get(w).span()).toList(),
                List.of(kinds).subList(start, end));
    }

    private boolean belongsToClauseBefore(int start, int end) {
        boolean generic = IntStream.range(start, end).noneMatch(w -> kinds[w] == Kind.SPECIFIC);
        boolean linked = borders[start - 1] == Border.LINK;
        return (linked && countMeaningful(start, end) == 1)
                || (generic && (linked || words.get(start - 1).form().equals(",")));
    }

    /** At most two words with a meaning before a colon, such as "Discharge diagnosis:". */
    private boolean isHeading(int start, int end) {
        return words.get(end - 1).form().equals(":") && countMeaningful(start, end) <= 2;
    }

    private int clauseStart(int position) {
        int start = position;
        while (start > 0 && borders[start - 1] == Border.NONE) {
            start--;
        }
        return start;
    }

    private int countMeaningful(int start, int end) {
        int count = 0;
        for (int w = start; w < end; w++) {
            count += kinds[w].hasMeaning() ? 1 : 0;
        }
        return count;
    }
}
