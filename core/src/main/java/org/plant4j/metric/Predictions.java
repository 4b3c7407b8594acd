package org.plant4j.metric;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.plant4j.support.AtomicFile;
import org.plant4j.support.UserError;

/**
 * What a run predicted, as it keeps it ({@code predictions.jsonl.gz}, one document a line) so that runs can be compared
 * without their models. The rank of every gold code is there, so each ranking metric is exact at any k although only
 * the best codes are listed.
 */
public record Predictions(List<ScoredDocument> documents) {

    /**
     * One document: its gold codes with their ranks (from 1; 0 for a code the model does not know), the codes above the
     * threshold, and the best codes with their scores, best first.
     */
    public record ScoredDocument(
            String id,
            List<String> gold,
            List<Integer> goldRanks,
            List<String> predicted,
            List<String> best,
            List<Float> scores) {

        public ScoredDocument {
            gold = List.copyOf(gold);
            goldRanks = List.copyOf(goldRanks);
            predicted = List.copyOf(predicted);
            best = List.copyOf(best);
            scores = List.copyOf(scores);
            if (gold.size() != goldRanks.size() || best.size() != scores.size()) {
                throw new IllegalArgumentException("codes: " + gold.size() + " gold, " + goldRanks.size() + " ranks, "
                        + best.size() + " best, " + scores.size() + " scores");
            }
        }

        private ScoredDocument restrictedTo(Predicate<String> wanted) {
            int[] kept = IntStream.range(0, gold.size())
                    .filter(i -> wanted.test(gold.get(i)))
                    .toArray();
            int[] listed = IntStream.range(0, best.size())
                    .filter(i -> wanted.test(best.get(i)))
                    .toArray();
            return new ScoredDocument(
                    id,
                    IntStream.of(kept).mapToObj(gold::get).toList(),
                    IntStream.of(kept).mapToObj(goldRanks::get).toList(),
                    predicted.stream().filter(wanted).toList(),
                    IntStream.of(listed).mapToObj(best::get).toList(),
                    IntStream.of(listed).mapToObj(scores::get).toList());
        }

        private ScoredDocument excluding(Set<String> codes) {
            int[] gone = IntStream.concat(
                            IntStream.range(0, best.size())
                                    .filter(i -> codes.contains(best.get(i)))
                                    .map(i -> i + 1),
                            IntStream.range(0, gold.size())
                                    .filter(i -> codes.contains(gold.get(i)))
                                    .map(goldRanks::get))
                    .filter(rank -> rank > 0)
                    .distinct()
                    .toArray();
            ScoredDocument rest = restrictedTo(code -> !codes.contains(code));
            return new ScoredDocument(
                    id,
                    rest.gold,
                    rest.goldRanks.stream()
                            .map(rank -> rank
                                    - (int) IntStream.of(gone)
                                            .filter(r -> r < rank)
                                            .count())
                            .toList(),
                    rest.predicted,
                    rest.best,
                    rest.scores);
        }

        GoldRanks ranks() {
            return GoldRanks.of(
                    goldRanks.stream().mapToInt(r -> r).filter(r -> r > 0).toArray(), gold.size());
        }
    }

    private static final ObjectMapper JSON = new ObjectMapper();

    public Predictions {
        documents = List.copyOf(documents);
    }

    /** {@code code} names every label id, those of gold codes unseen in training too; {@code best} codes are listed. */
    public static Predictions of(
            List<String> ids,
            IntFunction<String> code,
            float[][] scores,
            LabelSet[] gold,
            Thresholds thresholds,
            int best) {
        Evaluator.check(scores, gold);
        if (ids.size() != scores.length) {
            throw new IllegalArgumentException("documents: " + ids.size() + " ids, " + scores.length + " scored");
        }
        return new Predictions(IntStream.range(0, scores.length)
                .parallel()
                .mapToObj(d -> {
                    GoldRanks ranks = GoldRanks.of(scores[d], gold[d]);
                    int[] top = TopK.indices(scores[d], best);
                    return new ScoredDocument(
                            ids.get(d),
                            IntStream.range(0, ranks.goldCount())
                                    .mapToObj(i -> code.apply(ranks.label(i)))
                                    .toList(),
                            IntStream.range(0, ranks.goldCount())
                                    .mapToObj(i -> i < ranks.rankedCount() ? ranks.rank(i) : 0)
                                    .toList(),
                            thresholds.predict(scores[d]).stream()
                                    .mapToObj(code)
                                    .toList(),
                            IntStream.of(top).mapToObj(code).toList(),
                            IntStream.of(top)
                                    .mapToObj(label -> scores[d][label])
                                    .toList());
                })
                .toList());
    }

    /** The same with other codes taken away; ranks and scores stay those among all codes. */
    public Predictions restrictedTo(Predicate<String> wanted) {
        return new Predictions(documents.stream()
                .map(document -> document.restrictedTo(wanted))
                .toList());
    }

    /**
     * The same as if some codes had never been: gone from gold and predictions, and the ranking closes up behind them. A gold
     * code that ranks below all listed ones moves up by those of them that are known to stand before it.
     */
    public Predictions excluding(Set<String> codes) {
        return new Predictions(
                documents.stream().map(document -> document.excluding(codes)).toList());
    }

    /** The metrics that need no more than is kept, by name: of ranking, and of the predicted codes. */
    public Map<String, Double> metrics(List<Integer> cutoffs) {
        Map<String, Double> metrics = new LinkedHashMap<>();
        Comparison.ratios(documents, cutoffs).forEach(ratio -> metrics.put(ratio.name(), ratio.value()));
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

    /** The documents by their ids. */
    Map<String, ScoredDocument> byId() {
        Map<String, ScoredDocument> byId = new HashMap<>();
        documents.forEach(document -> byId.put(document.id(), document));
        return byId;
    }

    /** Writes gzipped JSON lines, all of them or nothing. */
    public void write(Path file) {
        ObjectWriter json = JSON.writerFor(ScoredDocument.class);
        AtomicFile.write(file, draft -> {
            try (Writer out = new OutputStreamWriter(
                    new GZIPOutputStream(Files.newOutputStream(draft), 1 << 16), StandardCharsets.UTF_8)) {
                for (ScoredDocument document : documents) {
                    out.write(json.writeValueAsString(document));
                    out.write('\n');
                }
            }
        });
    }

    public static Predictions read(Path file) {
        ObjectReader json = JSON.readerFor(ScoredDocument.class);
        List<ScoredDocument> documents = new ArrayList<>();
        try (BufferedReader in = new BufferedReader(new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(file), 1 << 16), StandardCharsets.UTF_8))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                documents.add(json.readValue(line));
            }
        } catch (JacksonException e) {
            throw new UserError(
                    "A line is no prediction",
                    file + ":" + (documents.size() + 1),
                    "run the experiment again, with --force",
                    e);
        } catch (IOException e) {
            throw new UserError(
                    "The predictions cannot be read", file.toString(), "run the experiment again, with --force", e);
        }
        return new Predictions(documents);
    }
}
