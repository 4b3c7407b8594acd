package org.plant4j.translation;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;

/**
 * Learns a {@link Lexicon} from documents and their English translations, and from phrases of the documents that are marked for
 * an English name. Trains on several selections of the documents.
 */
public final class LexiconTrainer {

    private static final int ITERATIONS = 6;
    private static final double LEAST_SCORE = 0.055;
    private static final int MAX_TRANSLATIONS = 4; // of a word
    private static final double PRIOR = 2; // names in half of which a word is expressed, besides those of training

    /**
     * What is known from a document.
     *
     * @param sentences in English with those of the document
     * @param names in English with phrases of the document that mean them
     */
    public record Source(List<TextPair> sentences, List<TextPair> names) {

        public Source {
            sentences = List.copyOf(sentences);
            names = List.copyOf(names);
        }
    }

    private final List<TextPair> pairs = new ArrayList<>(); // the sentences and names of all documents
    private final List<Integer> documentOf = new ArrayList<>(); // by pair
    private final Set<Integer> names = new HashSet<>(); // pairs that are names
    private final IbmModel1Trainer forward;
    private final IbmModel1Trainer backward;
    private final Cognates cognates;

    /**
     * @param sources by document
     * @param words of the language of the documents, of which some are cognates
     */
    public LexiconTrainer(List<Source> sources, Collection<String> words) {
        for (int document = 0; document < sources.size(); document++) {
            for (TextPair pair : sources.get(document).sentences()) {
                add(pair, document);
            }
            for (TextPair pair : sources.get(document).names()) {
                names.add(pairs.size());
                add(pair, document);
            }
        }
        forward = new IbmModel1Trainer(pairs);
        backward = new IbmModel1Trainer(pairs.stream().map(TextPair::reversed).toList());
        cognates = new Cognates(words);
    }

    private void add(TextPair pair, int document) {
        pairs.add(pair);
        documentOf.add(document);
    }

    /** Trains on some of the documents. A name and a phrase that are paired several times count once. */
    public Lexicon train(IntPredicate documents) {
        Set<TextPair> distinct = new LinkedHashSet<>();
        boolean[] selected = new boolean[pairs.size()];
        for (int pair = 0; pair < selected.length; pair++) {
            selected[pair] =
                    documents.test(documentOf.get(pair)) && (!names.contains(pair) || distinct.add(pairs.get(pair)));
        }
        IbmModel1 forwardModel = forward.train(pair -> selected[pair], ITERATIONS);
        IbmModel1 backwardModel = backward.train(pair -> selected[pair], ITERATIONS);
        Map<String, List<Lexicon.Translation>> translations = new HashMap<>();
        for (int pair = 0; pair < selected.length; pair++) {
            if (selected[pair]) {
                pairs.get(pair)
                        .source()
                        .forEach(word ->
                                translations.computeIfAbsent(word, first -> best(first, forwardModel, backwardModel)));
            }
        }
        return new Lexicon(translations, expressed(distinct, forwardModel), cognates);
    }

    /** The translations that are probable in both directions, best first. */
    private static List<Lexicon.Translation> best(String word, IbmModel1 forward, IbmModel1 backward) {
        return forward.of(word).entrySet().stream()
                .map(target -> new Lexicon.Translation(
                        target.getKey(), Math.sqrt(target.getValue() * backward.probability(target.getKey(), word))))
                .filter(translation -> translation.score() >= LEAST_SCORE)
                .sorted(Comparator.comparingDouble(Lexicon.Translation::score)
                        .reversed()
                        .thenComparing(Lexicon.Translation::word))
                .limit(MAX_TRANSLATIONS)
                .toList();
    }

    /** The share of the names with a word in which a word of the phrase is its translation. */
    private static Map<String, Double> expressed(Collection<TextPair> names, IbmModel1 forward) {
        Map<String, Double> counts = new HashMap<>();
        Map<String, Double> sums = new HashMap<>();
        for (TextPair pair : names) {
            Map<String, Double> found = new HashMap<>();
            for (String target : pair.target()) {
                double[] alignment = forward.alignment(pair.source(), target);
                for (int i = 0; i < pair.source().size(); i++) {
                    found.merge(pair.source().get(i), alignment[i], Double::sum);
                }
            }
            for (String word : new HashSet<>(pair.source())) {
                counts.merge(word, 1.0, Double::sum);
                sums.merge(word, Math.min(1, found.getOrDefault(word, 0.0)), Double::sum);
            }
        }
        Map<String, Double> expressed = new HashMap<>();
        counts.forEach(
                (word, count) -> expressed.put(word, (sums.getOrDefault(word, 0.0) + PRIOR / 2) / (count + PRIOR)));
        return expressed;
    }
}
