package org.plant4j.experiment;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.plant4j.UserError;
import org.plant4j.models.Average;
import org.plant4j.models.Model;
import org.plant4j.models.ModelConfig;
import org.plant4j.models.Models;
import org.plant4j.predict.RunFolder;
import org.plant4j.text.PreparedCorpus;

/** Runs the members of an average, each as a run of its own that is reused where it is done, and gathers their models. */
record AverageStage(Experiment experiment, Average.Config config, Path runs, Pipeline.Session session) {

    /** One run a member and seed, on as many training documents as the average; all must read the same corpus. */
    List<Pipeline> members(String corpusPrint) {
        List<Long> seeds = config.seeds().isEmpty() ? List.of(experiment.seed()) : config.seeds();
        List<Pipeline> members = new ArrayList<>();
        for (String named : config.members()) {
            Experiment file = ExperimentFile.open(named, List.of());
            if (file.model() instanceof Average.Config) {
                throw new UserError(
                        "A member of the average is an average itself", named, "name its members instead, with seeds");
            }
            for (long seed : seeds) {
                Experiment member = file.withTrainingDocuments(experiment.text().trainingDocuments())
                        .withSeed(seed);
                Pipeline pipeline = new Pipeline(member, runs, session(member.name()));
                if (!new PrepareStage(member, session).fingerprint().equals(corpusPrint)) {
                    throw new UserError(
                            "Member " + member.name() + " does not share the corpus, the words and the codes of "
                                    + experiment.name(),
                            named,
                            "give both the same corpus, text and unlabelled, with text.unseen the same codebooks; a sample of training documents, the same seed");
                }
                members.add(pipeline);
            }
        }
        return members;
    }

    /** Only what is asked for by name is replaced by force: members are reused. */
    private Pipeline.Session session(String member) {
        return new Pipeline.Session(
                session.command(),
                session.badRows(),
                false,
                session.progress(),
                session.stop(),
                (stage, outcome) -> session.listener().stage(stage, member + ": " + outcome));
    }

    /** False where a member was interrupted. */
    boolean run(RunFolder folder, PreparedCorpus prepared, List<Pipeline> members) {
        for (Pipeline member : members) {
            if (!member.run()) {
                return false;
            }
        }
        List<ModelConfig> configs = new ArrayList<>();
        List<Model> models = new ArrayList<>();
        try {
            for (Pipeline member : members) {
                ModelConfig one = member.folder().modelConfig();
                configs.add(one);
                models.add(Models.load(
                        one,
                        member.folder().path(),
                        prepared.vocabulary().size(),
                        prepared.labels(),
                        experiment.compute().open()));
            }
            new Average(models).save(folder.path());
        } finally {
            models.forEach(Model::close);
        }
        folder.write(folder.model(), new Average.Trained(configs));
        session.listener().stage("train", members.size() + " members");
        return true;
    }
}
