package org.plant4j.model.ensemble;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.plant4j.model.MemberCombiner;
import org.plant4j.model.Model;
import org.plant4j.model.ModelConfig;
import org.plant4j.model.TrainingContext;
import org.plant4j.model.linear.PairRegression.Pair;
import org.plant4j.model.output.BatchPredictor;
import org.plant4j.model.output.EvidenceMethod;
import org.plant4j.model.output.PredictionRequest;
import org.plant4j.support.Arguments;
import org.plant4j.tensor.Compute;
import org.plant4j.text.Dataset;
import org.plant4j.text.LabelIndex;

/**
 * Several models with the same vocabulary and labels, merged by a regression that is learned on dev (stacked generalization): PLANT
 * and mention matching, for example, know different labels. Each member proposes labels for a document, those that it scores
 * highest; {@link LearnedMerge} scores them, and all others have score 0. The evidence of a member counts by its score of the label.
 */
public final class StackedModel implements Model {

    /**
     * Settings of a stack.
     *
     * @param members experiments by file or packaged name, trained as those of an {@link Ensemble}
     * @param seeds with which each member is trained; without seeds with that of the stack
     * @param candidates labels that each member proposes for a document
     * @param merge directory of a run whose merge is used, for corpora without dev labels; empty to learn it on dev
     */
    public record Config(List<String> members, List<Long> seeds, int candidates, Optional<String> merge)
            implements CombinedConfig {

        public Config {
            Arguments.check(!members.isEmpty(), "members", "none", "one or more");
            Arguments.atLeast(1, "candidates", candidates);
            members = List.copyOf(members);
            seeds = List.copyOf(seeds);
        }

        /** A small configuration for the contract test. */
        public static Config example() {
            return new Config(List.of("linear"), List.of(1L, 2L), 4, Optional.empty());
        }

        @Override
        public boolean train(TrainingContext context) {
            return context.trainMembers((configs, models) -> {
                Members trained = new Members(models);
                LearnedMerge learned = merge.map(Path::of)
                        .map(run -> LearnedMerge.read(run, trained.count()))
                        .orElseGet(() -> learn(trained, context.devData(), context.labels(), candidates));
                StackedModel stack = new StackedModel(trained, candidates, learned, context.labels());
                return new MemberCombiner.Combined(new TrainedConfig(configs, candidates), stack);
            });
        }

        @Override
        public Optional<MergeSettings> memberMerge() {
            return Optional.of(
                    new MergeSettings(candidates, merge.map(run -> Path.of(run).resolve(LearnedMerge.FILE))));
        }
    }

    /** The configs of the trained members, as stored in a run directory. */
    public record TrainedConfig(List<ModelConfig> members, int candidates) implements ModelConfig {

        public TrainedConfig {
            members = List.copyOf(members);
        }

        @Override
        public boolean train(TrainingContext context) {
            throw new UnsupportedOperationException("The stack is already trained");
        }

        @Override
        public StackedModel load(Path directory, int vocabularySize, LabelIndex labels, Compute compute) {
            LearnedMerge merge = LearnedMerge.read(directory, members.size());
            return new StackedModel(
                    Members.load(members, directory, vocabularySize, labels, compute), candidates, merge, labels);
        }
    }

    private static final int CHUNK = 64; // dev documents that are scored together

    private final Members members;
    private final int candidates;
    private final LearnedMerge merge;
    private final double[] logFrequencies; // ln(1 + f) of the training documents f of each label

    /** Takes ownership of the members and closes them with itself. */
    StackedModel(Members members, int candidates, LearnedMerge merge, LabelIndex labels) {
        Arguments.check(
                merge.stacking().members() == members.count(),
                "members",
                members.count(),
                merge.stacking().members() + ", as many as the merge was learned from");
        this.members = members;
        this.candidates = candidates;
        this.merge = merge;
        this.logFrequencies = logFrequencies(labels);
    }

    private static double[] logFrequencies(LabelIndex labels) {
        return Arrays.stream(labels.frequencies()).mapToDouble(Math::log1p).toArray();
    }

    /** Learns to merge from the dev documents that have labels. */
    static LearnedMerge learn(Members members, Dataset dev, LabelIndex labels, int candidates) {
        double[] logFrequencies = logFrequencies(labels);
        int[] labelled = IntStream.range(0, dev.size())
                .filter(document -> dev.labels(document).length > 0)
                .toArray();
        List<LearnedMerge.DevDocument> documents = new ArrayList<>();
        for (int start = 0; start < labelled.length; start += CHUNK) {
            int[] chunk = Arrays.copyOfRange(labelled, start, Math.min(labelled.length, start + CHUNK));
            List<int[]> tokens = Arrays.stream(chunk).mapToObj(dev::tokens).toList();
            List<float[][]> scores =
                    members.models().stream().map(model -> model.score(tokens)).toList();
            for (int i = 0; i < chunk.length; i++) {
                MemberScores ofDocument = MemberScores.of(scores, i);
                int[] gold = dev.labels(chunk[i]);
                List<Pair> pairs = ofDocument
                        .candidates(candidates)
                        .mapToObj(label -> MergeRegression.pair(
                                ofDocument.of(label), logFrequencies[label], Arrays.binarySearch(gold, label) >= 0))
                        .toList();
                documents.add(LearnedMerge.DevDocument.of(tokens.get(i), pairs));
            }
        }
        return LearnedMerge.fit(documents);
    }

