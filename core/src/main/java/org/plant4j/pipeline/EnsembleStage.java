package org.plant4j.pipeline;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.plant4j.UserError;
import org.plant4j.experiment.Experiment;
import org.plant4j.experiment.ExperimentFile;
import org.plant4j.experiment.PreprocessingSettings;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.model.MemberCombiner;
import org.plant4j.model.Model;
import org.plant4j.model.ModelConfig;
import org.plant4j.model.ensemble.StackedModel;
import org.plant4j.pipeline.evaluation.SplitScores;
import org.plant4j.pipeline.stage.Session;
import org.plant4j.text.PreparedCorpus;
import org.plant4j.text.ZeroShotLabels;

/** Runs the members of an ensemble, each as a separate run that is reused if it exists, and combines their models. */
final class EnsembleStage {

    /** From the seed of a member to that of the same member listed once more. */
    private static final long SEED_DISTANCE = 1_000;

    private static final String SAME_MEMBERS =
            "name a run of the same members in the same order, with the same model.candidates";

    private final Experiment experiment;
    private final Path runs;
    private final Session session;
    private final DataEngine engine;

    EnsembleStage(Experiment experiment, Path runs, Session session, DataEngine engine) {
        this.experiment = experiment;
        this.runs = runs;
        this.session = session;
        this.engine = engine;
    }

    /**
     * One run per member and seed; a member that is listed again has other seeds. All runs are on the same corpus, prepared like
     * that of the ensemble.
     */
    List<Pipeline> members(String corpusFingerprint) {
        List<Long> seeds = experiment.model().memberSeeds().isEmpty()
                ? List.of(experiment.seed())
                : experiment.model().memberSeeds();
        Map<String, Experiment> files = new HashMap<>();
        experiment
                .model()
                .memberExperiments()
                .forEach(reference -> files.computeIfAbsent(reference, each -> ExperimentFile.open(each, List.of())));
        experiment
                .model()
                .memberMerge()
                .ifPresent(merge ->
                        checkMerge(
                                merge,
                                experiment.model().memberExperiments().stream()
                                        .flatMap(reference -> Collections.nCopies(
                                                seeds.size(),
                                                Objects.requireNonNull(files.get(reference))
                                                        .model())
                                                .stream())
                                        .toList()));
        List<Pipeline> members = new ArrayList<>();
        Map<String, Integer> listed = new HashMap<>();
        for (String reference : experiment.model().memberExperiments()) {
            Experiment file = Objects.requireNonNull(files.get(reference));
            if (!file.model().memberExperiments().isEmpty()) {
                throw new UserError(
                        "A member is an ensemble or a stack itself", reference, "name its members instead, with seeds");
            }
            checkPreparation(file, reference);
            long distance = SEED_DISTANCE * (listed.merge(reference, 1, Integer::sum) - 1);
            for (long seed : seeds) {
                Experiment member = file.withTrainingDocuments(
                                experiment.preprocessing().maxTrainingDocuments())
                        .preparedLike(experiment)
                        .withSeed(seed + distance);
                Pipeline pipeline = new Pipeline(member, runs, session(member.name()), engine);
                if (session.group().isFirst()
                        && !new CorpusStage(member, session, engine)
                                .fingerprint()
                                .equals(corpusFingerprint)) {
                    throw new UserError(
                            "Member " + member.name() + " differs in corpus, vocabulary or labels from "
                                    + experiment.name(),
                            reference,
                            "use the same corpus and the same pretrained_encoder for both, with zero-shot labels also the same"
                                    + " code_sets, and with a sample of training documents the same seed; a member that"
                                    + " matches descriptions needs model.descriptions: false");
                }
                members.add(pipeline);
            }
        }
        return members;
    }

    /** A member may be prepared with more than its own settings ask for, but not lose what it trains on. */
    private void checkPreparation(Experiment member, String reference) {
        PreprocessingSettings own = member.preprocessing();
        PreprocessingSettings shared = experiment.preprocessing();
        boolean losesPassages = own.passageTokens() > 0 && shared.passageTokens() == 0;
        boolean losesLabels =
                own.zeroShotLabels() != ZeroShotLabels.NONE && shared.zeroShotLabels() == ZeroShotLabels.NONE;
        boolean losesText = !experiment.unlabelled().containsAll(member.unlabelled());
        if (losesPassages || losesLabels || losesText) {
            String setting = losesPassages
                    ? "preprocessing.passage_tokens"
                    : losesLabels ? "preprocessing.zero_shot_labels" : "unlabelled";
            throw new UserError(
                    "Member " + member.name() + " would lose its " + setting + ", because " + experiment.name()
                            + " does not have it",
                    reference,
                    "let " + experiment.name() + " extend the experiment of that member, or use a member without "
                            + setting);
        }
    }

