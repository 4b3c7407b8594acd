package org.plant4j.prediction;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.plant4j.Document;
import org.plant4j.RankedCode;
import org.plant4j.UserError;
import org.plant4j.corpus.Corpus;
import org.plant4j.corpus.file.TextFiles;
import org.plant4j.metric.AveragePrecision;
import org.plant4j.metric.GoldRanks;
import org.plant4j.model.ensemble.MergeRegression;
import org.plant4j.support.Arguments;
import org.plant4j.support.AtomicFile;
import org.plant4j.support.StrictJson;

/**
 * How to merge rankings, learned from a split with gold codes, usually dev, and how well that does there. To the regression, a
 * code that a ranking does not list has the ranking's lowest score for the document.
 *
 * @param documents the number of ranked documents with gold codes
 * @param memberMap MAP of each ranking alone; gold codes that it does not list are not found
 * @param meanMap MAP of {@link RankingFile#merge} with equal weights, which keeps all codes
 * @param map MAP of the merged ranking, where each document is merged by a regression fitted on others
 */
public record RankingMerge(
        MergeRegression stacking, int documents, List<Double> memberMap, double meanMap, double map) {

    private static final ObjectMapper JSON = StrictJson.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .enable(SerializationFeature.INDENT_OUTPUT)
            .build();

    public RankingMerge {
        memberMap = List.copyOf(memberMap);
        int members = stacking.members();
        Arguments.check(
                memberMap.size() == members, "member_map", memberMap.size(), members + ", one for each ranking");
    }

    /** The number of documents of a corpus that have a code, regardless of the case of codes. */
    public static ToIntFunction<String> frequencies(Corpus training) {
        Map<String, Integer> frequencies = new HashMap<>();
        try (Stream<Document> documents = training.documents()) {
            documents.forEachOrdered(document -> document.codes().stream()
                    .map(Ranking::normalized)
                    .distinct()
                    .forEach(code -> frequencies.merge(code, 1, Integer::sum)));
        }
        return code -> frequencies.getOrDefault(Ranking.normalized(code), 0);
    }

    /** What was learned, and the ids of documents with gold codes that are not ranked. These are left out. */
    public record Fit(RankingMerge stack, List<String> unranked) {

        public Fit {
            unranked = List.copyOf(unranked);
        }
    }

    /** Learns how to merge; {@code frequency} is the number of training documents of a code. */
    public static Fit fit(List<RankingFile> files, Corpus gold, ToIntFunction<String> frequency) {
        RankingFile.requireSameDocuments(files);
        Map<String, Set<String>> goldCodes = new LinkedHashMap<>(); // of ranked documents
        List<String> unranked = new ArrayList<>();
        try (Stream<Document> documents = gold.documents()) {
            documents.filter(document -> !document.codes().isEmpty()).forEachOrdered(document -> {
                if (files.get(0).rankings().containsKey(document.id())) {
                    goldCodes.put(document.id(), Ranking.normalized(document.codes()));
                } else {
                    unranked.add(document.id());
                }
            });
        }
        List<RankingMergeFit.Candidates> candidates = goldCodes.entrySet().stream()
                .map(document -> Merge.of(files, document.getKey()).candidates(frequency, document.getValue()))
                .toList();
        if (candidates.stream().allMatch(document -> document.gold().length == 0)) {
            throw new UserError(
                    "No ranking lists a gold code of the split " + gold.name(),
                    files.get(0).file().toString(),
                    "give the experiment and the split that was ranked, with its gold codes");
        }
        if (candidates.size() < RankingMergeFit.FOLDS) {
            throw new UserError(
                    "Only " + candidates.size() + " of the ranked documents have gold codes, too few to cross-validate",
                    files.get(0).file().toString(),
                    "rank at least " + RankingMergeFit.FOLDS + " documents with gold codes");
        }
        long folds = IntStream.range(0, candidates.size())
                .filter(i -> candidates.get(i).pairs().findAny().isPresent())
                .map(i -> i % RankingMergeFit.FOLDS)
                .distinct()
                .count();
        if (folds < 2) { // one of them would have nothing to learn from
            throw new UserError(
                    "Too few of the ranked documents list codes to cross-validate",
                    files.get(0).file().toString(),
                    "give rankings that list codes for all documents");
        }
        RankingMergeFit fit = new RankingMergeFit(candidates);
        List<Ranking> mean = RankingFile.merge(files, Collections.nCopies(files.size(), 1.0), Integer.MAX_VALUE);
        return new Fit(
                new RankingMerge(
                        fit.fit(),
                        candidates.size(),
                        files.stream()
                                .map(file -> map(file.rankings().values(), goldCodes))
                                .toList(),
                        map(mean, goldCodes),
                        fit.crossValidatedMap()),
                unranked);
    }

    /** MAP on the documents with gold codes, as {@code plant ranking score} computes it. */
    private static double map(Collection<Ranking> rankings, Map<String, Set<String>> gold) {
        return new AveragePrecision()
                .mean(rankings.stream()
                        .map(ranking -> RankingScore.goldRanks(
                                ranking.codes(), gold.getOrDefault(ranking.documentId(), Set.of())))
                        .toArray(GoldRanks[]::new))
                .value();
    }

    /** Merges rankings of other documents by the same members, in the same order. */
    public List<Ranking> merge(List<RankingFile> files, ToIntFunction<String> frequency, int maxCodes) {
        RankingFile.requireSameDocuments(files);
        return files.get(0).rankings().keySet().stream()
                .map(document -> merge(Merge.of(files, document), document, frequency, maxCodes))
                .toList();
    }

    private Ranking merge(Merge merge, String document, ToIntFunction<String> frequency, int maxCodes) {
        double[] scores = merge.candidates(frequency, Set.of()).combined(stacking);
        return new Ranking(
                document,
                merge.order(scores).stream()
                        .limit(maxCodes)
                        .map(i -> new RankedCode(merge.spellings.get(i), scores[i]))
                        .toList());
    }

    /** The codes that several rankings of a document list, in order, with a score by each ranking. */
    private record Merge(List<String> codes, List<String> spellings, List<double[]> scores) {

        static Merge of(List<RankingFile> files, String document) {
            Map<String, double[]> scores = new TreeMap<>();
            Map<String, String> spellings = new HashMap<>();
            double[] lowest = new double[files.size()];
            for (int member = 0; member < lowest.length; member++) {
                List<RankedCode> ranked = codes(files.get(member), document);
                lowest[member] =
                        ranked.isEmpty() ? 0 : ranked.get(ranked.size() - 1).score();
                for (RankedCode code : ranked) {
                    spellings.putIfAbsent(Ranking.normalized(code.code()), code.code());
                }
            }
            spellings.keySet().forEach(code -> scores.put(code, lowest.clone()));
            for (int member = 0; member < lowest.length; member++) {
                for (RankedCode code : codes(files.get(member), document)) {
                    scores.getOrDefault(Ranking.normalized(code.code()), lowest)[member] = code.score();
                }
            }
            List<String> codes = List.copyOf(scores.keySet());
            return new Merge(
                    codes,
                    codes.stream()
                            .map(code -> spellings.getOrDefault(code, code))
                            .toList(),
                    List.copyOf(scores.values()));
        }

        private static List<RankedCode> codes(RankingFile file, String document) {
            Ranking ranking = file.rankings().get(document);
            return ranking == null ? List.of() : ranking.codes();
        }

        /** Indices of the codes by descending score; ties are ordered by code. */
        List<Integer> order(double[] ranked) {
            return IntStream.range(0, ranked.length)
                    .boxed()
                    .sorted(Comparator.comparingDouble((Integer i) -> -ranked[i]))
                    .toList();
        }

        RankingMergeFit.Candidates candidates(ToIntFunction<String> frequency, Set<String> gold) {
            return new RankingMergeFit.Candidates(
                    scores,
                    codes.stream()
                            .mapToDouble(code -> Math.log1p(frequency.applyAsInt(code)))
                            .toArray(),
                    IntStream.range(0, codes.size())
                            .filter(i -> gold.contains(codes.get(i)))
                            .toArray(),
                    gold.size());
        }
    }

    public void write(Path file) {
        AtomicFile.write(file, draft -> JSON.writeValue(draft.toFile(), this));
    }

    public static RankingMerge read(Path file) {
        try {
            return JSON.readValue(Files.readAllBytes(file), RankingMerge.class);
        } catch (JacksonException e) {
            throw new UserError(
                    "The file is damaged, or plant ranking fit did not write it",
                    file.toString(),
                    "write it with plant ranking fit",
                    e);
        } catch (NoSuchFileException e) {
            throw new UserError("The file does not exist", file.toString(), "write it with plant ranking fit", e);
        } catch (IOException e) {
            throw TextFiles.unreadable(file, e);
        }
    }
}
