package org.plant4j.pipeline;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.plant4j.corpus.codeset.CodeSet;
import org.plant4j.corpus.codeset.Synonyms;
import org.plant4j.encoder.EncoderDirectory;
import org.plant4j.experiment.Experiment;
import org.plant4j.experiment.PreprocessingSettings;
import org.plant4j.pipeline.stage.Fingerprint;
import org.plant4j.pipeline.stage.Session;
import org.plant4j.pipeline.stage.StageCache;
import org.plant4j.preparation.CorpusPreparer;
import org.plant4j.preparation.DocumentSource;
import org.plant4j.text.LabelIndex;
import org.plant4j.text.PluralForms;
import org.plant4j.text.PreparedCorpus;
import org.plant4j.text.TokenStore;
import org.plant4j.text.WordTokenizer;
import org.plant4j.text.ZeroShotLabels;

/** Tokenizes the corpus and builds the vocabulary and the label index. */
final class CorpusStage implements StageCache.CachedStage<PreparedCorpus> {

    /** Change this with the tokenizer, so that corpora prepared by an older one are not reused. */
    private static final String TOKENIZER = "tokenizer 1";

    private final Experiment experiment;
    private final Session session;
    private final DataEngine engine;
    private final Optional<StartRun> start;

    CorpusStage(Experiment experiment, Session session, DataEngine engine) {
        this.experiment = experiment;
        this.start = StartRun.of(experiment);
        this.session = session;
        this.engine = engine;
    }

    /** The pretrained encoder whose tokenizer is used. */
    private Optional<EncoderDirectory> pretrained() {
        return experiment
                .pretrainedEncoder()
                .map(Path::of)
                .map(EncoderDirectory::new)
                .map(EncoderDirectory::requireComplete);
    }

    public String fingerprint() {
        return fingerprint(experiment.preprocessing().passageTokens());
    }

    /** The fingerprint without passages: vocabulary and documents do not depend on them. */
    String textFingerprint() {
        return fingerprint(0);
    }

    private String fingerprint(int passages) {
        Fingerprint print = new Fingerprint()
                .addCorpus(experiment.corpus())
                .add(experiment.preprocessing().limits())
                .add(TOKENIZER)
                .add(TokenStore.VERSION);
        if (experiment.preprocessing().maxTrainingDocuments() > 0) {
            print.add(experiment.preprocessing().maxTrainingDocuments()).add(experiment.seed());
            if (experiment.preprocessing().trainingSample() == PreprocessingSettings.TrainingSample.BALANCED) {
                print.add("balanced");
            }
        }
        experiment.unlabelled().forEach(print::addCorpus);
        boolean zeroShot = experiment.preprocessing().zeroShotLabels() != ZeroShotLabels.NONE;
        if (zeroShot) {
            print.add(experiment.preprocessing().zeroShotLabels());
        }
        if (experiment.model().matchesDescriptions()) {
            print.add("words of descriptions in singular and plural");
        }
        if (matchesSynonyms()) {
            print.add("words of synonyms");
            experiment.synonyms().forEach(file -> print.addFiles(Path.of(file)));
        }
        if (zeroShot || experiment.model().matchesDescriptions()) {
            experiment.codeSets().forEach(file -> print.addFiles(Path.of(file)));
        }
        if (passages > 0) {
            print.add("passages " + passages);
        }
        start.ifPresent(run -> print.add("start " + run.vocabularyFingerprint()));
        pretrained().ifPresent(encoder -> print.addFiles(encoder.tokenizer()).addFiles(encoder.tokensFile()));
        return print.hex();
    }

    @Override
    public String create(Path draft) {
        try (DataEngine.Documents documents = engine.open(experiment, session)) {
            DocumentSource train = documents.train();
            CorpusPreparer preparer = new CorpusPreparer(new CorpusPreparer.Options(
                    experiment.preprocessing().limits(),
                    start.map(StartRun::tokens).or(() -> pretrained().map(EncoderDirectory::tokens)),
                    trained -> withFurtherLabels(trained, train),
                    this::labelTokens));
            PreparedCorpus prepared = preparer.prepare(
                    new CorpusPreparer.Inputs(train, documents.evaluation(), documents.unlabelled()), draft);
            int longest = experiment.preprocessing().passageTokens();
            return summary(prepared)
                    + (longest == 0
                            ? ""
                            : count(" · passages", CorpusPreparer.writePassages(prepared, train, longest)));
        }
    }

    private LabelIndex withFurtherLabels(LabelIndex trained, DocumentSource train) {
        if (start.isPresent()) { // such models do not support zero-shot labels
            return start.get().extend(trained, start.get().countNewDocuments(train));
        }
        ZeroShotLabels zeroShot = experiment.preprocessing().zeroShotLabels();
        return zeroShot == ZeroShotLabels.NONE
                ? trained
                : trained.withZeroShot(zeroShot.select(
                        Pipeline.codeSet(experiment, session.badRows()),
                        trained.codes().subList(0, trained.trainedCount())));
    }

    private boolean matchesSynonyms() {
        return experiment.model().matchesDescriptions() && experiment.model().usesSynonyms();
    }

    /** The words of the labels' descriptions and synonyms in singular and plural, if the model looks for them in documents. */
    private Set<String> labelTokens(LabelIndex labels) {
        if (!experiment.model().matchesDescriptions()) {
            return Set.of();
        }
        CodeSet codeSet = Pipeline.codeSet(experiment, session.badRows());
        Synonyms synonyms = Synonyms.read(
                matchesSynonyms() ? experiment.synonyms().stream().map(Path::of).toList() : List.of());
        WordTokenizer tokenizer = new WordTokenizer();
        return labels.codes().stream()
                .limit(labels.size())
                .flatMap(code -> Stream.concat(codeSet.describe(code).stream(), synonyms.of(code).stream()))
                .flatMap(name -> tokenizer.tokenize(name).tokens().stream())
                .flatMap(word -> PluralForms.of(word).stream())
                .collect(Collectors.toSet());
    }

    private static String summary(PreparedCorpus prepared) {
        LabelIndex labels = prepared.labels();
        int zeroShot = labels.size() - labels.trainedCount();
        return count("vocabulary", prepared.vocabulary().size())
                + count(" · labels", labels.trainedCount())
                + (zeroShot == 0 ? "" : count(" · zero-shot labels", zeroShot));
    }

    private static String count(String name, long value) {
        return String.format(Locale.ROOT, "%s %,d", name, value);
    }

    @Override
    public PreparedCorpus open(Path path) {
        PreparedCorpus prepared = PreparedCorpus.open(path);
        if (experiment.preprocessing().passageTokens() > 0) {
            prepared.split(PreparedCorpus.PASSAGES); // throws if they are missing
        }
        return prepared;
    }
}
