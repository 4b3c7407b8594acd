package org.plant4j.domain;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.plant4j.Span;
import org.plant4j.text.WordTokenizer;

/** Texts to measure a guard with: short texts in several languages, source code, and distorted documents. */
public final class ForeignTexts {

    private static final Set<String> NO_LANGUAGES = Set.of("source code", "lorem ipsum");

    private static final int ALPHABET = 26;

    private ForeignTexts() {}

    /** The built-in texts by kind: each language by its English name, source code, and lorem ipsum. */
    public static Map<String, List<String>> builtIn() {
        try (InputStream in = Objects.requireNonNull(ForeignTexts.class.getResourceAsStream("foreign-texts.json"))) {
            return new JsonMapper().readValue(in, new TypeReference<LinkedHashMap<String, List<String>>>() {});
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The kinds of built-in texts that are languages. */
    public static List<String> languages() {
        return builtIn().keySet().stream()
                .filter(kind -> !NO_LANGUAGES.contains(kind))
                .toList();
    }

    /** The words of each text in random order. */
    public static List<String> shuffledWords(List<String> texts, long seed) {
        Random random = new Random(seed);
        return texts.stream()
                .map(text -> {
                    List<String> words =
                            new ArrayList<>(Arrays.asList(text.strip().split("\\s+")));
                    Collections.shuffle(words, random);
                    return String.join(" ", words);
                })
                .toList();
    }

    /** Texts with as many words as the given ones, each of 2 to 9 random letters. */
    public static List<String> randomLetters(List<String> texts, long seed) {
        Random random = new Random(seed);
        return texts.stream()
                .map(text -> IntStream.range(0, text.strip().split("\\s+").length)
                        .mapToObj(i -> randomWord(random))
                        .collect(Collectors.joining(" ")))
                .toList();
    }

    private static String randomWord(Random random) {
        StringBuilder word = new StringBuilder();
        for (int letters = 2 + random.nextInt(8); letters > 0; letters--) {
            word.append((char) ('a' + random.nextInt(ALPHABET)));
        }
        return word.toString();
    }

    /** A random passage of some words from each text that has as many. */
    public static List<String> passages(List<String> texts, int words, long seed) {
        Random random = new Random(seed);
        List<String> passages = new ArrayList<>();
        for (String text : texts) {
            List<Span> spans = new WordTokenizer().tokenize(text).spans();
            if (spans.size() >= words) {
                int first = random.nextInt(spans.size() - words + 1);
                passages.add(text.substring(
                        spans.get(first).start(), spans.get(first + words - 1).end()));
            }
        }
        return passages;
    }
}
