package org.plant4j.model.registry;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.plant4j.model.EvidenceWeights;
import org.plant4j.model.Model;
import org.plant4j.model.ModelConfig;
import org.plant4j.model.TrainingContext;
import org.plant4j.model.output.BatchPredictor;
import org.plant4j.model.output.EvidenceMethod;
import org.plant4j.model.output.PredictionRequest;
import org.plant4j.support.Arguments;
import org.plant4j.tensor.Compute;
import org.plant4j.text.LabelIndex;

/**
 * The mean of several models with the same vocabulary and labels, for example a forward and a backward PLANT, or one
 * model trained with several seeds. Scores are averaged over all members, evidence over those that have evidence for a
 * label.
 *
 * <p>An ensemble has no shared views, since the views of different members do not correspond to each other.
 */
public final class Ensemble implements Model {

    /**
     * Experiments by file or packaged name, each trained with each seed; without seeds with that of the ensemble. An
     * experiment that is listed again is trained again, with other seeds.
     */
    public record Config(List<String> members, List<Long> seeds) implements ModelConfig {
        public Config {
            Arguments.check(!members.isEmpty(), "members", "none", "one or more");
            members = List.copyOf(members);
            seeds = List.copyOf(seeds);
        }

        /** A small configuration for the contract test. */
        public static Config example() {
            return new Config(List.of("linear"), List.of(1L, 2L));
        }

        @Override
        public boolean train(TrainingContext context) {
            return context.trainMembers();
        }

        /** A run directory stores {@link TrainedConfig} instead. */
        @Override
        public Model load(Path directory, int vocabularySize, LabelIndex labels, Compute compute) {
            throw new UnsupportedOperationException("The members of the ensemble are not trained");
        }

        /** Support for zero-shot labels is checked for each member. */
        @Override
        public boolean supportsZeroShot() {
            return true;
        }

        @Override
        public List<String> memberExperiments() {
            return members;
        }

        @Override
        public List<Long> memberSeeds() {
            return seeds;
        }
    }

    /** The configs of the trained members, as stored in a run directory. */
    public record TrainedConfig(List<ModelConfig> members) implements ModelConfig {
        public TrainedConfig {
            members = List.copyOf(members);
        }

        @Override
        public boolean train(TrainingContext context) {
            throw new UnsupportedOperationException("The ensemble is already trained");
        }

        @Override
        public Ensemble load(Path directory, int vocabularySize, LabelIndex labels, Compute compute) {
            List<Model> loaded = new ArrayList<>();
            try {
                for (ModelConfig member : members) {
                    loaded.add(member.load(memberDirectory(directory, loaded.size()), vocabularySize, labels, compute));
                }
                return new Ensemble(loaded);
            } catch (RuntimeException | Error e) {
                loaded.forEach(Model::close);
                throw e;
            }
        }
    }

    private final List<Model> members;

    /** Takes ownership of the members and closes them with itself. */
    public Ensemble(List<Model> members) {
        Arguments.check(!members.isEmpty(), "members", "none", "one or more");
        this.members = List.copyOf(members);
        for (Model member : members) {
            Arguments.check(member.labels() == labels(), "labels", member.labels(), String.valueOf(labels()));
        }
    }

    private static Path memberDirectory(Path directory, int index) {
        return directory.resolve("members").resolve(Integer.toString(index));
    }

    @Override
    public int labels() {
        return members.get(0).labels();
    }

    /** The smallest batches that any member needs. */
    @Override
    public List<int[]> batches(List<int[]> documents, PredictionRequest request) {
        return members.stream()
                .map(member -> member.batches(documents, request))
                .max(Comparator.comparingInt(List::size))
                .orElseThrow();
    }

    /** The methods that all members support. Without a chosen one, each member uses its own default. */
    @Override
    public List<EvidenceMethod> evidenceMethods() {
        return members.get(0).evidenceMethods().stream()
                .filter(method -> members.stream()
                        .allMatch(member -> member.evidenceMethods().contains(method)))
                .toList();
    }

    @Override
    public BatchPredictor predictor(List<int[]> documents, PredictionRequest request) {
        return new MeanPredictor(members.stream()
                .map(member -> member.predictor(documents, request))
                .toList());
    }

    private record MeanPredictor(List<BatchPredictor> members) implements BatchPredictor {

        @Override
        public float[][] scores() {
            float[][] sum = members.get(0).scores();
            for (BatchPredictor member : members.subList(1, members.size())) {
                float[][] scores = member.scores();
                for (int document = 0; document < sum.length; document++) {
                    add(sum[document], scores[document]);
                }
            }
            for (float[] row : sum) {
                for (int label = 0; label < row.length; label++) {
                    row[label] /= members.size();
                }
            }
            return sum;
        }

        @Override
        public List<float[][]> evidence(List<int[]> labels) {
            List<float[][]> sum = members.get(0).evidence(labels);
            for (BatchPredictor member : members.subList(1, members.size())) {
                List<float[][]> weights = member.evidence(labels);
                for (int document = 0; document < sum.size(); document++) {
                    for (int i = 0; i < sum.get(document).length; i++) {
                        add(sum.get(document)[i], weights.get(document)[i]);
                    }
                }
            }
            sum.forEach(rows -> Arrays.stream(rows).forEach(EvidenceWeights::normalize));
            return sum;
        }

        /** Members may read different numbers of tokens of a long description. */
        @Override
        public List<List<float[]>> descriptionEvidence(List<int[]> labels) {
            float[][][] sum =
                    labels.stream().map(chosen -> new float[chosen.length][0]).toArray(float[][][]::new);
            for (BatchPredictor member : members) {
                List<List<float[]>> weights = member.descriptionEvidence(labels);
                for (int document = 0; document < sum.length; document++) {
                    for (int i = 0; i < sum[document].length; i++) {
                        float[] more = weights.get(document).get(i);
                        sum[document][i] =
                                Arrays.copyOf(sum[document][i], Math.max(sum[document][i].length, more.length));
                        add(sum[document][i], more);
                    }
                }
            }
            return Arrays.stream(sum)
                    .map(rows -> {
                        Arrays.stream(rows).forEach(EvidenceWeights::normalize);
                        return List.of(rows);
                    })
                    .toList();
        }

        @Override
        public void close() {
            members.forEach(BatchPredictor::close);
        }
    }

    private static void add(float[] sum, float[] more) {
        for (int i = 0; i < more.length; i++) {
            sum[i] += more[i];
        }
    }

    /** Saves each member in a subdirectory: {@code members/0}, {@code members/1}, … */
    @Override
    public void save(Path directory) {
        for (int i = 0; i < members.size(); i++) {
            Path memberDirectory = memberDirectory(directory, i);
            try {
                Files.createDirectories(memberDirectory);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            members.get(i).save(memberDirectory);
        }
    }

    @Override
    public void close() {
        members.forEach(Model::close);
    }
}