    /** The scores of a document by each member, (members, labels). */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record MemberScores(float[][] rows) {

        static MemberScores of(List<float[][]> scores, int document) {
            return new MemberScores(scores.stream().map(rows -> rows[document]).toArray(float[][]::new));
        }

        double[] of(int label) {
            return Arrays.stream(rows).mapToDouble(row -> row[label]).toArray();
        }

        /** The labels that any member scores above 0 and among its highest {@code count}; with ties more. */
        IntStream candidates(int count) {
            double[] lowest = Arrays.stream(rows)
                    .mapToDouble(row -> Math.max(lowestOf(row, count), Float.MIN_VALUE))
                    .toArray();
            return IntStream.range(0, rows[0].length)
                    .filter(label ->
                            IntStream.range(0, rows.length).anyMatch(member -> rows[member][label] >= lowest[member]));
        }

        private static float lowestOf(float[] scores, int count) {
            float[] sorted = scores.clone();
            Arrays.sort(sorted);
            return count >= sorted.length ? 0 : sorted[sorted.length - count];
        }

        /** The share of a member in the sum of all members' scores of a label. */
        float share(int member, int label) {
            double sum = Arrays.stream(of(label)).sum();
            return sum == 0 ? 1 : (float) (rows[member][label] / sum);
        }
    }

    @Override
    public int labels() {
        return members.labels();
    }

    @Override
    public List<int[]> batches(List<int[]> documents, PredictionRequest request) {
        return members.batches(documents, request.withScores());
    }

    /**
     * The methods of the members. Unless a request chooses one that a member supports, the member uses its own default.
     */
    @Override
    public List<EvidenceMethod> evidenceMethods() {
        return EvidenceMethod.ofAttentionNetworks().stream()
                .filter(method -> members.models().stream()
                        .anyMatch(member -> member.evidenceMethods().contains(method)))
                .toList();
    }

    @Override
    public BatchPredictor predictor(List<int[]> documents, PredictionRequest request) {
        evidenceMethod(request); // checks it
        return new StackPredictor(
                documents.stream()
                        .map(document -> merge.of(request.source().orElse(document)))
                        .toList(),
                members.models().stream()
                        .map(member -> member.predictor(documents, requestOf(member, request)))
                        .toList());
    }

    /** Evidence is weighted by scores, so members always compute them, from the same encoding. */
    private static PredictionRequest requestOf(Model member, PredictionRequest request) {
        return request.withScores()
                .withEvidenceMethod(request.evidenceMethod()
                        .filter(member.evidenceMethods()::contains)
                        .orElse(member.evidenceMethods().get(0)));
    }

    private final class StackPredictor implements BatchPredictor {

        private final List<MergeRegression> stackings; // by document
        private final List<BatchPredictor> predictors;
        private List<MemberScores> memberScores = List.of(); // by document, computed when first needed

        StackPredictor(List<MergeRegression> stackings, List<BatchPredictor> predictors) {
            this.stackings = stackings;
            this.predictors = predictors;
        }

        private List<MemberScores> memberScores() {
            if (memberScores.isEmpty()) {
                List<float[][]> scores =
                        predictors.stream().map(BatchPredictor::scores).toList();
                memberScores = IntStream.range(0, stackings.size())
                        .mapToObj(document -> MemberScores.of(scores, document))
                        .toList();
            }
            return memberScores;
        }

        @Override
        public float[][] scores() {
            return IntStream.range(0, stackings.size())
                    .mapToObj(document -> merged(memberScores().get(document), stackings.get(document)))
                    .toArray(float[][]::new);
        }

        private float[] merged(MemberScores scores, MergeRegression stacking) {
            float[] merged = new float[labels()];
            scores.candidates(candidates)
                    .forEach(label ->
                            merged[label] = (float) stacking.probability(scores.of(label), logFrequencies[label]));
            return merged;
        }

        private MemberEvidence evidence() {
            return new MemberEvidence(
                    predictors,
                    (member, document, label) -> memberScores().get(document).share(member, label));
        }

        @Override
        public List<float[][]> evidence(List<int[]> labels) {
            memberScores(); // before the evidence, so that the encoding is kept
            return evidence().inDocuments(labels);
        }

        @Override
        public List<List<float[]>> descriptionEvidence(List<int[]> labels) {
            memberScores();
            return evidence().inDescriptions(labels);
        }

        @Override
        public void close() {
            predictors.forEach(BatchPredictor::close);
        }
    }

    @Override
    public void save(Path directory) {
        members.save(directory);
        merge.write(directory);
    }

    @Override
    public void close() {
        members.close();
    }
}
