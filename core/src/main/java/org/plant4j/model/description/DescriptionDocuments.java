package org.plant4j.model.description;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * What notes would be if nothing but their labels' descriptions stood in them. Each description is read by itself, once
 * for the whole batch; {@code texts} are those. For each of the documents {@code rows}, {@code places} are the flat
 * positions of its tokens in those texts padded to one length. A document none of whose labels is described is left out.
 */
@SuppressWarnings("ArrayRecordComponent")
public // made for one step, never compared
record DescriptionDocuments(List<int[]> descriptions, int[] rows, int[][] tokenPositions) {

    public static Optional<DescriptionDocuments> of(int[][] gold, List<int[]> descriptions) {
        int[] described = Arrays.stream(gold)
                .flatMapToInt(Arrays::stream)
                .distinct()
                .filter(label -> descriptions.get(label).length > 0)
                .sorted()
                .toArray();
        List<int[]> texts = Arrays.stream(described).mapToObj(descriptions::get).toList();
        int width = texts.stream().mapToInt(text -> text.length).max().orElse(0);
        List<Integer> rows = new ArrayList<>();
        List<int[]> places = new ArrayList<>();
        for (int row = 0; row < gold.length; row++) {
            int[] own = Arrays.stream(gold[row])
                    .flatMap(label -> {
                        int start = Arrays.binarySearch(described, label) * width;
                        return IntStream.range(start, start + descriptions.get(label).length);
                    })
                    .toArray();
            if (own.length > 0) {
                rows.add(row);
                places.add(own);
            }
        }
        return rows.isEmpty()
                ? Optional.empty()
                : Optional.of(new DescriptionDocuments(
                        texts, rows.stream().mapToInt(row -> row).toArray(), places.toArray(int[][]::new)));
    }
}
