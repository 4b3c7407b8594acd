package org.plant4j.pipeline;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.plant4j.corpus.codeset.CodeSet;
import org.plant4j.corpus.codeset.Synonyms;
import org.plant4j.encoder.BertEncoder;
import org.plant4j.encoder.EncoderDirectory;
import org.plant4j.experiment.Experiment;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.model.NetworkInputs;
import org.plant4j.pipeline.stage.Fingerprint;
import org.plant4j.pipeline.stage.Session;
import org.plant4j.pipeline.stage.StageCache;
import org.plant4j.rank.MutualInformation;
import org.plant4j.rank.RankConfig;
import org.plant4j.rank.RankModel;
import org.plant4j.rank.Relevance;
import org.plant4j.tensor.Compute;
import org.plant4j.text.PreparedCorpus;
import org.plant4j.text.Tokenizer;
import org.plant4j.train.TrainingHistory;

/**
 * Trains or loads everything a network is initialised from: word vectors, a language model or pretrained encoder,
 * mutual information and a ranker. All of them are cached and shared by runs. Those trained on whole documents depend
 * on {@code textFingerprint} only, so that runs with passages share them with runs without.
 */
final class PretrainingInputs {

    private final Experiment experiment;
    private final PreparedCorpus prepared;
    private final String corpusFingerprint;
    private final String textFingerprint;
    private final StageCache cache;
    private final Session session;
    private final DataEngine engine;

    PretrainingInputs(
            Experiment experiment,
            PreparedCorpus prepared,
            String corpusFingerprint,
            String textFingerprint,
            StageCache cache,
            Session session,
            DataEngine engine) {
        this.experiment = experiment;
        this.prepared = prepared;
        this.corpusFingerprint = corpusFingerprint;
        this.textFingerprint = textFingerprint;
        this.cache = cache;
        this.session = session;
        this.engine = engine;
    }

    Optional<float[][]> vectors() {
        return experiment
                .wordVectors()
                .map(config -> cache.get(
                        "word-vectors",
                        vectorFingerprint(),
                        new WordVectorStage(config, prepared, experiment.seed(), session.progress())));
    }

    private String vectorFingerprint() {
        return new Fingerprint()
                .add(textFingerprint)
                .add(experiment.wordVectors().orElseThrow())
                .add(experiment.seed())
                .hex();
    }

    /** The weights that initialise the encoder: a language model, or the directory of a pretrained encoder. */
    Optional<Path> encoderStart(RunDirectory run) {
        return languageModel(run)
                .or(() -> furtherPretrained(run))
                .or(() -> experiment.encoderDirectory().map(EncoderDirectory::path));
    }

    /** The weights of the language model that the encoder starts from; the run gets a copy of its history. */
    private Optional<Path> languageModel(RunDirectory run) {
        return experiment.encoderLanguageModel().map(config -> {
            Compute compute = experiment.compute().open();
            boolean backward = experiment.readsBackward();
            Fingerprint print =
                    new Fingerprint().add(textFingerprint).add(backward).add(compute.precision());
            String hex = LanguageModelStage.fingerprint(print, config).hex();
            RunDirectory trained = cache.get(
                    LanguageModelStage.NAME,
                    hex,
                    new LanguageModelStage(
                            config,
                            backward,
                            prepared,
                            compute,
                            session,
                            cache.unfinished(LanguageModelStage.NAME, hex)));
            copyHistory(trained.languageModelHistory(), run.languageModelHistory(), trained, run);
            return trained.languageModel();
        });
    }

    /** The directory of the further pretrained encoder; the run gets a copy of its history. */
    private Optional<Path> furtherPretrained(RunDirectory run) {
        return experiment.furtherPretraining().map(config -> {
            Compute compute = experiment.compute().open();
            EncoderDirectory from = experiment.encoderDirectory().orElseThrow();
            BertEncoder.Config encoder = experiment.maskedEncoderConfig().orElseThrow();
            String print = new Fingerprint()
                    .add(textFingerprint)
                    .add(compute.precision())
                    .add(config)
                    .add(encoder)
                    .addFiles(from.weights())
                    .hex();
            Path unfinished = cache.unfinished(MaskedLanguageModelStage.NAME, print);
            RunDirectory trained = cache.get(
                    MaskedLanguageModelStage.NAME,
                    print,
                    new MaskedLanguageModelStage(config, encoder, from, prepared, compute, session, unfinished));
            copyHistory(trained.maskedModelHistory(), run.maskedModelHistory(), trained, run);
            return trained.path();
        });
    }

