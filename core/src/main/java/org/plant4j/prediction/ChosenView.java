package org.plant4j.prediction;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.plant4j.model.SharedViews;
import org.plant4j.text.TokenizedText;

/** The view of a text that a code chose among {@code count} that all codes share, numbered from 1, and what it looks at. */
public record ChosenView(int number, int count, List<String> words) {

    private static final int MAX_TOKENS = 5;

    public ChosenView {
        words = List.copyOf(words);
    }

    /** The view that the first asked label chose. */
    public static ChosenView of(SharedViews views, TokenizedText tokens) {
        int chosen = views.chosen()[0];
        Map<String, Double> weights = new LinkedHashMap<>();
        for (int t = 0; t < tokens.size(); t++) {
            weights.merge(tokens.tokens().get(t), (double) views.attention()[chosen][t], Double::sum);
        }
        return new ChosenView(
                chosen + 1,
                views.attention().length,
                weights.entrySet().stream()
                        .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder())) // stable: earlier words first
                        .limit(MAX_TOKENS)
                        .map(Map.Entry::getKey)
                        .toList());
    }
}
