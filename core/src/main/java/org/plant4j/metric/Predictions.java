package org.plant4j.metric;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.plant4j.MetricNames;
import org.plant4j.Thresholds;
import org.plant4j.UserError;
import org.plant4j.corpus.file.StrictGzipInputStream;
import org.plant4j.statistics.Ratio;
import org.plant4j.support.Arguments;
import org.plant4j.support.AtomicFile;
import org.plant4j.support.StrictJson;

/**
 * The stored predictions of a run, one document per line of {@code predictions.jsonl.gz}, so that runs can be compared
 * without loading their models. Only the top codes are listed, but the ranks of all gold codes are stored: ranking metrics
 * are exact for every k.
 */
public record Predictions(List<ScoredDocument> documents) {

    /**
     * One document.
     *
     * @param goldRanks the 1-based rank of each gold code; 0 for codes outside the model's label space
     * @param predicted the codes that score at least the threshold
     * @param topCodes the codes with the highest scores, best first
     * @param scores the scores of the top codes
     */
    public record ScoredDocument(
            String id,
            List<String> gold,
            List<Integer> goldRanks,
            List<String> predicted,
            List<String> topCodes,
            List<Float> scores) {

        public ScoredDocument {
            gold = List.copyOf(gold);
            goldRanks = List.copyOf(goldRanks);
            predicted = List.copyOf(predicted);
            topCodes = List.copyOf(topCodes);
            scores = List.copyOf(scores);
            Arguments.check(goldRanks.size() == gold.size(), "gold ranks", goldRanks.size(), "" + gold.size());
            Arguments.check(scores.size() == topCodes.size(), "scores", scores.size(), "" + topCodes.size());
        }

        private ScoredDocument restrictedTo(Predicate<String> keep) {
            int[] goldKept = IntStream.range(0, gold.size())
                    .filter(i -> keep.test(gold.get(i)))
                    .toArray();
            int[] topKept = IntStream.range(0, topCodes.size())
                    .filter(i -> keep.test(topCodes.get(i)))
                    .toArray();
            return new ScoredDocument(
                    id,
                    IntStream.of(goldKept).mapToObj(gold::get).toList(),
                    IntStream.of(goldKept).mapToObj(goldRanks::get).toList(),
                    predicted.stream().filter(keep).toList(),
                    IntStream.of(topKept).mapToObj(topCodes::get).toList(),
                    IntStream.of(topKept).mapToObj(scores::get).toList());
        }

        private ScoredDocument excluding(Set<String> codes) {
            int[] removedRanks = IntStream.concat(
                            IntStream.range(0, topCodes.size())
                                    .filter(i -> codes.contains(topCodes.get(i)))
                                    .map(i -> i + 1),
                            IntStream.range(0, gold.size())
                                    .filter(i -> codes.contains(gold.get(i)))
                                    .map(goldRanks::get))
                    .filter(rank -> rank > 0)
                    .distinct()
                    .toArray();
            ScoredDocument kept = restrictedTo(code -> !codes.contains(code));
            return new ScoredDocument(
                    id,
                    kept.gold,
                    kept.goldRanks.stream()
                            .map(rank -> rank
                                    - (int) IntStream.of(removedRanks)
                                            .filter(r -> r < rank)
                                            .count())
                            .toList(),
                    kept.predicted,
                    kept.topCodes,
                    kept.scores);
        }

        GoldRanks ranks() {
            return GoldRanks.of(
                    goldRanks.stream().mapToInt(r -> r).filter(r -> r > 0).toArray(), gold.size());
        }
    }

    private static final int BLOCK = 1024; // documents in memory while writing
    private static final ObjectMapper JSON = StrictJson.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .build();

    public Predictions {
        documents = List.copyOf(documents);
    }

    /**
     * Predictions from scores. {@code code} maps every label id to its code, including gold labels outside the model's
     * label space; {@code topCount} is the number of codes to list per document.
     */
    public static Predictions of(
            List<String> ids,
            IntFunction<String> code,
            Scores scores,
            LabelSet[] gold,
            Thresholds thresholds,
            int topCount) {
        checkSizes(ids, scores, gold);
        return new Predictions(IntStream.range(0, gold.length)
                .parallel()
                .mapToObj(d -> scored(ids.get(d), code, scores.checkedRow(d), gold[d], thresholds, topCount))
                .toList());
    }

