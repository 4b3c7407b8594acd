package org.plant4j.context;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.plant4j.Trait;
import org.plant4j.context.Term.Role;

/**
 * The terms and some other words of a language, read from a resource of this package.
 *
 * @param genericWords words that mean something only together with others
 * @param units generic words that follow their number
 */
record Language(String name, List<Term> terms, Set<String> functionWords, Set<String> genericWords, Set<String> units) {

    static final List<Language> ALL = List.of(read("english"), read("spanish"));

    private static final int[] NONE = {};
    private static final Map<String, int[]> LANGUAGES_OF_FUNCTION_WORDS = languagesOfFunctionWords();

    Language {
        terms = List.copyOf(terms);
        functionWords = Set.copyOf(functionWords);
        genericWords = Set.copyOf(genericWords);
        units = Set.copyOf(units);
    }

    /** The languages of words by their function words: all that have at least half as many as the one with the most. */
    static List<Language> of(List<Word> words) {
        int[] counts = new int[ALL.size()];
        for (Word word : words) {
            for (int language : LANGUAGES_OF_FUNCTION_WORDS.getOrDefault(word.form(), NONE)) {
                counts[language]++;
            }
        }
        int most = Arrays.stream(counts).max().orElse(0);
        return IntStream.range(0, counts.length)
                .filter(i -> 2 * counts[i] >= most)
                .mapToObj(ALL::get)
                .toList();
    }

    /** The languages, as indices into {@link #ALL}, of each function word: one lookup per word for all languages. */
    private static Map<String, int[]> languagesOfFunctionWords() {
        Map<String, int[]> languages = new HashMap<>();
        for (int i = 0; i < ALL.size(); i++) {
            int[] only = {i};
            ALL.get(i).functionWords().forEach(word -> languages.merge(word, only, Language::concatenate));
        }
        return languages;
    }

    private static int[] concatenate(int[] left, int[] right) {
        return IntStream.concat(IntStream.of(left), IntStream.of(right)).toArray();
    }

    private static Language read(String name) {
        List<Term> terms = new ArrayList<>();
        Map<String, Set<String>> lists =
                Map.of("function", new HashSet<>(), "generic", new HashSet<>(), "unit", new HashSet<>());
        resource(name + ".txt")
                .lines()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .forEach(line -> {
                    int colon = line.indexOf(": ");
                    String role = line.substring(0, colon);
                    phrases(line.substring(colon + 2)).map(Word::forms).forEach(words -> {
                        Set<String> list = lists.get(role);
                        if (list == null) {
                            terms.add(term(words, role));
                        } else {
                            list.addAll(words);
                        }
                    });
                });
        return new Language(
                name,
                terms,
                Objects.requireNonNull(lists.get("function")),
                Objects.requireNonNull(lists.get("generic")),
                Objects.requireNonNull(lists.get("unit")));
    }

    private static Term term(List<String> words, String role) {
        int space = role.indexOf(' ');
        Optional<Trait> trait =
                space < 0 ? Optional.empty() : Optional.of(Trait.valueOf(upper(role.substring(0, space))));
        return new Term(words, Role.valueOf(upper(role.substring(space + 1))), trait);
    }

    private static String upper(String name) {
        return name.toUpperCase(Locale.ROOT);
    }

    private static Stream<String> phrases(String line) {
        return Stream.of(line.split(" \\| ")).flatMap(Language::expand);
    }

    /** Replaces the first pair of braces by each of its alternatives, then the following pairs. */
    private static Stream<String> expand(String phrase) {
        int open = phrase.indexOf('{');
        if (open < 0) {
            return Stream.of(phrase);
        }
        int close = phrase.indexOf('}', open);
        return Stream.of(phrase.substring(open + 1, close).split("\\|", -1))
                .flatMap(choice -> expand(phrase.substring(0, open) + choice + phrase.substring(close + 1)));
    }

    private static String resource(String name) {
        try (InputStream in = Language.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("missing resource " + name);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
