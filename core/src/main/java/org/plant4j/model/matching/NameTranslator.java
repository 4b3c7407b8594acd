package org.plant4j.model.matching;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.plant4j.text.Dataset;
import org.plant4j.text.PluralForms;
import org.plant4j.text.TokenEvidence;
import org.plant4j.text.Vocabulary;
import org.plant4j.translation.Lexicon;
import org.plant4j.translation.LexiconTrainer;
import org.plant4j.translation.TextPair;

/**
 * Translates the English names of labels into the language of the documents, with a lexicon that is learned from the English
 * translations of training documents and from their mentions: a phrase that is marked for a label is a translation of its description.
 */
final class NameTranslator {

    private static final int MAX_MENTION = 12; // words; longer evidence is a passage
    private static final int LEAST_COUNT = 2; // of words that may be cognates

    private final LooseStems stems;
    private final List<List<List<String>>> names; // English words, by label
    private final LexiconTrainer trainer;
    private final Map<String, Integer> stemIds = new HashMap<>();

    /**
     * @param names English words of the names of each label, its description first
     * @param sentences of each document with their English translations
     */
    NameTranslator(
            LooseStems stems,
            Vocabulary vocabulary,
            Dataset documents,
            List<List<List<String>>> names,
            List<List<TextPair>> sentences) {
        this.stems = stems;
        this.names = names.stream()
                .map(all -> all.stream().map(NameTranslator::english).toList())
                .toList();
        for (int stem = 0; stem < stems.size(); stem++) {
            stemIds.put(stems.text(stem), stem);
        }
        List<LexiconTrainer.Source> sources = new ArrayList<>();
        for (int document = 0; document < documents.size(); document++) {
            sources.add(new LexiconTrainer.Source(
                    sentences.get(document).stream()
                            .map(pair -> new TextPair(
                                    pair.source().stream()
                                            .map(PluralForms::stem)
                                            .toList(),
                                    pair.target().stream().map(LooseStems::stem).toList()))
                            .toList(),
                    mentions(documents, document)));
        }
        // Words of names belong to the vocabulary too, but no text has them.
        this.trainer = new LexiconTrainer(
                sources,
                IntStream.range(Vocabulary.FIRST_TOKEN, vocabulary.size())
                        .filter(token -> vocabulary.count(token) >= LEAST_COUNT)
                        .mapToObj(token -> LooseStems.stem(vocabulary.token(token)))
                        .toList());
    }

    private static List<String> english(List<String> words) {
        return words.stream().map(PluralForms::stem).distinct().toList();
    }

    /** The mentions of a document with the descriptions of their labels. */
    private List<TextPair> mentions(Dataset documents, int document) {
        int[] words = stems.of(documents.tokens(document));
        List<TextPair> pairs = new ArrayList<>();
        for (TokenEvidence evidence : documents.evidence(document)) {
            List<String> phrase = Arrays.stream(words, evidence.start(), evidence.end())
                    .filter(stem -> stem != DescriptionIndex.UNKNOWN)
                    .mapToObj(stems::text)
                    .toList();
            List<String> description = names.get(evidence.label()).get(0);
            if (phrase.size() <= MAX_MENTION && !phrase.isEmpty() && !description.isEmpty()) {
                pairs.add(new TextPair(description, phrase));
            }
        }
        return pairs;
    }

    /** Translates all names with a lexicon of some of the documents. */
    List<SimilarMentionIndex.Name> translate(IntPredicate documents) {
        Lexicon lexicon = trainer.train(documents);
        List<SimilarMentionIndex.Name> translated = new ArrayList<>();
        for (int label = 0; label < names.size(); label++) {
            int id = label;
            names.get(label).stream()
                    .flatMap(name -> lexicon.translate(name).stream())
                    .map(this::stems)
                    .filter(found -> !found.isEmpty())
                    .distinct()
                    .forEach(found -> translated.add(new SimilarMentionIndex.Name(
                            id, found.stream().mapToInt(stem -> stem).toArray(), found.size())));
        }
        return translated;
    }

    /** The distinct stems of words, ascending. */
    private List<Integer> stems(List<String> words) {
        return words.stream()
                .map(word -> stemIds.getOrDefault(word, DescriptionIndex.UNKNOWN))
                .filter(stem -> stem != DescriptionIndex.UNKNOWN)
                .distinct()
                .sorted()
                .toList();
    }
}
