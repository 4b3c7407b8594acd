package org.plant4j.study;

import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.plant4j.UserError;
import org.plant4j.corpus.TieOrder;
import org.plant4j.corpus.codeset.CodeSystem;
import org.plant4j.text.LabelIndex;

/**
 * Labels that a study evaluates by themselves: {@code all}, {@code diagnoses}, {@code procedures}, {@code top 50} (the most
 * frequent ones in training) or {@code rare 50} (the least frequent ones with at least two training documents).
 */
record LabelGroup(String name, Predicate<String> contains, boolean complete) {

    static final String ALL = "all";

    private static final Pattern BY_FREQUENCY = Pattern.compile("(top|rare) ([1-9][0-9]{0,6})");
    private static final int LEAST_DOCUMENTS = 2;

    static void check(String name) {
        if (!Set.of(ALL, "diagnoses", "procedures").contains(name)
                && !BY_FREQUENCY.matcher(name).matches()) {
            throw new UserError(
                    "Unknown group of labels '" + name + "'",
                    "groups",
                    "use all, diagnoses, procedures, or top and rare with a number, such as top 50");
        }
    }

    static LabelGroup of(String name, LabelIndex labels) {
        Matcher byFrequency = BY_FREQUENCY.matcher(name);
        if (byFrequency.matches()) {
            int count = Integer.parseInt(byFrequency.group(2));
            if (count >= labels.trainedCount()) {
                return new LabelGroup(name, code -> true, true);
            }
            return new LabelGroup(name, byFrequency(labels, byFrequency.group(1), count)::contains, false);
        }
        return switch (name) {
            case "diagnoses" -> new LabelGroup(name, code -> !isProcedure(code), false);
            case "procedures" -> new LabelGroup(name, LabelGroup::isProcedure, false);
            default -> new LabelGroup(name, code -> true, true);
        };
    }

    private static Set<String> byFrequency(LabelIndex labels, String end, int count) {
        Comparator<Integer> byFrequency = Comparator.comparingInt((Integer label) -> labels.frequency(label))
                .reversed();
        List<String> frequentEnough = IntStream.range(0, labels.trainedCount())
                .filter(label -> labels.frequency(label) >= LEAST_DOCUMENTS)
                .boxed()
                .sorted(byFrequency.thenComparing(labels::code, TieOrder.comparator()))
                .map(labels::code)
                .toList();
        int first = end.equals("top") ? 0 : Math.max(0, frequentEnough.size() - count);
        return new HashSet<>(frequentEnough.subList(first, Math.min(first + count, frequentEnough.size())));
    }

    private static boolean isProcedure(String code) {
        CodeSystem system = CodeSystem.of(code.toUpperCase(Locale.ROOT));
        return system == CodeSystem.ICD_9_PROCEDURE || system == CodeSystem.ICD_10_PCS;
    }
}
