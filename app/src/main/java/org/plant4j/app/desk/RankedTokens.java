package org.plant4j.app.desk;

import java.util.List;

/** The tokens that a run's ranker holds for a code, best first; a run without a ranker holds none. */
public interface RankedTokens {

    RankedTokens NONE = code -> List.of();

    /** A token, its mutual information with the code, and its place among the code's tokens from 1 on. */
    record RankedToken(String token, double gain, int rank) {}

    List<RankedToken> of(String code);
}
