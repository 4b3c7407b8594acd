package org.plant4j.model.matching;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The names of labels, as stems: name l is the description of label l, and the synonyms of all labels follow. A synonym with the
 * same stems as another name of its label is left out.
 */
final class LabelNames {

    /** A further name of a label. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Synonym(int label, int[] stems) {}

    private final int[][] descriptions;
    private final List<Synonym> synonyms;
    private final Map<Integer, List<Integer>> synonymsOf = new TreeMap<>(); // names of labels with synonyms

    LabelNames(int[][] descriptions, List<Synonym> synonyms) {
        this.descriptions = descriptions;
        this.synonyms = List.copyOf(synonyms);
        for (int i = 0; i < synonyms.size(); i++) {
            synonymsOf
                    .computeIfAbsent(synonyms.get(i).label(), label -> new ArrayList<>())
                    .add(descriptions.length + i);
        }
    }

    /** The names of labels, given as token ids; {@code stemOf} gives the stem of each token. */
    static LabelNames of(int[] stemOf, List<int[]> descriptions, List<List<int[]>> synonyms) {
        int[][] stems = descriptions.stream()
                .map(tokens -> DescriptionIndex.stems(stemOf, tokens))
                .toArray(int[][]::new);
        List<Synonym> further = new ArrayList<>();
        for (int label = 0; label < synonyms.size(); label++) {
            Map<List<Integer>, int[]> distinct = new LinkedHashMap<>();
            for (int[] tokens : synonyms.get(label)) {
                int[] synonym = DescriptionIndex.stems(stemOf, tokens);
                distinct.putIfAbsent(Arrays.stream(synonym).boxed().toList(), synonym);
            }
            distinct.remove(List.<Integer>of());
            distinct.remove(Arrays.stream(stems[label]).boxed().toList());
            for (int[] synonym : distinct.values()) {
                further.add(new Synonym(label, synonym));
            }
        }
        return new LabelNames(stems, further);
    }

    int labels() {
        return descriptions.length;
    }

    /** The number of names. */
    int size() {
        return descriptions.length + synonyms.size();
    }

    int[] stems(int name) {
        return name < descriptions.length
                ? descriptions[name]
                : synonyms.get(name - descriptions.length).stems();
    }

    int label(int name) {
        return name < descriptions.length
                ? name
                : synonyms.get(name - descriptions.length).label();
    }

    /** The names of a label, its description first. */
    List<Integer> of(int label) {
        List<Integer> names = new ArrayList<>(List.of(label));
        names.addAll(synonymsOf.getOrDefault(label, List.of()));
        return names;
    }

    List<Synonym> synonyms() {
        return synonyms;
    }
}