    private void copyHistory(Path from, Path to, RunDirectory trained, RunDirectory run) {
        if (session.group().isFirst()) {
            run.add(to, trained.read(from, TrainingHistory.class));
        }
    }

    /** Everything that the model uses. The weights of a run that it starts from replace what would initialize them. */
    NetworkInputs forNetwork(RunDirectory run) {
        if (experiment.start().isPresent()) {
            return new NetworkInputs(
                    Optional.empty(),
                    Optional.empty(),
                    experiment.model().usesRelevance() ? Optional.of(relevance(run)) : Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty());
        }
        Optional<float[][]> vectors = vectors();
        Optional<Path> start = encoderStart(run);
        Optional<Relevance> relevance =
                experiment.model().usesRelevance() ? Optional.of(relevance(run)) : Optional.empty();
        return new NetworkInputs(
                vectors,
                start,
                relevance,
                relevance.flatMap(found -> ranker(run, found, vectors)),
                experiment.readsDescriptions() ? Optional.of(descriptions(run)) : Optional.empty(),
                experiment.model().usesSynonyms() ? Optional.of(synonyms(run)) : Optional.empty(),
                experiment.model().usesTranslations()
                        ? Optional.of(new TranslatedDocuments(experiment, prepared, session).sentences(run))
                        : Optional.empty());
    }

    /** Token ids of each label's description; none for a code that its code set does not describe. */
    private List<int[]> descriptions(RunDirectory run) {
        CodeSet codes = CodeSet.read(run.codeSet());
        try (Tokenizer tokenizer = run.openTokenizer()) {
            return prepared.labels().codes().stream()
                    .limit(prepared.labels().size())
                    .map(code -> prepared.vocabulary()
                            .ids(tokenizer.tokenize(codes.describe(code).orElse(""))))
                    .toList();
        }
    }

    /** Token ids of each label's synonyms. */
    private List<List<int[]>> synonyms(RunDirectory run) {
        Synonyms synonyms =
                Synonyms.read(experiment.synonyms().stream().map(Path::of).toList());
        try (Tokenizer tokenizer = run.openTokenizer()) {
            return prepared.labels().codes().stream()
                    .limit(prepared.labels().size())
                    .map(code -> synonyms.of(code).stream()
                            .map(synonym -> prepared.vocabulary().ids(tokenizer.tokenize(synonym)))
                            .toList())
                    .toList();
        }
    }

    /** The run gets a copy of the relevance and of the ranker. */
    private Relevance relevance(RunDirectory run) {
        Relevance relevance = StartRun.of(experiment)
                .map(start -> start.extend(relevance(), prepared.labels()))
                .orElseGet(this::relevance);
        if (session.group().isFirst()) {
            run.add(staging -> relevance.write(staging.relevance()));
        }
        return relevance;
    }

    Relevance relevance() {
        MutualInformation information = experiment.mutualInformation().orElseThrow();
        return cache.get(
                "mutual-information",
                relevanceFingerprint(),
                new MutualInformationStage(() -> engine.mutualInformation(information, experiment, session, prepared)));
    }

    private String relevanceFingerprint() {
        return new Fingerprint()
                .add(corpusFingerprint)
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
        Fingerprint rankerFingerprint = new Fingerprint()
                .add(relevanceFingerprint())
                .add(config)
                .add(model)
                .add(compute.precision())
                .add(experiment.seed());
        if (config.start() == RankConfig.Start.VECTORS) {
            rankerFingerprint.add(vectorFingerprint());
        }
        RunDirectory trained = cache.get(
                "ranker",
                rankerFingerprint.hex(),
                new RankerStage(config, model, prepared, relevance, vectors, compute, experiment.seed(), session));
        if (session.group().isFirst()) {
            run.add(trained::copyRanker);
        }
        return trained.openRanker(
                prepared.vocabulary().size(), prepared.labels().trainedCount(), compute);
    }
}
