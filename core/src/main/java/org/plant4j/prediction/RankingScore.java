package org.plant4j.prediction;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.plant4j.Document;
import org.plant4j.RankedCode;
import org.plant4j.UserError;
import org.plant4j.corpus.Corpus;
import org.plant4j.metric.AveragePrecision;
import org.plant4j.metric.GoldRanks;
import org.plant4j.metric.PrecisionAtK;
import org.plant4j.metric.RankingMetric;

/**
 * Metrics of rankings against the gold codes of a corpus.
 *
 * @param documents the number of documents with gold codes
 * @param missing those of them that are not ranked; they count as 0
 * @param extra ranked documents without gold codes; they are ignored
 * @param metrics means over the documents, by name
 */
public record RankingScore(int documents, List<String> missing, int extra, Map<String, Double> metrics) {

    private static final List<RankingMetric> METRICS =
            List.of(new AveragePrecision(), new PrecisionAtK(5), new PrecisionAtK(8), new PrecisionAtK(15));

    public RankingScore {
        missing = List.copyOf(missing);
        metrics = Collections.unmodifiableMap(new LinkedHashMap<>(metrics));
    }

    public static RankingScore compute(RankingFile ranked, Corpus corpus) {
        List<GoldRanks> ranks = new ArrayList<>();
        List<String> missing = new ArrayList<>();
        Set<String> matched = new HashSet<>();
        try (Stream<Document> documents = corpus.documents()) {
            documents.filter(document -> !document.codes().isEmpty()).forEachOrdered(document -> {
                Optional<Ranking> ranking =
                        Optional.ofNullable(ranked.rankings().get(document.id()));
                ranking.ifPresentOrElse(found -> matched.add(found.documentId()), () -> missing.add(document.id()));
                ranks.add(goldRanks(
                        ranking.map(Ranking::codes).orElseGet(List::of), Ranking.normalized(document.codes())));
            });
        }
        if (ranks.isEmpty()) {
            throw new UserError("The split has no gold codes", "split " + corpus.name(), "use a split with gold codes");
        }
        if (matched.isEmpty()) {
            throw new UserError(
                    "None of the ranked documents is in the split " + corpus.name(),
                    ranked.file().toString(),
                    "give the experiment and the split that was ranked");
        }
        return new RankingScore(
                ranks.size(),
                missing,
                ranked.rankings().size() - matched.size(),
                RankingMetric.means(METRICS, ranks.toArray(GoldRanks[]::new)));
    }

    /** The ranks of normalized gold codes; those that are not listed have none. */
    static GoldRanks goldRanks(List<RankedCode> listed, Set<String> gold) {
        return GoldRanks.of(
                listed.stream().map(each -> Ranking.normalized(each.code())).toList(), gold);
    }
}
