package org.plant4j.pipeline;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.plant4j.corpus.codeset.CodeSet;
import org.plant4j.encoder.BertEncoder;
import org.plant4j.encoder.EncoderDirectory;
import org.plant4j.experiment.Experiment;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.model.NetworkInputs;
import org.plant4j.rank.RankConfig;
import org.plant4j.rank.RankModel;
import org.plant4j.rank.Relevance;
import org.plant4j.tensor.Compute;
import org.plant4j.text.PreparedCorpus;
import org.plant4j.text.Tokenizer;
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
                .wordVectors()
                .map(config ->
                        cache.get("word-vectors", vectorPrint(), new WordVectorStage(config, prepared, session.progress())));
    }

    private String vectorPrint() {
        return new Fingerprint()
                .add(textPrint)
                .add(experiment.wordVectors().orElseThrow())
                .hex();
    }

    /** What the encoder starts from: the language model, or the folder of a pretrained encoder, which may have gone on learning. */
    Optional<Path> encoderStart(RunDirectory run) {
        return languageModel(run)
                .or(() -> furtherPretrained(run))
                .or(() -> experiment.encoderDirectory().map(EncoderDirectory::path));
    }

    /** The weights of the language model that the encoder starts from; the run keeps how it was learned. */
    private Optional<Path> languageModel(RunDirectory run) {
        return experiment.encoderLanguageModel().map(config -> {
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
            EncoderDirectory from = experiment.encoderDirectory().orElseThrow();
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

    /** All that the model uses. */
    NetworkInputs forNetwork(RunDirectory run) {
        Optional<float[][]> vectors = vectors();
        Optional<Path> start = encoderStart(run);
        Optional<Relevance> relevance =
                experiment.model().usesRelevance() ? Optional.of(relevance(run)) : Optional.empty();
        return new NetworkInputs(
                vectors,
                start,
                relevance,
                relevance.flatMap(found -> ranker(run, found, vectors)),
                experiment.readsDescriptions() ? Optional.of(descriptions(run)) : Optional.empty());
    }

    /** Token ids of each label's description; none for a code that its code set does not describe. */
    private List<int[]> descriptions(RunDirectory run) {
        CodeSet codes = CodeSet.read(run.codeBook());
        try (Tokenizer tokenizer = run.openTokenizer()) {
            return prepared.labels().codes().stream()
                    .limit(prepared.labels().size())
                    .map(code -> prepared.vocabulary()
                            .ids(tokenizer.tokenize(codes.describe(code).orElse(""))))
                    .toList();
        }
    }

    /** The run keeps a copy of the relevance and of the ranker. */
    private Relevance relevance(RunDirectory run) {
        Relevance relevance = cache.get(
                "mutual-information",
                relevanceFingerprint(),
                new MutualInformationStage(experiment.mutualInformation().orElseThrow(), prepared));
        relevance.write(run.relevance());
        return relevance;
    }

    private String relevanceFingerprint() {
        return new Fingerprint()
                .add(corpusPrint)
                .add(experiment.mutualInformation().orElseThrow())
                .hex();
    }

    private Optional<RankModel> ranker(RunDirectory run, Relevance relevance, Optional<float[][]> vectors) {
        return experiment.model().rankModel().map(model -> ranker(model, run, relevance, vectors));
    }

    private RankModel ranker(
            RankModel.Config model, RunDirectory run, Relevance relevance, Optional<float[][]> vectors) {
        RankConfig config = experiment.ranker().orElseThrow();
        Compute compute = experiment.compute().open();
        Fingerprint rankPrint = new Fingerprint()
                .add(relevanceFingerprint())
                .add(config)
                .add(model)
                .add(compute.precision());
        if (config.start() == RankConfig.Start.VECTORS) {
            rankPrint.add(vectorPrint());
        }
        cache.get(
                        "ranker",
                        rankPrint.hex(),
                        new RankerStage(config, model, prepared, relevance, vectors, compute, session))
                .copyRanker(run);
        return run.openRanker(prepared.vocabulary().size(), prepared.labels().trainedCount(), compute);
    }
}
