package org.plant4j.pipeline;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.plant4j.corpus.Corpora;
import org.plant4j.corpus.Corpus;
import org.plant4j.corpus.Splits;
import org.plant4j.corpus.format.CorpusFormats;
import org.plant4j.encoder.EncoderDirectory;
import org.plant4j.experiment.Experiment;
import org.plant4j.text.CorpusPreparer;
import org.plant4j.text.LabelIndex;
import org.plant4j.text.PreparedCorpus;
import org.plant4j.text.SubwordTokenizer;
import org.plant4j.text.Tokenizer;
import org.plant4j.text.WordTokenizer;
import org.plant4j.text.ZeroShotLabels;

/** Turns the corpus into numbers. */
public record CorpusStage(Experiment experiment, Pipeline.Session session)
        implements StageCache.CachedStage<PreparedCorpus> {

    /** To be changed with the tokenizer, so that nothing prepared by an older one is reused. */
    private static final String TOKENIZER = "tokenizer 1";

    /** The folder of the pretrained encoder whose pieces are the words. */
    private Optional<EncoderDirectory> pretrained() {
        return experiment.pretrainedEncoder().map(Path::of).map(EncoderDirectory::new).map(EncoderDirectory::requireComplete);
    }

    public String fingerprint() {
        return fingerprint(experiment.preprocessing().passageTokens());
    }

    /** Of words and whole documents, which passages do not change. */
    String textFingerprint() {
        return fingerprint(0);
    }

    private String fingerprint(int passages) {
        Fingerprint print = new Fingerprint()
                .addCorpus(experiment.corpus())
                .add(experiment.preprocessing().limits())
                .add(TOKENIZER);
        if (experiment.preprocessing().maxTrainingDocuments() > 0) {
            print.add(experiment.preprocessing().maxTrainingDocuments()).add(experiment.seed());
        }
        experiment.unlabelled().forEach(print::addCorpus);
        if (experiment.preprocessing().zeroShotLabels() != ZeroShotLabels.NONE) {
            print.add(experiment.preprocessing().zeroShotLabels());
            experiment.codeSets().forEach(book -> print.addFiles(Path.of(book)));
        }
        if (passages > 0) {
            print.add("passages " + passages);
        }
        pretrained().ifPresent(encoder -> print.addFiles(encoder.tokenizer()).addFiles(encoder.tokensFile()));
        return print.hex();
    }

    @Override
    public String create(Path draft) {
        Splits split = CorpusFormats.openSplits(experiment.corpus(), session.badRows());
        Map<String, Corpus> others = new LinkedHashMap<>();
        others.put(Pipeline.DEV, split.dev());
        others.put(Pipeline.TEST, split.test());
        Optional<EncoderDirectory> encoder = pretrained();
        try (Tokenizer tokenizer = encoder.<Tokenizer>map(from -> SubwordTokenizer.open(from.tokenizer()))
                .orElseGet(WordTokenizer::new)) {
            CorpusPreparer preparer = new CorpusPreparer(
                    tokenizer,
                    new CorpusPreparer.Options(
                            experiment.preprocessing().limits(), encoder.map(EncoderDirectory::tokens), this::withUnseen),
                    session.progress());
            PreparedCorpus fresh =
                    preparer.prepare(new CorpusPreparer.Inputs(train(split), others, unlabelled()), draft);
            String told = fresh.vocabulary().size()
                    + (encoder.isPresent() ? " pieces, " : " words, ")
                    + labelSummary(fresh.labels());
            int longest = experiment.preprocessing().passageTokens();
            return longest == 0
                    ? told
                    : told + ", " + preparer.writePassages(fresh, train(split), longest) + " passages";
        }
    }

    private LabelIndex withUnseen(LabelIndex learned) {
        ZeroShotLabels unseen = experiment.preprocessing().zeroShotLabels();
        return unseen == ZeroShotLabels.NONE
                ? learned
                : learned.withZeroShot(unseen.select(
                        Pipeline.codeBook(experiment), learned.codes().subList(0, learned.trainedCount())));
    }

    private static String labelSummary(LabelIndex labels) {
        int unseen = labels.size() - labels.trainedCount();
        return labels.trainedCount() + " codes" + (unseen == 0 ? "" : ", " + unseen + " more by their descriptions");
    }

    /** The documents to learn from; those a sample leaves out are not there at all. */
    private Corpus train(Splits split) {
        int wanted = experiment.preprocessing().maxTrainingDocuments();
        return wanted == 0 ? split.train() : Corpora.sample(split.train(), wanted, experiment.seed());
    }

    /** All parts of all unlabelled corpora as one. */
    private Optional<Corpus> unlabelled() {
        if (experiment.unlabelled().isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(Corpora.concat(
                PreparedCorpus.UNLABELLED,
                experiment.unlabelled().stream()
                        .map(config -> CorpusFormats.openSplits(config, session.badRows()))
                        .flatMap(split -> Stream.of(split.train(), split.dev(), split.test()))
                        .toList()));
    }

    @Override
    public PreparedCorpus open(Path path) {
        PreparedCorpus prepared = PreparedCorpus.open(path);
        if (experiment.preprocessing().passageTokens() > 0) {
            prepared.split(PreparedCorpus.PASSAGES); // without them a run would silently learn from documents alone
        }
        return prepared;
    }
}