    private static void checkSizes(List<String> ids, Scores scores, LabelSet[] gold) {
        Evaluator.checkSizes(scores, gold);
        Arguments.check(ids.size() == gold.length, "ids", ids.size(), "" + gold.length);
    }

    private static ScoredDocument scored(
            String id, IntFunction<String> code, float[] scores, LabelSet gold, Thresholds thresholds, int topCount) {
        GoldRanks ranks = GoldRanks.of(scores, gold);
        int[] top = TopK.indices(scores, topCount);
        return new ScoredDocument(
                id,
                IntStream.range(0, ranks.goldCount())
                        .mapToObj(i -> code.apply(ranks.label(i)))
                        .toList(),
                IntStream.range(0, ranks.goldCount())
                        .mapToObj(i -> i < ranks.rankedCount() ? ranks.rank(i) : 0)
                        .toList(),
                LabelSet.predicted(scores, thresholds).stream().mapToObj(code).toList(),
                IntStream.of(top).mapToObj(code).toList(),
                IntStream.of(top).mapToObj(label -> scores[label]).toList());
    }

    /** Only the codes that pass the filter; ranks and scores remain those among all codes. */
    public Predictions restrictedTo(Predicate<String> keep) {
        return new Predictions(
                documents.stream().map(document -> document.restrictedTo(keep)).toList());
    }

    /**
     * Removes codes from gold codes, predictions and rankings; the codes ranked behind them move up. A gold code that ranks
     * below all listed codes moves up by the number of removed codes known to rank before it.
     */
    public Predictions excluding(Set<String> codes) {
        return new Predictions(
                documents.stream().map(document -> document.excluding(codes)).toList());
    }

    /** The metrics that can be computed from the stored ranks and predictions, by name. */
    public Map<String, Double> metrics(List<Integer> cutoffs) {
        Map<String, Double> metrics = new LinkedHashMap<>();
        ratios(cutoffs).forEach(ratio -> metrics.put(ratio.name(), ratio.value()));
        double predicted = documents.stream()
                .mapToInt(document -> document.predicted.size())
                .sum();
        metrics.put(MetricNames.PREDICTED_PER_DOCUMENT, documents.isEmpty() ? 0 : predicted / documents.size());
        metrics.put(MetricNames.PREDICTED_LABELS, (double) documents.stream()
                .flatMap(document -> document.predicted.stream())
                .distinct()
                .count());
        return metrics;
    }

    /** {@link MetricNames#MACRO_F1_GOLD}: the mean F1 per label, over the gold labels. */
    public double macroF1OfGoldLabels() {
        Map<String, int[]> counts = new HashMap<>(); // hits, predicted, gold
        for (ScoredDocument document : documents) {
            for (String code : document.gold) {
                counts.computeIfAbsent(code, unknown -> new int[3])[2]++;
            }
        }
        for (ScoredDocument document : documents) {
            for (String code : document.predicted) {
                int[] count = counts.getOrDefault(code, new int[3]);
                count[1]++;
                count[0] += document.gold.contains(code) ? 1 : 0;
            }
        }
        return counts.values().stream()
                .mapToDouble(count -> 2.0 * count[0] / (count[1] + count[2]))
                .average()
                .orElse(Double.NaN);
    }

    /** How many different sets the k best codes of the documents form; 1 if all documents have the same. */
    public long distinctTopSets(int k) {
        return documents.stream()
                .map(document -> Set.copyOf(document.topCodes.subList(0, Math.min(k, document.topCodes.size()))))
                .distinct()
                .count();
    }

    /** How many different orders the k best codes of the documents have. */
    public long distinctTopOrders(int k) {
        return documents.stream()
                .map(document -> document.topCodes.subList(0, Math.min(k, document.topCodes.size())))
                .distinct()
                .count();
    }

