package org.plant4j.pipeline;

import java.nio.file.Path;
import java.util.Optional;
import org.plant4j.encoder.BertEncoder;
import org.plant4j.encoder.EncoderDirectory;
import org.plant4j.experiment.Experiment;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.model.plant.PlantedConfig;
import org.plant4j.rank.RankConfig;
import org.plant4j.rank.Relevance;
import org.plant4j.tensor.Compute;
import org.plant4j.text.PreparedCorpus;
import org.plant4j.train.TrainingHistory;

/**
 * What a network starts from, learned before it and shared by runs: word vectors, a language model, an encoder, mutual
 * information, a ranker. Those that are learned from whole documents hang on the {@code textPrint} alone, so that runs with
 * passages share them with runs without.
 */
public record PretrainingInputs(
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
                        cache.get("word-vectors", vectorPrint(), new WordVectorStage(config, prepared, session.progress())));
    }

    private String vectorPrint() {
        return new Fingerprint()
                .add(textPrint)
                .add(experiment.vectors().orElseThrow())
                .hex();
    }

    /** What the encoder starts from: the language model, or the folder of a pretrained encoder, which may have gone on learning. */
    Optional<Path> encoderStart(RunDirectory run) {
        return languageModel(run)
                .or(() -> furtherPretrained(run))
                .or(() -> experiment.pretrainedEncoder().map(EncoderDirectory::path));
    }

    /** The weights of the language model that the encoder starts from; the run keeps how it was learned. */
    private Optional<Path> languageModel(RunDirectory run) {
        return experiment.languageModel().map(config -> {
            Compute compute = experiment.compute().open();
            boolean backward = experiment.readsBackward();
            Fingerprint print = new Fingerprint().add(textPrint).add(backward).add(compute.precision());
            String hex = LanguageModelStage.fingerprint(print, config).hex();
            RunDirectory learned = cache.get(
                    LanguageModelStage.NAME,
                    hex,
                    new LanguageModelStage(
                            config,
                            backward,
                            prepared,
                            compute,
                            session,
                            cache.unfinished(LanguageModelStage.NAME, hex)));
            run.write(run.languageModelHistory(), learned.read(learned.languageModelHistory(), TrainingHistory.class));
            return learned.languageModel();
        });
    }

    /** The folder of the pretrained encoder after it went on learning; the run keeps how. */
    private Optional<Path> furtherPretrained(RunDirectory run) {
        return experiment.furtherPretraining().map(config -> {
            Compute compute = experiment.compute().open();
            EncoderDirectory from = experiment.pretrainedEncoder().orElseThrow();
            BertEncoder.Config reader = experiment.maskedEncoderConfig().orElseThrow();
            String print = new Fingerprint()
                    .add(textPrint)
                    .add(compute.precision())
                    .add(config)
                    .add(reader)
                    .addFiles(from.weights())
                    .hex();
            Path unfinished = cache.unfinished(MaskedLanguageModelStage.NAME, print);
            RunDirectory learned = cache.get(
                    MaskedLanguageModelStage.NAME,
                    print,
                    new MaskedLanguageModelStage(config, reader, from, prepared, compute, session, unfinished));
            run.write(run.maskedModelHistory(), learned.read(learned.maskedModelHistory(), TrainingHistory.class));
            return learned.path();
        });
    }

    /** Only a model that is planted needs it. The run keeps what was planted, to be looked at. */
    Planting planting(RunDirectory run, Optional<float[][]> vectors) {
        return experiment
                .plantingConfig()
                .map(model -> planting(model, run, vectors))
                .orElse(Planting.NONE);
    }

    private Planting planting(PlantedConfig model, RunDirectory run, Optional<float[][]> vectors) {
        String print = new Fingerprint()
                .add(corpusPrint)
                .add(experiment.relevance().orElseThrow())
                .hex();
        Relevance relevance = cache.get(
                "mutual-information", print, new MutualInformationStage(experiment.relevance().orElseThrow(), prepared));
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
                        "ranker",
                        rankPrint.hex(),
                        new RankerStage(config, model.ranker(), prepared, relevance, vectors, compute, session))
                .copyRanker(run);
        return new Planting(
                Optional.of(relevance),
                Optional.of(run.openRanker(
                        prepared.vocabulary().size(), prepared.labels().trainedCount(), compute)));
    }
}
