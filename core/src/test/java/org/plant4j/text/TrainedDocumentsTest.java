package org.plant4j.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TrainedDocumentsTest {

    @TempDir
    Path directory;

    private record Documents(List<int[]> all) implements Dataset {

        @Override
        public int size() {
            return all.size();
        }

        @Override
        public int[] tokens(int document) {
            return all.get(document);
        }

        @Override
        public int[] labels(int document) {
            return new int[0];
        }
    }

    private static Documents documents(int[]... tokens) {
        return new Documents(List.of(tokens));
    }

    @Test
    void documentsAreKnownByTheirTokensInOrder() {
        TrainedDocuments known = TrainedDocuments.of(documents(new int[] {2, 3, 4}, new int[] {}, new int[] {2, 3, 4}));
        assertThat(known.contains(new int[] {2, 3, 4})).isTrue();
        assertThat(known.contains(new int[] {})).isTrue();
        assertThat(known.contains(new int[] {3, 2, 4})).isFalse();
        assertThat(known.contains(new int[] {2, 3})).isFalse();
        assertThat(known.contains(new int[] {0, 2, 3, 4})).isFalse();
        assertThat(known.countNew(documents(new int[] {2, 3, 4}, new int[] {5}, new int[] {5})))
                .isEqualTo(2);
        assertThat(TrainedDocuments.NONE.countNew(documents(new int[] {}))).isEqualTo(1);
    }

    @Test
    void documentsAreAddedAndStored() {
        TrainedDocuments both = TrainedDocuments.of(documents(new int[] {7}, new int[] {8}))
                .plus(TrainedDocuments.of(documents(new int[] {8}, new int[] {9})));
        Path file = directory.resolve("documents.bin");
        both.write(file);
        assertThat(file).hasSize(3 * Long.BYTES);
        TrainedDocuments read = TrainedDocuments.read(file);
        assertThat(read.countNew(documents(new int[] {7}, new int[] {8}, new int[] {9}, new int[] {10})))
                .isEqualTo(1);
        TrainedDocuments.NONE.write(file);
        assertThat(TrainedDocuments.read(file).contains(new int[] {7})).isFalse();
    }
}
