package org.plant4j.inspection;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.plant4j.text.TokenizedText;

/** Counts function words to guess the language of texts. */
final class TextLanguage {

    private static final Map<String, Set<String>> WORDS = Map.of(
            "English", Set.of("the", "and", "of", "was", "with", "to", "is", "for", "were", "had", "that"),
            "Spanish", Set.of("el", "que", "los", "una", "con", "por", "del", "las", "se", "como", "fue"),
            "German", Set.of("der", "die", "und", "mit", "das", "ein", "von", "ist", "eine", "zur", "nicht"),
            "French", Set.of("le", "les", "des", "et", "une", "est", "dans", "pour", "avec", "du", "au"),
            "Italian", Set.of("il", "di", "che", "della", "con", "per", "gli", "nel", "sono", "alla", "delle"),
            "Portuguese", Set.of("não", "com", "uma", "do", "da", "em", "foi", "dos", "os", "ao", "mais"),
            "Dutch", Set.of("het", "een", "van", "met", "niet", "zijn", "voor", "werd", "ook", "bij", "naar"),
            "Finnish", Set.of("ja", "on", "ei", "että", "se", "oli", "sekä", "tai", "ovat", "mutta", "kun"),
            "Swedish", Set.of("och", "att", "det", "som", "med", "för", "till", "inte", "av", "har", "den"));

    private static final double MIN_SHARE = 0.03;

    private final Map<String, Integer> counts = new LinkedHashMap<>();
    private long tokens;

    void add(TokenizedText text) {
        for (int i = 0; i < text.size(); i++) {
            String token = text.tokens().get(i);
            WORDS.forEach((language, words) -> {
                if (words.contains(token)) {
                    counts.merge(language, 1, Integer::sum);
                }
            });
        }
        tokens += text.size();
    }

    /** The language with the most function words, or {@code unknown}. */
    String guess() {
        return counts.entrySet().stream()
                .filter(entry -> entry.getValue() > MIN_SHARE * tokens)
                .max(Map.Entry.comparingByValue())
                .map(Map.Entry::getKey)
                .orElse("unknown");
    }
}
