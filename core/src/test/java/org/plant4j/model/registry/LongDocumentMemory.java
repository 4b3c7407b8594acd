package org.plant4j.model.registry;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.plant4j.Progress;
import org.plant4j.encoder.AwdLstm;
import org.plant4j.encoder.EncoderConfig;
import org.plant4j.model.ClassificationObjective;
import org.plant4j.model.NoValidation;
import org.plant4j.model.TinyCorpus;
import org.plant4j.model.plant.Direction;
import org.plant4j.model.plant.Plant;
import org.plant4j.rank.MutualInformation;
import org.plant4j.rank.RankModel;
import org.plant4j.tensor.Batches;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.Engine;
import org.plant4j.train.FineTuning;
import org.plant4j.train.Trainer;
import org.plant4j.train.TrainerConfig;
import org.plant4j.train.TrainingCheckpoint;

/**
 * Trains one step on a document with the given number of tokens, scores it and computes evidence, in segments of 72 tokens;
 * then prints the peak memory of the process in KiB.
 */
final class LongDocumentMemory {

    private static final int VOCABULARY = 2_000;
    private static final int LABELS = 1_000;
    private static final int SEGMENT = 72;

    private LongDocumentMemory() {}

    public static void main(String[] arguments) throws IOException {
        int tokens = Integer.parseInt(arguments[0]);
        Engine.setThreads(1);
        Random random = new Random(1);
        int[] document = random.ints(tokens, 2, VOCABULARY).toArray();
        TinyCorpus corpus = new TinyCorpus(List.of(document), List.of(new int[] {1, 500}));
        Path directory = Files.createTempDirectory("long-document");
        try (Plant plant = planted(random)) {
            train(plant, corpus, directory.resolve("checkpoint"));
            plant.score(List.of(document));
            plant.evidence(document, new int[] {1, 500});
        } finally {
            Files.deleteIfExists(directory.resolve("checkpoint"));
            Files.delete(directory);
        }
        System.out.println(peakKiB());
    }

    private static Plant planted(Random random) {
        Plant.Config config = Plant.Config.builder(
                        new EncoderConfig.Awd(new AwdLstm.Config(64, 64, 2, 0.1, 0.1, 0.1, 0.1, 1)))
                .ranker(new RankModel.Config(RankModel.Scorer.DOT, 32, 1))
                .dropout(0.1)
                .initialBias(-3)
                .direction(Direction.BACKWARD)
                .segment(SEGMENT)
                .window(SEGMENT)
                .build();
        List<int[]> documents = random.ints(200, 0, LABELS)
                .mapToObj(i -> random.ints(50, 2, VOCABULARY).toArray())
                .toList();
        List<int[]> codes = documents.stream()
                .map(d -> random.ints(5, 0, LABELS).distinct().toArray())
                .toList();
        Plant plant = config.build(VOCABULARY, LABELS, Compute.CPU);
        try (RankModel ranker = new RankModel(config.ranker(), VOCABULARY, LABELS, Compute.CPU)) {
            plant.plant(
                    new MutualInformation(MutualInformation.Kind.GAIN, 20)
                            .compute(new TinyCorpus(documents, codes), VOCABULARY, LABELS),
                    Optional.of(ranker));
        }
        return plant;
    }

    private static void train(Plant plant, TinyCorpus corpus, Path checkpoint) {
        new Trainer<>(
                        new TrainerConfig(1, 0.3, 1, 0.9, 0.99, 1),
                        new ClassificationObjective(
                                plant,
                                new Batches(corpus, 1, SEGMENT, 1),
                                FineTuning.uniform(0.001, 0),
                                new NoValidation()),
                        Compute.CPU,
                        1,
                        new TrainingCheckpoint(checkpoint, "test"),
                        Progress.NONE,
                        () -> false)
                .run();
    }

    private static long peakKiB() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("VmHWM:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                .findFirst()
                .orElseThrow();
    }
}