    /** The regression weighs the members by their position: other types of models in it have other scores. */
    private static void checkMember(ModelConfig trained, ModelConfig member, int position, String where) {
        if (trained.getClass() != member.getClass()) {
            throw new UserError(
                    "Member " + (position + 1) + " of the run whose merge is used is of another type",
                    where,
                    SAME_MEMBERS);
        }
    }

    /** {@code force} replaces only the ensemble itself: members are reused. */
    private Session session(String member) {
        return new Session(
                session.command(),
                session.badRows(),
                false,
                session.progress(),
                session.stop(),
                (stage, outcome) -> session.listener().onStage(stage, member + ": " + outcome),
                session.group());
    }

    /** A run cannot use its own merge, which it would replace. */
    static void checkMergeIsOutside(Path directory, Experiment experiment) {
        experiment
                .model()
                .memberMerge()
                .flatMap(ModelConfig.MergeSettings::file)
                .ifPresent(merge -> {
                    Path run = merge.resolveSibling("");
                    StartRun.checkIsOutside(directory, run, "model.merge: " + run, "whose merge it uses");
                });
    }

    /** Checks a merge that is taken from another run before the members are trained, which may take hours. */
    private static void checkMerge(ModelConfig.MergeSettings merge, List<ModelConfig> members) {
        if (merge.file().isEmpty()) {
            return;
        }
        Path file = merge.file().get();
        RunDirectory run = new RunDirectory(file.resolveSibling(""));
        String where = "model.merge: " + run.path();
        if (!Files.exists(run.manifest())) {
            throw new UserError(
                    "The run whose merge is used does not exist", where, "name the directory of a stacked model's run");
        }
        RunDirectory.open(run.path()).require(file);
        if (run.modelConfig() instanceof StackedModel.TrainedConfig trained
                && (trained.members().size() != members.size() || trained.candidates() != merge.candidates())) {
            throw new UserError(
                    "The run whose merge is used has " + trained.members().size() + " members and "
                            + trained.candidates() + " candidates, this model has " + members.size() + " and "
                            + merge.candidates(),
                    where,
                    SAME_MEMBERS);
        }
        if (run.modelConfig() instanceof StackedModel.TrainedConfig trained) {
            for (int i = 0; i < members.size(); i++) {
                checkMember(trained.members().get(i), members.get(i), i, where);
            }
        }
    }

    /** Returns false if a member was interrupted. */
    boolean run(RunDirectory directory, PreparedCorpus prepared, List<Pipeline> members, MemberCombiner combiner) {
        boolean learns = experiment
                .model()
                .memberMerge()
                .filter(merge -> merge.file().isEmpty())
                .isPresent();
        if (learns && !SplitScores.hasGold(prepared.split(PreparedCorpus.DEV))) { // before the members are trained
            throw new UserError(
                    "Dev has no labels to learn the merge of the members from",
                    "model.merge",
                    "name a run of this model with dev labels whose merge is used: --set model.merge=runs/NAME");
        }
        for (Pipeline member : members) {
            if (!member.run()) {
                return false;
            }
        }
        return session.group().decide(() -> combine(directory, prepared, members, combiner));
    }

    private boolean combine(
            RunDirectory directory, PreparedCorpus prepared, List<Pipeline> members, MemberCombiner combiner) {
        List<ModelConfig> configs = new ArrayList<>();
        List<Model> models = new ArrayList<>();
        try {
            for (Pipeline member : members) {
                ModelConfig config = member.runDirectory().modelConfig();
                configs.add(config);
                models.add(config.load(
                        member.runDirectory().path(),
                        prepared.vocabulary().size(),
                        prepared.labels(),
                        experiment.compute().open()));
            }
            MemberCombiner.Combined combined = combiner.combine(configs, models);
            directory.add(staging -> {
                combined.model().save(staging.path());
                staging.write(staging.model(), combined.config());
            });
        } finally {
            models.forEach(Model::close);
        }
        session.listener().onStage("model", members.size() + " members");
        return true;
    }
}
