package org.plant4j.experiment;

import java.nio.file.Path;
import java.util.Optional;
import org.plant4j.models.PlantedConfig;
import org.plant4j.nn.BertEncoder;
import org.plant4j.nn.Compute;
import org.plant4j.nn.EncoderFolder;
import org.plant4j.predict.RunFolder;
import org.plant4j.rank.RankConfig;
import org.plant4j.rank.Relevance;
import org.plant4j.text.PreparedCorpus;
import org.plant4j.train.History;

/**
 * What a network starts from, learned before it and shared by runs: word vectors, a language model, an encoder, mutual
 * information, a ranker. Those that are learned from whole documents hang on the {@code textPrint} alone, so that runs with
 * passages share them with runs without.
 */
record Material(
        Experiment experiment,
        PreparedCorpus prepared,
        String corpusPrint,
        String textPrint,
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
                .add(textPrint)
                .add(experiment.vectors().orElseThrow())
                .hex();
    }

    /** What the encoder starts from: the language model, or the folder of a pretrained encoder, which may have gone on learning. */
    Optional<Path> start(RunFolder run) {
        return languageModel(run)
                .or(() -> furtherPretrained(run))
                .or(() -> experiment.pretrainedEncoder().map(EncoderFolder::path));
    }

    /** The weights of the language model that the encoder starts from; the run keeps how it was learned. */
    private Optional<Path> languageModel(RunFolder run) {
        return experiment.languageModel().map(config -> {
            Compute compute = experiment.compute().open();
            boolean backward = experiment.readsBackward();
            Fingerprint print = new Fingerprint().add(textPrint).add(backward).add(compute.precision());
            String hex = LmStage.fingerprint(print, config).hex();
            RunFolder learned = cache.get(
                    LmStage.NAME,
                    hex,
                    new LmStage(config, backward, prepared, compute, session, cache.unfinished(LmStage.NAME, hex)));
            run.write(run.languageModelHistory(), learned.read(learned.languageModelHistory(), History.class));
            return learned.languageModel();
        });
    }

    /** The folder of the pretrained encoder after it went on learning; the run keeps how. */
    private Optional<Path> furtherPretrained(RunFolder run) {
        return experiment.furtherPretraining().map(config -> {
            Compute compute = experiment.compute().open();
            EncoderFolder from = experiment.pretrainedEncoder().orElseThrow();
            BertEncoder.Config reader = experiment.maskedReader().orElseThrow();
            String print = new Fingerprint()
                    .add(textPrint)
                    .add(compute.precision())
                    .add(config)
                    .add(reader)
                    .addFiles(from.weights())
                    .hex();
            Path unfinished = cache.unfinished(MlmStage.NAME, print);
            RunFolder learned = cache.get(
                    MlmStage.NAME, print, new MlmStage(config, reader, from, prepared, compute, session, unfinished));
            run.write(run.maskedModelHistory(), learned.read(learned.maskedModelHistory(), History.class));
            return learned.path();
        });
    }

    /** Only a model that is planted needs it. The run keeps what was planted, to be looked at. */
    Planting planting(RunFolder run, Optional<float[][]> vectors) {
        return experiment.planted().map(model -> planting(model, run, vectors)).orElse(Planting.NONE);
    }

    private Planting planting(PlantedConfig model, RunFolder run, Optional<float[][]> vectors) {
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
                        prepared.vocabulary().size(), prepared.labels().seen(), compute)));
    }
}
