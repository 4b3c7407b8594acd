package org.plant4j.model.ensemble;

import java.nio.file.Path;
import java.util.List;
import org.plant4j.model.MemberCombiner;
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
    public record Config(List<String> members, List<Long> seeds) implements CombinedConfig {
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
            return context.trainMembers(
                    (configs, models) -> new MemberCombiner.Combined(new TrainedConfig(configs), new Ensemble(models)));
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
            return new Ensemble(Members.load(members, directory, vocabularySize, labels, compute));
        }
    }

    private final Members members;

    /** Takes ownership of the members and closes them with itself. */
    public Ensemble(List<Model> members) {
        this(new Members(members));
    }

    private Ensemble(Members members) {
        this.members = members;
    }

    @Override
    public int labels() {
        return members.labels();
    }

    @Override
    public List<int[]> batches(List<int[]> documents, PredictionRequest request) {
        return members.batches(documents, request);
    }

    /** The methods that all members support. Without a chosen one, each member uses its own default. */
    @Override
    public List<EvidenceMethod> evidenceMethods() {
        return members.models().get(0).evidenceMethods().stream()
                .filter(method -> members.models().stream()
                        .allMatch(member -> member.evidenceMethods().contains(method)))
                .toList();
    }

    @Override
    public BatchPredictor predictor(List<int[]> documents, PredictionRequest request) {
        return new MeanPredictor(members.models().stream()
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
                    for (int label = 0; label < sum[document].length; label++) {
                        sum[document][label] += scores[document][label];
                    }
                }
            }
            for (float[] row : sum) {
                for (int label = 0; label < row.length; label++) {
                    row[label] /= members.size();
                }
            }
            return sum;
        }

        private MemberEvidence evidence() {
            return new MemberEvidence(members, (member, document, label) -> 1);
        }

        @Override
        public List<float[][]> evidence(List<int[]> labels) {
            return evidence().inDocuments(labels);
        }

        @Override
        public List<List<float[]>> descriptionEvidence(List<int[]> labels) {
            return evidence().inDescriptions(labels);
        }

        @Override
        public void close() {
            members.forEach(BatchPredictor::close);
        }
    }

    @Override
    public void save(Path directory) {
        members.save(directory);
    }

    @Override
    public void close() {
        members.close();
    }
}
