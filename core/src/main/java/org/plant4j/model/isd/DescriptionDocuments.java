package org.plant4j.model.isd;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The documents that the teacher of self-distillation reads: for each training document the concatenated descriptions of
 * its gold labels. Each description is encoded once per batch.
 *
 * @param descriptions the distinct descriptions
 * @param rows the documents with at least one described label
 * @param tokenPositions for each of these documents the flat positions of its tokens in the padded descriptions
 */
@SuppressWarnings("ArrayRecordComponent") // created per training step, never compared
record DescriptionDocuments(List<int[]> descriptions, int[] rows, int[][] tokenPositions) {

    static Optional<DescriptionDocuments> of(int[][] gold, List<int[]> descriptions) {
        int[] described = Arrays.stream(gold)
                .flatMapToInt(Arrays::stream)
                .distinct()
                .filter(label -> descriptions.get(label).length > 0)
                .sorted()
                .toArray();
        List<int[]> texts = Arrays.stream(described).mapToObj(descriptions::get).toList();
        int width = texts.stream().mapToInt(text -> text.length).max().orElse(0);
        List<Integer> rows = new ArrayList<>();
        List<int[]> positions = new ArrayList<>();
        for (int row = 0; row < gold.length; row++) {
            int[] tokens = Arrays.stream(gold[row])
                    .flatMap(label -> {
                        int start = Arrays.binarySearch(described, label) * width;
                        return IntStream.range(start, start + descriptions.get(label).length);
                    })
                    .toArray();
            if (tokens.length > 0) {
                rows.add(row);
                positions.add(tokens);
            }
        }
        return rows.isEmpty()
                ? Optional.empty()
                : Optional.of(new DescriptionDocuments(
                        texts, rows.stream().mapToInt(row -> row).toArray(), positions.toArray(int[][]::new)));
    }
}
