package org.plant4j.model.matching;

import java.text.Normalizer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.plant4j.text.Vocabulary;

/**
 * Groups the tokens of a vocabulary that differ by accents or by an ending of number or gender, such as metastásico and
 * metastásicas, and finds stems that are similar to each other, such as pulmon and pulmonar.
 */
final class LooseStems {

    private static final Pattern ACCENTS = Pattern.compile("\\p{M}+");
    private static final int PREFIX = 4; // letters that similar stems have in common, at least
    private static final double LEAST_SIMILARITY = 0.75;

    /** A stem and how similar it is, below 1. */
    record Neighbour(int stem, float similarity) {}

    private final int[] byToken;
    private final List<String> texts;
    private final List<List<Neighbour>> neighbours;

    LooseStems(int[] byToken, List<String> texts) {
        this.byToken = byToken;
        this.texts = List.copyOf(texts);
        this.neighbours = neighbours(texts);
    }

    static LooseStems of(Vocabulary vocabulary) {
        Map<String, Integer> ids = new HashMap<>();
        List<String> texts = new ArrayList<>();
        int[] byToken = new int[vocabulary.size()];
        Arrays.fill(byToken, DescriptionIndex.UNKNOWN);
        for (int token = Vocabulary.FIRST_TOKEN; token < byToken.length; token++) {
            String stem = stem(vocabulary.token(token));
            byToken[token] = ids.computeIfAbsent(stem, next -> {
                texts.add(next);
                return texts.size() - 1;
            });
        }
        return new LooseStems(byToken, texts);
    }

    /** A word without accents, without (e)s, and then without a last a, e, i or o, if enough is left. */
    static String stem(String word) {
        String stem =
                ACCENTS.matcher(Normalizer.normalize(word, Normalizer.Form.NFD)).replaceAll("");
        if (stem.length() > 4 && stem.endsWith("es")) {
            stem = stem.substring(0, stem.length() - 2);
        } else if (stem.length() > 3 && stem.endsWith("s")) {
            stem = stem.substring(0, stem.length() - 1);
        }
        if (stem.isEmpty()) {
            return word; // of accents alone
        }
        boolean vowel = "aeio".indexOf(stem.charAt(stem.length() - 1)) >= 0;
        return vowel && stem.length() > 4 ? stem.substring(0, stem.length() - 1) : stem;
    }

    private static List<List<Neighbour>> neighbours(List<String> texts) {
        Map<String, List<Integer>> byPrefix = new TreeMap<>();
        for (int stem = 0; stem < texts.size(); stem++) {
            if (texts.get(stem).length() >= PREFIX) {
                byPrefix.computeIfAbsent(texts.get(stem).substring(0, PREFIX), key -> new ArrayList<>())
                        .add(stem);
            }
        }
        List<List<Neighbour>> neighbours = new ArrayList<>();
        for (int stem = 0; stem < texts.size(); stem++) {
            String text = texts.get(stem);
            List<Neighbour> found = new ArrayList<>();
            String prefix = text.substring(0, Math.min(PREFIX, text.length()));
            for (int other : byPrefix.getOrDefault(prefix, List.of())) { // none of a short stem
                double similarity = similarity(text, texts.get(other));
                if (other != stem && similarity >= LEAST_SIMILARITY) {
                    found.add(new Neighbour(other, (float) similarity));
                }
            }
            neighbours.add(List.copyOf(found));
        }
        return neighbours;
    }

    /** The share of the letters of two words that is their common prefix. */
    static double similarity(String a, String b) {
        int common = 0;
        while (common < Math.min(a.length(), b.length()) && a.charAt(common) == b.charAt(common)) {
            common++;
        }
        return 2.0 * common / (a.length() + b.length());
    }

    int size() {
        return texts.size();
    }

    int[] byToken() {
        return byToken;
    }

    List<String> texts() {
        return texts;
    }

    String text(int stem) {
        return texts.get(stem);
    }

    List<Neighbour> neighbours(int stem) {
        return neighbours.get(stem);
    }

    /** The stems of tokens; {@link DescriptionIndex#UNKNOWN} for padding and unknown tokens. */
    int[] of(int[] tokens) {
        return Arrays.stream(tokens).map(token -> byToken[token]).toArray();
    }
}
