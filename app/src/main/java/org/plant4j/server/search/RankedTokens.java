package org.plant4j.server.search;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.rank.Relevance;
import org.plant4j.text.LabelIndex;
import org.plant4j.text.Vocabulary;

/** The ranker's tokens for a code, best first; empty for runs without a ranker. */
public interface RankedTokens {

    RankedTokens NONE = code -> List.of();

    /** Tokens returned per code. */
    int MAX_TOKENS = 100;

    /** A token, its mutual information with the code, and its rank from 1. */
    record RankedToken(String token, double gain, int rank) {}

    List<RankedToken> forCode(String code);

    static RankedTokens read(RunDirectory run, LabelIndex labels, Vocabulary vocabulary) {
        if (!run.has(run.relevance())) {
            return NONE;
        }
        Relevance relevance = Relevance.read(run.relevance());
        return code -> {
            OptionalInt label = labels.id(code);
            if (label.isEmpty() || label.getAsInt() >= relevance.labels()) {
                return List.of();
            }
            int[] tokens = relevance.tokens(label.getAsInt());
            float[] gains = relevance.gains(label.getAsInt());
            List<RankedToken> ranked = new ArrayList<>();
            for (int i = 0; i < Math.min(MAX_TOKENS, tokens.length); i++) {
                ranked.add(new RankedToken(vocabulary.token(tokens[i]), gains[i], i + 1));
            }
            return ranked;
        };
    }
}
