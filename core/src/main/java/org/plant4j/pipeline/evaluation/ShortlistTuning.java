package org.plant4j.pipeline.evaluation;

import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.plant4j.Progress;
import org.plant4j.model.LabelNetwork;
import org.plant4j.text.TokenStore;

/** Chooses the size of shortlists on dev, such that predictions are those of full scoring. */
public final class ShortlistTuning {

    /** Best labels that must be the same. */
    public static final int BEST_LABELS = 15;

    /** More documents would change the size little. */
    private static final int MAX_DOCUMENTS = 1000;

    private ShortlistTuning() {}

    /**
     * A size and how well it does on dev; stored in {@code shortlist.json}.
     *
     * @param size labels that predictions score per document; 0 if none was chosen
     * @param bestLabels labels per document that are compared
     * @param documents on which the size was chosen
     * @param agreement share of the documents with the same best labels as by full scoring
     */
    public record Choice(int size, int bestLabels, int documents, double agreement) {

        /** No size was chosen. */
        public static final Choice NONE = new Choice(0, BEST_LABELS, 0, 0);

        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT,
                    "%,d labels; same best %d for %.1f %% of %,d documents",
                    size,
                    bestLabels,
                    100 * agreement,
                    documents);
        }
    }

    /** The smallest size with at least this agreement, for a network that scores all labels; none without dev documents. */
    static Choice choose(LabelNetwork<?> network, TokenStore dev, double agreement, Progress progress) {
        if (dev.size() == 0) {
            return Choice.NONE;
        }
        int step = Math.max(1, dev.size() / MAX_DOCUMENTS);
        List<int[]> documents = IntStream.iterate(0, i -> i < dev.size(), i -> i + step)
                .limit(MAX_DOCUMENTS)
                .mapToObj(dev::tokens)
                .toList();
        List<int[]> best = ShortlistPositions.bestLabels(network, documents, BEST_LABELS, progress);
        ShortlistPositions positions = ShortlistPositions.of(network, documents, best, progress);
        int size = positions.size(agreement);
        return new Choice(size, BEST_LABELS, documents.size(), positions.agreement(size));
    }
}
