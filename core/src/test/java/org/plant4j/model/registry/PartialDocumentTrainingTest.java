package org.plant4j.model.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.plant4j.model.Model;
import org.plant4j.model.ModelRegistry;
import org.plant4j.model.ModelType;
import org.plant4j.model.TinyCorpus;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.Engine;
import org.plant4j.text.PartialDocuments;
import org.plant4j.text.Vocabulary;

/** Every network that is trained on partial documents scores documents without known tokens near the prior. */
class PartialDocumentTrainingTest {

    private static final TinyCorpus CORPUS = TinyCorpus.of(100, 1);

    static Stream<ModelType> networks() {
        return ModelRegistry.types().stream()
                .filter(type -> type.example()
                        .flatMap(example -> example.get().network())
                        .isPresent());
    }

    /** These learn more slowly, and prompts of random encoders need smaller steps. */
    private static final Set<String> SLOW = Set.of("msmn", "kept");

    @ParameterizedTest
    @MethodSource("networks")
    void unknownTokensScoreNearTheLabelFrequencies(ModelType type, @TempDir Path directory) {
        Engine.setThreads(1);
        TinyTraining training = TinyTraining.of(
                type.example().orElseThrow().get(),
                type.name().equals("kept") ? 0.01 : 0.02,
                CORPUS,
                1,
                SLOW.contains(type.name()) ? 25 : 10,
                directory.resolve("run"),
                new PartialDocuments(3, 0));
        try (Model model = training.load(training.directory(), Compute.CPU)) {
            float[][] scores = model.score(List.of(new int[0], unknown(4), unknown(12)));
            for (int label = 0; label < TinyCorpus.LABELS; label++) {
                for (float[] document : scores) {
                    assertThat((double) document[label]).isCloseTo(frequency(label), within(0.15));
                }
            }
            assertThat(CORPUS.microF1(model.score(CORPUS.documents()))).isGreaterThan(0.9);
        }
    }

    private static int[] unknown(int length) {
        int[] tokens = new int[length];
        Arrays.fill(tokens, Vocabulary.UNKNOWN);
        return tokens;
    }

    private static double frequency(int label) {
        long documents = IntStream.range(0, CORPUS.size())
                .filter(document -> Arrays.stream(CORPUS.labels(document)).anyMatch(gold -> gold == label))
                .count();
        return (double) documents / CORPUS.size();
    }
}