    /** The metrics that are ratios of sums over documents. */
    List<Ratio> ratios(List<Integer> cutoffs) {
        Map<String, Integer> labelIds = new HashMap<>();
        GoldRanks[] ranks = documents.stream().map(ScoredDocument::ranks).toArray(GoldRanks[]::new);
        List<Ratio> ratios = new ArrayList<>();
        RankingMetric.standard(cutoffs).forEach(metric -> ratios.add(metric.mean(ranks)));
        ratios.addAll(SetMetrics.of(predictedSets(labelIds), goldSets(labelIds)));
        return ratios;
    }

    /** The average precision of each document that has gold codes, ordered by document id. */
    public double[] averagePrecision() {
        AveragePrecision metric = new AveragePrecision();
        return documents.stream()
                .filter(document -> !document.gold().isEmpty())
                .sorted(Comparator.comparing(ScoredDocument::id))
                .mapToDouble(document -> metric.compute(document.ranks()))
                .toArray();
    }

    /** The gold codes of each document as label ids; codes missing from {@code labelIds} are added. */
    LabelSet[] goldSets(Map<String, Integer> labelIds) {
        return sets(ScoredDocument::gold, labelIds);
    }

    /** The predicted codes of each document as label ids; codes missing from {@code labelIds} are added. */
    LabelSet[] predictedSets(Map<String, Integer> labelIds) {
        return sets(ScoredDocument::predicted, labelIds);
    }

    private LabelSet[] sets(Function<ScoredDocument, List<String>> codes, Map<String, Integer> labelIds) {
        return documents.stream()
                .map(document -> LabelSet.of(codes.apply(document).stream()
                        .map(code -> labelIds.computeIfAbsent(code, c -> labelIds.size()))
                        .toList()))
                .toArray(LabelSet[]::new);
    }

    Map<String, ScoredDocument> byId() {
        Map<String, ScoredDocument> byId = new HashMap<>();
        documents.forEach(document -> byId.put(document.id(), document));
        return byId;
    }

    /** Writes gzipped JSON lines atomically. */
    public void write(Path file) {
        write(file, documents.size(), documents::get);
    }

    /** Writes the predictions of {@link #of}, a block of documents at a time, so that memory does not grow with their number. */
    public static void write(
            Path file,
            List<String> ids,
            IntFunction<String> code,
            Scores scores,
            LabelSet[] gold,
            Thresholds thresholds,
            int topCount) {
        checkSizes(ids, scores, gold);
        write(file, gold.length, d -> scored(ids.get(d), code, scores.checkedRow(d), gold[d], thresholds, topCount));
    }

    private static void write(Path file, int count, IntFunction<ScoredDocument> document) {
        ObjectWriter json = JSON.writerFor(ScoredDocument.class);
        AtomicFile.write(file, draft -> {
            try (Writer out = new OutputStreamWriter(
                    new GZIPOutputStream(Files.newOutputStream(draft), 1 << 16), StandardCharsets.UTF_8)) {
                for (int start = 0; start < count; start += BLOCK) {
                    List<String> lines = IntStream.range(start, Math.min(count, start + BLOCK))
                            .parallel()
                            .mapToObj(d -> toLine(json, document.apply(d)))
                            .toList();
                    for (String line : lines) {
                        out.write(line);
                    }
                }
            }
        });
    }

    private static String toLine(ObjectWriter json, ScoredDocument document) {
        try {
            return json.writeValueAsString(document) + '\n';
        } catch (JacksonException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static Predictions read(Path file) {
        ObjectReader json = JSON.readerFor(ScoredDocument.class);
        List<ScoredDocument> documents = new ArrayList<>();
        try (BufferedReader in = new BufferedReader(new InputStreamReader(
                new StrictGzipInputStream(Files.newInputStream(file), 1 << 16), StandardCharsets.UTF_8))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                documents.add(json.readValue(line));
            }
        } catch (JacksonException e) {
            throw new UserError(
                    "This line is not a valid prediction",
                    file + ":" + (documents.size() + 1),
                    "run the experiment again with --force",
                    e);
        } catch (NoSuchFileException e) {
            throw new UserError(
                    "There are no stored predictions",
                    file.toString(),
                    "use a run directory that 'plant run' has evaluated on this split; a packed model has none",
                    e);
        } catch (IOException e) {
            throw new UserError(
                    "Cannot read the predictions", file.toString(), "run the experiment again with --force", e);
        }
        return new Predictions(documents);
    }
}
