package org.plant4j.experiment;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.plant4j.corpus.Corpora;
import org.plant4j.corpus.Corpus;
import org.plant4j.corpus.Split;
import org.plant4j.text.PreparedCorpus;
import org.plant4j.text.WordTokenizer;

/** Turns the corpus into numbers. */
record PrepareStage(Experiment experiment, Pipeline.Session session) implements StageCache.Artefact<PreparedCorpus> {

    /** To be changed with the tokenizer, so that nothing prepared by an older one is reused. */
    private static final String TOKENIZER = "tokenizer 1";

    String fingerprint() {
        Fingerprint print = new Fingerprint()
                .addCorpus(experiment.corpus())
                .add(experiment.text())
                .add(TOKENIZER);
        experiment.unlabelled().forEach(print::addCorpus);
        return print.hex();
    }

    @Override
    public String make(Path draft) {
        Split split = Corpora.open(experiment.corpus(), session.badRows());
        Map<String, Corpus> others = new LinkedHashMap<>();
        others.put(Pipeline.DEV, split.dev());
        others.put(Pipeline.TEST, split.test());
        PreparedCorpus fresh = PreparedCorpus.prepare(
                new WordTokenizer(), split.train(), others, unlabelled(), experiment.text(), draft, session.progress());
        return fresh.vocabulary().size() + " words, " + fresh.labels().size() + " codes";
    }

    /** All parts of all unlabelled corpora as one. */
    private Optional<Corpus> unlabelled() {
        if (experiment.unlabelled().isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(Corpora.concat(
                PreparedCorpus.UNLABELLED,
                experiment.unlabelled().stream()
                        .map(config -> Corpora.open(config, session.badRows()))
                        .flatMap(split -> Stream.of(split.train(), split.dev(), split.test()))
                        .toList()));
    }

    @Override
    public PreparedCorpus open(Path path) {
        return PreparedCorpus.open(path);
    }
}
