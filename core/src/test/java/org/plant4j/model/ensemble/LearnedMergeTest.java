package org.plant4j.model.ensemble;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.UserError;
import org.plant4j.model.ensemble.LearnedMerge.DevDocument;
import org.plant4j.model.linear.PairRegression.Pair;

class LearnedMergeTest {

    private static final double[] SCORES = {0.7, 0.2};

    /** Document i has the single token i, and its own pairs. */
    private static DevDocument document(int i) {
        Random random = new Random(i);
        List<Pair> pairs = IntStream.range(0, 20)
                .mapToObj(pair -> {
                    boolean gold = pair % 4 == 0;
                    double right = (gold ? 0.4 : 0.1) + 0.5 * random.nextDouble();
                    return MergeRegression.pair(new double[] {right, random.nextDouble()}, random.nextInt(3), gold);
                })
                .toList();
        return DevDocument.of(new int[] {i}, pairs);
    }

    private static List<DevDocument> documents(int count) {
        return IntStream.range(0, count).mapToObj(LearnedMergeTest::document).toList();
    }

    private static MergeRegression fit(List<DevDocument> documents) {
        return MergeRegression.fit(documents.stream()
                .flatMap(document -> document.pairs().stream())
                .toList());
    }

    @Test
    void aDevDocumentIsMergedByTheRegressionFittedOnOtherFolds() {
        List<DevDocument> documents = documents(5); // one per fold
        LearnedMerge merge = LearnedMerge.fit(documents);
        double all = fit(documents).probability(SCORES, 1);
        for (int i = 0; i < 5; i++) {
            int held = i;
            double others = fit(IntStream.range(0, 5)
                            .filter(other -> other != held)
                            .mapToObj(documents::get)
                            .toList())
                    .probability(SCORES, 1);
            assertThat(merge.of(new int[] {i}).probability(SCORES, 1))
                    .isEqualTo(others)
                    .isNotEqualTo(all);
        }
        assertThat(merge.of(new int[] {5}).probability(SCORES, 1)).isEqualTo(all);
    }

    @Test
    void withoutAGoldLabelAmongTheCandidatesThereIsNothingToLearn() {
        List<Pair> wrong = List.of(MergeRegression.pair(new double[] {0.9, 0.8}, 1, false));
        UserError error = catchThrowableOfType(
                UserError.class, () -> LearnedMerge.fit(List.of(DevDocument.of(new int[] {1}, wrong))));
        assertThat(error.what()).contains("No member proposes a label that a dev document has");
    }

    @Test
    void documentsOfTheSameTextAreInTheSameFold() {
        List<DevDocument> documents = List.of(
                document(0),
                document(1),
                DevDocument.of(new int[] {0}, document(2).pairs()));
        LearnedMerge merge = LearnedMerge.fit(documents);
        assertThat(merge.folds()).hasSize(2);
        assertThat(merge.of(new int[] {0}).probability(SCORES, 1))
                .isEqualTo(fit(List.of(document(1))).probability(SCORES, 1));
    }

    @Test
    void thereAreFiveFoldsOfEqualSize() {
        LearnedMerge merge = LearnedMerge.fit(documents(20));
        assertThat(merge.folds()).hasSize(5);
        assertThat(IntStream.range(0, 20).mapToObj(i -> merge.of(new int[] {i})).toList())
                .allSatisfy(stacking -> assertThat(merge.folds()).contains(stacking));
        for (MergeRegression fold : merge.folds()) {
            assertThat(IntStream.range(0, 20).filter(i -> fold.equals(merge.of(new int[] {i}))))
                    .hasSize(4);
        }
    }

    @Test
    void oneDocumentIsTooFew() {
        assertThat(catchThrowableOfType(UserError.class, () -> LearnedMerge.fit(documents(1)))
                        .what())
                .contains("too few documents");
        assertThat(catchThrowableOfType(UserError.class, () -> LearnedMerge.fit(List.of()))
                        .remedy())
                .contains("model.merge");
    }

    @Test
    void whatIsWrittenIsRead(@TempDir Path directory) throws IOException {
        LearnedMerge merge = LearnedMerge.fit(documents(7));
        merge.write(directory);
        assertThat(LearnedMerge.read(directory, 2)).usingRecursiveComparison().isEqualTo(merge);
        assertThat(catchThrowableOfType(UserError.class, () -> LearnedMerge.read(directory, 3))
                        .what())
                .isEqualTo("The learned merge is of 2 models, the stack has 3");
        Files.writeString(directory.resolve(LearnedMerge.FILE), "{}");
        assertThat(catchThrowableOfType(UserError.class, () -> LearnedMerge.read(directory, 2))
                        .what())
                .isEqualTo("Not the merge of a stacked model");
        assertThat(catchThrowableOfType(UserError.class, () -> LearnedMerge.read(directory.resolve("no"), 2))
                        .what())
                .isEqualTo("The run has no learned merge");
        Files.delete(directory.resolve(LearnedMerge.FILE));
        Files.createDirectory(directory.resolve(LearnedMerge.FILE));
        assertThat(catchThrowableOfType(UserError.class, () -> LearnedMerge.read(directory, 2))
                        .what())
                .startsWith("Cannot read the file");
    }

    @Test
    void aDamagedFileIsNamed(@TempDir Path directory) throws IOException {
        LearnedMerge.fit(documents(7)).write(directory);
        String json = Files.readString(directory.resolve(LearnedMerge.FILE));
        for (String key : List.of("lowest", "scale", "documents")) {
            Files.writeString(
                    directory.resolve(LearnedMerge.FILE),
                    json.replaceFirst("\"" + key + "\" : \\[[^\\]]*\\]", "\"" + key + "\" : null"));
            assertThat(catchThrowableOfType(UserError.class, () -> LearnedMerge.read(directory, 2))
                            .what())
                    .as(key)
                    .isEqualTo("Not the merge of a stacked model");
        }
    }
}
