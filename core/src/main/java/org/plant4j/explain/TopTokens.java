package org.plant4j.explain;

import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.plant4j.corpus.codeset.CodeSet;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.metric.TopK;
import org.plant4j.rank.RankModel;
import org.plant4j.rank.Relevance;
import org.plant4j.support.DidYouMean;
import org.plant4j.support.UserError;
import org.plant4j.tensor.Compute;
import org.plant4j.text.LabelIndex;
import org.plant4j.text.Vocabulary;

/** What was planted for a code: its words as mutual information orders them, and as the ranker learned to. */
public record TopTokens(String code, String description, List<TopToken> byInformation, List<TopToken> byRanker) {

    /** A word with its gain or score, and where it stands in the other order, from 1; nowhere where it tells nothing. */
    public record TopToken(String word, double value, Optional<Integer> rankInOther) {}

    private static final int FIRST_TOKEN = Vocabulary.UNKNOWN + 1;

    public TopTokens {
        byInformation = List.copyOf(byInformation);
        byRanker = List.copyOf(byRanker);
    }

    /** The first {@code count} words of each order over the whole vocabulary of a run. */
    public static TopTokens read(RunDirectory run, String code, int count) {
        if (!Files.exists(run.ranker()) || !Files.exists(run.relevance())) {
            throw new UserError(
                    "The run has no ranker: its model plants no ranked attention",
                    run.path().toString(),
                    "name the run of a planted model: `extends: plant` with model.differentiable: true");
        }
        LabelIndex labels = LabelIndex.read(run.labels());
        Vocabulary vocabulary = Vocabulary.read(run.vocabulary());
        int label = requireTrainedLabel(labels, code);
        Relevance relevance = Relevance.read(run.relevance());
        float[] scores;
        try (RankModel ranker = run.openRanker(vocabulary.size(), labels.trainedCount(), Compute.CPU)) {
            scores = ranker.scores(label);
        }
        int[] told = relevance.tokens(label);
        float[] gains = relevance.gains(label);
        int[] ranked = TopK.indices(Arrays.copyOfRange(scores, FIRST_TOKEN, scores.length), count);
        return new TopTokens(
                code,
                CodeSet.read(run.codeBook()).describe(code).orElse(""),
                IntStream.range(0, Math.min(count, told.length))
                        .mapToObj(i ->
                                new TopToken(vocabulary.token(told[i]), gains[i], Optional.of(rank(scores, told[i]))))
                        .toList(),
                IntStream.of(ranked)
                        .map(word -> word + FIRST_TOKEN)
                        .mapToObj(token -> new TopToken(vocabulary.token(token), scores[token], position(told, token)))
                        .toList());
    }

    private static int requireTrainedLabel(LabelIndex labels, String code) {
        int label = labels.id(code).orElse(Integer.MAX_VALUE);
        if (label >= labels.trainedCount()) {
            throw new UserError(
                    label == Integer.MAX_VALUE
                            ? "The run does not know code " + code
                            : "Code " + code + " never occurred in training, so nothing was planted for it",
                    "labels of the run",
                    DidYouMean.remedy(code, labels.codes().subList(0, labels.trainedCount())));
        }
        return label;
    }

    private static int rank(float[] scores, int token) {
        return 1
                + (int) IntStream.range(FIRST_TOKEN, scores.length)
                        .filter(other -> scores[other] > scores[token])
                        .count();
    }

    private static Optional<Integer> position(int[] tokens, int token) {
        return IntStream.range(0, tokens.length)
                .filter(i -> tokens[i] == token)
                .mapToObj(i -> i + 1)
                .findFirst();
    }

    /** How many words are among the first of both orders. */
    public long countShared() {
        return byRanker.stream()
                .filter(word -> word.rankInOther().orElse(Integer.MAX_VALUE) <= byRanker.size())
                .count();
    }
}
