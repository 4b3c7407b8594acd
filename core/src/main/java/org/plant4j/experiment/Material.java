package org.plant4j.experiment;

import java.util.Optional;
import org.plant4j.models.Plant;
import org.plant4j.nn.Compute;
import org.plant4j.predict.RunFolder;
import org.plant4j.rank.RankConfig;
import org.plant4j.rank.Relevance;
import org.plant4j.text.PreparedCorpus;

/** What a network starts from, learned before it and shared by runs: word vectors, mutual information, a ranker. */
record Material(
        Experiment experiment,
        PreparedCorpus prepared,
        String corpusPrint,
        StageCache cache,
        Pipeline.Session session) {

    Optional<float[][]> vectors() {
        return experiment
                .vectors()
                .map(config ->
                        cache.get("vectors", vectorPrint(), new VectorStage(config, prepared, session.progress())));
    }

    private String vectorPrint() {
        return new Fingerprint()
                .add(corpusPrint)
                .add(experiment.vectors().orElseThrow())
                .hex();
    }

    /** Only a model that is planted needs it. The run keeps what was planted, to be looked at. */
    Planting planting(RunFolder run, Optional<float[][]> vectors) {
        return experiment.planted().map(model -> planting(model, run, vectors)).orElse(Planting.NONE);
    }

    private Planting planting(Plant.Config model, RunFolder run, Optional<float[][]> vectors) {
        String print = new Fingerprint()
                .add(corpusPrint)
                .add(experiment.relevance().orElseThrow())
                .hex();
        Relevance relevance =
                cache.get("mi", print, new RelevanceStage(experiment.relevance().orElseThrow(), prepared));
        relevance.write(run.relevance());
        if (!model.differentiable()) {
            return new Planting(Optional.of(relevance), Optional.empty());
        }
        RankConfig config = experiment.rank().orElseThrow();
        Compute compute = experiment.compute().open();
        Fingerprint rankPrint =
                new Fingerprint().add(print).add(config).add(model.ranker()).add(compute.precision());
        if (config.start() == RankConfig.Start.VECTORS) {
            rankPrint.add(vectorPrint());
        }
        cache.get(
                        "rank",
                        rankPrint.hex(),
                        new RankStage(config, model.ranker(), prepared, relevance, vectors, compute, session))
                .copyRanker(run);
        return new Planting(
                Optional.of(relevance),
                Optional.of(run.openRanker(
                        prepared.vocabulary().size(), prepared.labels().size(), compute)));
    }
}
