package org.plant4j.cli.run;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.plant4j.Coder;
import org.plant4j.Progress;
import org.plant4j.RankedCode;
import org.plant4j.domain.ForeignTexts;
import org.plant4j.metric.Auroc;

/**
 * How well a guard separates documents of its corpus from foreign texts. The model's own scores serve as baseline: they
 * should be lower for foreign texts.
 *
 * @param corpus texts of the domain: dev and test documents, and short passages of dev documents
 * @param foreign foreign texts by kind
 * @param closestLanguage the language of the corpus, by its words and not by the guard; it does not count among the
 *     other languages
 */
record DomainMeasurement(String run, List<Kind> corpus, List<Kind> foreign, String closestLanguage) {

    /** The pooled kind of all built-in languages but the closest. */
    static final String OTHER_LANGUAGES = "other languages";

    private static final List<Integer> PASSAGE_WORDS = List.of(4, 8, 64);
    private static final int SHUFFLED_WORDS = 64;
    private static final long SEED = 1;

    /** Labels beyond these are not counted as predicted. */
    private static final int LABELS = 50;

    private static final int BATCH = 64;

    private static final Pattern NO_LETTER = Pattern.compile("\\P{L}+");

    /**
     * Texts of one kind.
     *
     * @param rejected fraction of the texts that the guard rejects: false alarms for texts of the domain
     * @param auroc area under the ROC curve against dev documents by detector; empty for texts of the domain
     * @param highestScore mean of the texts' highest scores
     * @param predictedCodes mean number of codes that reach their threshold, before the guard
     */
    record Kind(
            String name,
            int texts,
            double rejected,
            Map<String, Double> auroc,
            double highestScore,
            double predictedCodes) {}

    /** Guard and model on one text. */
    private record Scores(double guard, double highest, double predicted) {}

    private static final Map<String, ToDoubleFunction<Scores>> DETECTORS = detectors();

    private static Map<String, ToDoubleFunction<Scores>> detectors() {
        Map<String, ToDoubleFunction<Scores>> detectors = new LinkedHashMap<>();
        detectors.put("guard", Scores::guard);
        detectors.put("highest score", Scores::highest);
        detectors.put("predicted codes", Scores::predicted);
        return detectors;
    }

    /** The splits of the corpus by name, dev first, and further foreign texts by name. */
    static DomainMeasurement of(
            String run,
            Coder coder,
            Map<String, List<String>> splits,
            Map<String, List<String>> others,
            Progress progress) {
        Map<String, List<String>> corpus = corpus(splits);
        Map<String, List<String>> foreign = foreign(splits.values().iterator().next());
        foreign.putAll(others);
        Map<String, List<Scores>> scores = new LinkedHashMap<>();
        try (Progress.Task task = progress.start("domain", corpus.size() + foreign.size())) {
            corpus.forEach((name, texts) -> scores.put(name, scores(coder, texts, task)));
            foreign.forEach((name, texts) -> scores.put(name, scores(coder, texts, task)));
        }
        List<Scores> dev = scores.getOrDefault(splits.keySet().iterator().next(), List.of());
        String closest = languageOf(splits.values().iterator().next());
        List<Scores> otherLanguages = ForeignTexts.languages().stream()
                .filter(language -> !language.equals(closest))
                .flatMap(language -> scores.getOrDefault(language, List.of()).stream())
                .toList();
        List<Kind> foreignKinds = new ArrayList<>(List.of(kind(OTHER_LANGUAGES, otherLanguages, dev)));
        foreign.keySet().forEach(name -> foreignKinds.add(kind(name, scores.getOrDefault(name, List.of()), dev)));
        return new DomainMeasurement(
                run,
                corpus.keySet().stream()
                        .map(name -> kind(name, scores.getOrDefault(name, List.of()), List.of()))
                        .toList(),
                foreignKinds,
                closest);
    }

    /** The built-in language with the largest fraction of words that occur in the documents. */
    static String languageOf(List<String> documents) {
        Set<String> known = words(documents);
        Map<String, List<String>> texts = ForeignTexts.builtIn();
        return ForeignTexts.languages().stream()
                .max(Comparator.comparingDouble(language -> {
                    Set<String> words = words(texts.getOrDefault(language, List.of()));
                    return (double) words.stream().filter(known::contains).count() / words.size();
                }))
                .orElseThrow();
    }

    private static Set<String> words(List<String> texts) {
        return texts.stream()
                .flatMap(text -> NO_LETTER.splitAsStream(text.toLowerCase(Locale.ROOT)))
                .filter(word -> !word.isEmpty())
                .collect(Collectors.toSet());
    }

    /** The splits, and short passages of the first. */
    private static Map<String, List<String>> corpus(Map<String, List<String>> splits) {
        Map<String, List<String>> corpus = new LinkedHashMap<>(splits);
        String first = splits.keySet().iterator().next();
        for (int words : PASSAGE_WORDS) {
            corpus.put(
                    first + " passages of " + words + " words",
                    ForeignTexts.passages(splits.getOrDefault(first, List.of()), words, SEED));
        }
        corpus.values().removeIf(List::isEmpty);
        return corpus;
    }

    /** The built-in texts, and distorted documents. */
    private static Map<String, List<String>> foreign(List<String> documents) {
        Map<String, List<String>> foreign = new LinkedHashMap<>(ForeignTexts.builtIn());
        foreign.put("random letters", ForeignTexts.randomLetters(documents, SEED));
        foreign.put("shuffled words", ForeignTexts.shuffledWords(documents, SEED));
        foreign.put(
                "shuffled passages of " + SHUFFLED_WORDS + " words",
                ForeignTexts.shuffledWords(ForeignTexts.passages(documents, SHUFFLED_WORDS, SEED), SEED));
        return foreign;
    }

    private static List<Scores> scores(Coder coder, List<String> texts, Progress.Task task) {
        List<Scores> scores = new ArrayList<>(texts.size());
        for (int start = 0; start < texts.size(); start += BATCH) {
            List<String> batch = texts.subList(start, Math.min(texts.size(), start + BATCH));
            List<List<RankedCode>> ranked = coder.rank(batch, LABELS);
            for (int i = 0; i < batch.size(); i++) {
                List<RankedCode> codes = ranked.get(i);
                scores.add(new Scores(
                        coder.domainScore(batch.get(i)).orElseThrow(),
                        codes.get(0).score(),
                        codes.stream()
                                .filter(code -> code.score() >= coder.threshold(code.code()))
                                .count()));
            }
        }
        task.advance(1);
        return scores;
    }

    private static double rejected(List<Scores> scores) {
        return scores.stream().mapToDouble(s -> s.guard() < 0 ? 1 : 0).average().orElse(Double.NaN);
    }

    private static Kind kind(String name, List<Scores> scores, List<Scores> positives) {
        Map<String, Double> auroc = new LinkedHashMap<>();
        if (!positives.isEmpty()) {
            DETECTORS.forEach((detector, score) ->
                    auroc.put(detector, Auroc.of(values(positives, score), values(scores, score))));
        }
        return new Kind(
                name,
                scores.size(),
                rejected(scores),
                auroc,
                Arrays.stream(values(scores, Scores::highest)).average().orElse(Double.NaN),
                Arrays.stream(values(scores, Scores::predicted)).average().orElse(Double.NaN));
    }

    private static double[] values(List<Scores> scores, ToDoubleFunction<Scores> of) {
        return scores.stream().mapToDouble(of).toArray();
    }
}
