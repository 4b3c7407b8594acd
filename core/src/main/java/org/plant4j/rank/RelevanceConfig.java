package org.plant4j.rank;

import java.util.List;
import org.plant4j.text.Examples;

/** Which tokens speak for which code, and how that is measured: the {@code relevance} section of an experiment. */
public record RelevanceConfig(MutualInformation.Kind kind, int topK, int family, double familyWeight) {

    public RelevanceConfig {
        new MutualInformation(kind, topK); // these two check themselves
        new Families(family, familyWeight);
    }

    public Relevance of(Examples documents, int vocabulary, List<String> codes) {
        MutualInformation information = new MutualInformation(kind, topK);
        Relevance own = information.of(documents, vocabulary, codes.size());
        return new Families(family, familyWeight).lend(information, own, documents, vocabulary, codes);
    }
}
