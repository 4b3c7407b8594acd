package org.plant4j.model.baseline;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.plant4j.corpus.codeset.CodeSystem;

/**
 * The hierarchy of the labels by the form of their codes. Nodes are the labels, followed by the ancestors at which labels
 * branch; other ancestors are left out.
 *
 * @param parents the parent of each node; -1 for a root
 * @param labels the number of labels
 */
@SuppressWarnings("ArrayRecordComponent") // built once per network, never compared
record CodeTree(int[] parents, int labels) {

    private static final int NONE = -1;

    /** A tree without edges, for labels whose codes are not known. */
    static CodeTree flat(int labels) {
        int[] parents = new int[labels];
        Arrays.fill(parents, NONE);
        return new CodeTree(parents, labels);
    }

    static CodeTree of(List<String> codes) {
        Map<String, Integer> ids = new LinkedHashMap<>();
        codes.forEach(code -> id(ids, code));
        Map<Integer, Integer> parents = new LinkedHashMap<>(); // of the whole tree
        for (String code : codes) {
            int child = id(ids, code);
            for (String ancestor : CodeSystem.of(code).ancestors(code)) {
                int parent = id(ids, ancestor);
                parents.putIfAbsent(child, parent);
                child = parent;
            }
        }
        return branching(parents, codes.size(), ids.size());
    }

    private static int id(Map<String, Integer> ids, String code) {
        int next = ids.size();
        return ids.computeIfAbsent(code, unknown -> next);
    }

    /** Keeps the labels and the nodes with at least two children. */
    private static CodeTree branching(Map<Integer, Integer> parents, int labels, int nodes) {
        int[] children = new int[nodes];
        parents.values().forEach(parent -> children[parent]++);
        int[] kept = IntStream.range(0, nodes)
                .filter(node -> node < labels || children[node] > 1)
                .toArray();
        int[] numbers = new int[nodes];
        Arrays.fill(numbers, NONE);
        for (int i = 0; i < kept.length; i++) {
            numbers[kept[i]] = i;
        }
        int[] keptParents = Arrays.stream(kept)
                .map(node -> {
                    int parent = parents.getOrDefault(node, NONE);
                    while (parent != NONE && numbers[parent] == NONE) {
                        parent = parents.getOrDefault(parent, NONE);
                    }
                    return parent == NONE ? NONE : numbers[parent];
                })
                .toArray();
        return new CodeTree(keptParents, labels);
    }

    int nodes() {
        return parents.length;
    }

    /** A node and its ancestors, nearest first. */
    int[] lineage(int node) {
        return IntStream.iterate(node, it -> it != NONE, it -> parents[it]).toArray();
    }
}
