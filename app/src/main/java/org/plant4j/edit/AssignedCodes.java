package org.plant4j.edit;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The distinct codes of an encounter in their order, with look-ups, so that no edit compares every code with every other. */
final class AssignedCodes {

    /** Greater than any character of a code. */
    private static final String AFTER_ALL = "\uffff";

    private final Map<String, Integer> positions = new HashMap<>();
    private final List<String> inOrder = new ArrayList<>();

    /** Sorted by the code without its dot. */
    private final NavigableMap<String, List<String>> sorted = new TreeMap<>();

    AssignedCodes(Collection<String> codes) {
        for (String code : codes) {
            if (positions.putIfAbsent(code, inOrder.size()) == null) {
                inOrder.add(code);
                sorted.computeIfAbsent(CodeRules.key(code), key -> new ArrayList<>())
                        .add(code);
            }
        }
    }

    List<String> inOrder() {
        return List.copyOf(inOrder);
    }

    boolean contains(String code) {
        return positions.containsKey(code);
    }

    /** The index of an assigned code in the order. */
    int position(String code) {
        return positions.getOrDefault(code, -1);
    }

    /** The codes between two, without dots, each with all codes below. */
    Stream<String> between(String from, String to) {
        return to.compareTo(from) < 0
                ? Stream.empty()
                : sorted.subMap(from, true, to + AFTER_ALL, true).values().stream()
                        .flatMap(List::stream);
    }
}
