package org.plant4j.explain;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.plant4j.ChosenView;
import org.plant4j.model.output.SharedViews;
import org.plant4j.text.TokenizedText;

/** Finds the tokens with the highest attention weights in the shared view that a label uses. */
public final class ViewTokens {

    private static final int MAX_TOKENS = 5;

    private ViewTokens() {}

    /** The view of one of the explained labels, by its position among them. */
    public static ChosenView of(SharedViews views, int label, TokenizedText text) {
        int chosen = views.chosen()[label];
        Map<String, Double> weights = new LinkedHashMap<>();
        for (int t = 0; t < text.size(); t++) {
            weights.merge(text.tokens().get(t), (double) views.attention()[chosen][t], Double::sum);
        }
        return new ChosenView(
                chosen + 1,
                views.attention().length,
                weights.entrySet().stream()
                        .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder())) // stable: earlier tokens first
                        .limit(MAX_TOKENS)
                        .map(Map.Entry::getKey)
                        .toList());
    }
}
