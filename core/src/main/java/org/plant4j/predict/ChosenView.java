package org.plant4j.predict;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.plant4j.models.SharedViews;
import org.plant4j.text.Tokens;

/** The view of a text that a code chose among {@code count} that all codes share, numbered from 1, and what it looks at. */
public record ChosenView(int number, int count, List<String> words) {

    private static final int WORDS = 5;

    public ChosenView {
        words = List.copyOf(words);
    }

    /** The view that the first asked label chose. */
    static ChosenView of(SharedViews views, Tokens tokens) {
        int chosen = views.chosen()[0];
        Map<String, Double> weights = new LinkedHashMap<>();
        for (int t = 0; t < tokens.size(); t++) {
            weights.merge(tokens.words().get(t), (double) views.attention()[chosen][t], Double::sum);
        }
        return new ChosenView(
                chosen + 1,
                views.attention().length,
                weights.entrySet().stream()
                        .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder())) // stable: earlier words first
                        .limit(WORDS)
                        .map(Map.Entry::getKey)
                        .toList());
    }
}
