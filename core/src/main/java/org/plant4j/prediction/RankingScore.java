package org.plant4j.prediction;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.plant4j.corpus.Corpus;
import org.plant4j.corpus.Document;
import org.plant4j.metric.AveragePrecision;
import org.plant4j.metric.GoldRanks;
import org.plant4j.metric.PrecisionAtK;
import org.plant4j.metric.RankingMetric;
import org.plant4j.support.UserError;

/**
 * How well rankings meet the gold codes of a corpus: metrics by name, their means over the documents that have gold codes.
 * Those of them that are {@code missing} from the rankings count 0; ranked notes that are none of them, {@code extra}, do
 * not count.
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
        Set<String> met = new HashSet<>();
        try (Stream<Document> documents = corpus.documents()) {
            documents.filter(document -> !document.codes().isEmpty()).forEachOrdered(document -> {
                Optional<Ranking> ranking =
                        Optional.ofNullable(ranked.rankings().get(document.id()));
                ranking.ifPresentOrElse(found -> met.add(found.documentId()), () -> missing.add(document.id()));
                ranks.add(GoldRanks.of(
                        ranking.stream()
                                .flatMap(found -> found.codes().stream())
                                .map(RankedCode::normalizedCode)
                                .toList(),
                        document.codes().stream()
                                .map(RankedCode::normalizedCode)
                                .collect(Collectors.toSet())));
            });
        }
        if (ranks.isEmpty()) {
            throw new UserError(
                    "There are no gold codes to measure against",
                    "part " + corpus.name(),
                    "use a part whose codes are known");
        }
        if (met.isEmpty()) {
            throw new UserError(
                    "None of the ranked notes is a document with codes of the part " + corpus.name(),
                    ranked.file().toString(),
                    "name the experiment and the part whose notes were ranked");
        }
        return new RankingScore(
                ranks.size(),
                missing,
                ranked.rankings().size() - met.size(),
                RankingMetric.means(METRICS, ranks.toArray(GoldRanks[]::new)));
    }
}
