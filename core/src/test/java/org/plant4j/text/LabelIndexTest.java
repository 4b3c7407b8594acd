package org.plant4j.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.UserError;

class LabelIndexTest {

    private final Map<String, Integer> frequencies = Map.of("8000/6", 7, "8140/3", 2, "8000/1", 2, "9590/3", 1);

    @Test
    void labelsAreOrderedByFrequencyThenByCode() {
        LabelIndex labels = LabelIndex.of(frequencies, 1);
        assertThat(labels.codes()).containsExactly("8000/6", "8000/1", "8140/3", "9590/3");
        assertThat(labels.frequencies()).containsExactly(7, 2, 2, 1);
        assertThat(labels.id("8140/3")).hasValue(2);
        assertThat(labels.id("8001/1")).isEmpty();
    }

    @Test
    void rareCodesHaveIdsAfterTheTrainedLabels() {
        LabelIndex labels = LabelIndex.of(frequencies, 2);
        assertThat(labels.size()).isEqualTo(3);
        assertThat(labels.id("9590/3")).hasValue(3);
        assertThat(labels.frequency(3)).isEqualTo(1);
        assertThat(labels.frequencies()).containsExactly(7, 2, 2);
    }

    @Test
    void aContinuedIndexAddsNewDocumentsToEarlierFrequencies() {
        LabelIndex earlier = LabelIndex.of(Map.of("8000/6", 5, "8070/3", 9, "8140/3", 1), 1);
        // 3 of 7 documents are new; both documents of 8140/3 are known, but only one had it; 9590/3 is a new label
        LabelIndex labels =
                LabelIndex.of(frequencies, 1).continuing(earlier, Map.of("8000/6", 3, "8000/1", 2, "9590/3", 0));
        assertThat(labels.codes()).containsExactly("8070/3", "8000/6", "8000/1", "8140/3", "9590/3");
        assertThat(labels.frequencies()).containsExactly(9, 8, 2, 2, 1);
        assertThat(labels.trainedCount()).isEqualTo(5);
    }

    @Test
    void furtherCodesFollowInTheGivenOrder() {
        LabelIndex labels = LabelIndex.of(frequencies, 1).extendedWith(List.of("9999/9", "8140/3", "8070/3"));
        assertThat(labels.size()).isEqualTo(4);
        assertThat(labels.id("9999/9")).hasValue(4);
        assertThat(labels.id("8070/3")).hasValue(5);
        assertThat(labels.frequency(5)).isZero();
        assertThat(labels.code(5)).isEqualTo("8070/3");
    }

    @Test
    void writtenFilesReadBackUnchanged(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("labels.tsv");
        LabelIndex.of(frequencies, 2).extendedWith(List.of("8070/3")).write(file);
        assertThat(Files.readString(file))
                .isEqualTo(
                        "code\tdocuments\tkind\n8000/6\t7\ttrained\n8000/1\t2\ttrained\n8140/3\t2\ttrained\n9590/3\t1\tgold-only\n8070/3\t0\tgold-only\n");
        LabelIndex read = LabelIndex.read(file);
        assertThat(read.size()).isEqualTo(3);
        assertThat(read.codes()).hasSize(5);
        assertThat(read.frequency(3)).isEqualTo(1);
    }

    @Test
    void zeroShotLabelsFollowTheTrainedOnesSortedByCode() {
        LabelIndex labels = LabelIndex.of(frequencies, 2)
                .withZeroShot(List.of("9990/3", "8140/3", "9590/3", "8001/1"))
                .extendedWith(List.of("1000/0"));
        assertThat(labels.codes())
                .containsExactly("8000/6", "8000/1", "8140/3", "8001/1", "9590/3", "9990/3", "1000/0");
        assertThat(labels.trainedCount()).isEqualTo(3);
        assertThat(labels.size()).isEqualTo(6);
        assertThat(labels.frequencies()).containsExactly(7, 2, 2, 0, 1, 0); // one document is less than the minimum
        assertThat(labels.id("9590/3")).hasValue(4);
        assertThat(labels.id("1000/0")).hasValue(6);
    }

    @Test
    void rareCodesThatAreNotZeroShotFollowTheZeroShotLabels() {
        LabelIndex labels = LabelIndex.of(frequencies, 2).withZeroShot(List.of("8001/1"));
        assertThat(labels.codes()).containsExactly("8000/6", "8000/1", "8140/3", "8001/1", "9590/3");
        assertThat(labels.size()).isEqualTo(4);
        assertThat(labels.frequency(4)).isEqualTo(1);
    }

    @Test
    void zeroShotLabelsReadBackUnchanged(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("labels.tsv");
        LabelIndex.of(frequencies, 2)
                .withZeroShot(List.of("9590/3", "8001/1"))
                .extendedWith(List.of("1000/0"))
                .write(file);
        assertThat(Files.readString(file))
                .endsWith("8140/3\t2\ttrained\n8001/1\t0\tzero-shot\n9590/3\t1\tzero-shot\n1000/0\t0\tgold-only\n");
        LabelIndex read = LabelIndex.read(file);
        assertThat(read.trainedCount()).isEqualTo(3);
        assertThat(read.size()).isEqualTo(5);
        Files.writeString(file, "code\tdocuments\tkind\nA\t1\ttrained\nB\t0\tzero-shot\nC\t1\ttrained\n");
        assertThatThrownBy(() -> LabelIndex.read(file))
                .isInstanceOf(UserError.class)
                .hasMessageContaining(".tsv:4");
    }

    @Test
    void withoutZeroShotLabelsAllLabelsAreTrained() {
        assertThat(LabelIndex.of(frequencies, 2).trainedCount()).isEqualTo(3);
    }

    @Test
    void invalidFilesAreUserErrors(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("labels.tsv");
        Files.writeString(file, "code\tdocuments\tkind\nA\t1\tgold-only\nB\t1\ttrained\n");
        assertThatThrownBy(() -> LabelIndex.read(file))
                .isInstanceOf(UserError.class)
                .hasMessageContaining(".tsv:3");
        Files.writeString(file, "code\tdocuments\tkind\nA\t1\ttrained\nA\t1\ttrained\n");
        assertThatThrownBy(() -> LabelIndex.read(file)).isInstanceOf(UserError.class);
        Files.writeString(file, "code\tdocuments\tkind\nA\t1\ttrained\nB\t1\tlearned\n");
        assertThatThrownBy(() -> LabelIndex.read(file)).isInstanceOf(UserError.class);
    }
}
