package org.plant4j.experiment;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.plant4j.UserError;
import org.plant4j.corpus.codeset.CodeSet;
import org.plant4j.metric.TopK;
import org.plant4j.rank.RankModel;
import org.plant4j.rank.Relevance;
import org.plant4j.support.DidYouMean;
import org.plant4j.tensor.Compute;
import org.plant4j.text.LabelIndex;
import org.plant4j.text.Vocabulary;

/** The top tokens of a label that a planted model starts from: by mutual information, and by the trained ranker. */
public record TopTokens(String code, String description, List<TopToken> byMutualInformation, List<TopToken> byRanker) {

    /** A token with its gain or ranker score, and its 1-based rank in the other list, if it has one. */
    public record TopToken(String token, double value, Optional<Integer> rankInOther) {}

    private static final int FIRST_TOKEN = Vocabulary.UNKNOWN + 1;

    public TopTokens {
        byMutualInformation = List.copyOf(byMutualInformation);
        byRanker = List.copyOf(byRanker);
    }

    /** Reads the top {@code count} tokens of each list from a run. */
    public static TopTokens read(RunDirectory run, String code, int count) {
        if (!run.has(run.ranker()) || !run.has(run.relevance())) {
            throw new UserError(
                    "The run has no ranker: its model is not planted, or started from another run",
                    run.path().toString(),
                    "use a run of a PLANT model, such as plant@demo, with model.differentiable: true");
        }
        LabelIndex labels = LabelIndex.read(run.labels());
        Vocabulary vocabulary = Vocabulary.read(run.vocabulary());
        int label = requireTrainedLabel(labels, code);
        Relevance relevance = Relevance.read(run.relevance());
        float[] scores;
        try (RankModel ranker = run.openRanker(vocabulary.size(), labels.trainedCount(), Compute.CPU)) {
            scores = ranker.scores(label);
        }
        int[] informative = relevance.tokens(label);
        float[] gains = relevance.gains(label);
        int[] ranked = TopK.indices(Arrays.copyOfRange(scores, FIRST_TOKEN, scores.length), count);
        return new TopTokens(
                code,
                CodeSet.read(run.codeSet()).describe(code).orElse(""),
                IntStream.range(0, Math.min(count, informative.length))
                        .mapToObj(i -> new TopToken(
                                vocabulary.token(informative[i]), gains[i], Optional.of(rank(scores, informative[i]))))
                        .toList(),
                IntStream.of(ranked)
                        .map(token -> token + FIRST_TOKEN)
                        .mapToObj(token ->
                                new TopToken(vocabulary.token(token), scores[token], position(informative, token)))
                        .toList());
    }

    private static int requireTrainedLabel(LabelIndex labels, String code) {
        int label = labels.id(code).orElse(Integer.MAX_VALUE);
        if (label >= labels.trainedCount()) {
            throw new UserError(
                    label == Integer.MAX_VALUE
                            ? "The run has no label " + code
                            : "Code " + code + " has no training documents, so it has no top tokens",
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

    /** The number of tokens in both lists. */
    public long countShared() {
        return byRanker.stream()
                .filter(token -> token.rankInOther().orElse(Integer.MAX_VALUE) <= byRanker.size())
                .count();
    }
}
