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
import org.plant4j.experiment.PreprocessingSettings;
import org.plant4j.model.LabelTasks;
import org.plant4j.pipeline.stage.Session;
import org.plant4j.preparation.CorpusDocuments;
import org.plant4j.preparation.DocumentSource;
import org.plant4j.rank.MutualInformation;
import org.plant4j.rank.Relevance;
import org.plant4j.text.PreparedCorpus;
import org.plant4j.text.SubwordTokenizer;
import org.plant4j.text.Tokenizer;
import org.plant4j.text.WordTokenizer;

/** Does all work in this process. */
public final class LocalEngine implements DataEngine {

    @Override
    public Documents open(Experiment experiment, Session session) {
        return new LocalDocuments(experiment, session);
    }

    @Override
    public Relevance mutualInformation(
            MutualInformation information, Experiment experiment, Session session, PreparedCorpus prepared) {
        return information.compute(
                prepared.trainingData(),
                prepared.vocabulary().size(),
                prepared.labels().trainedCount());
    }

    @Override
    public LabelTasks labelTasks() {
        return LabelTasks.LOCAL;
    }

    private static final class LocalDocuments implements Documents {

        private final Experiment experiment;
        private final Session session;
        private final Splits splits;
        private final Tokenizer tokenizer;

        LocalDocuments(Experiment experiment, Session session) {
            this.experiment = experiment;
            this.session = session;
            this.splits = CorpusFormats.openSplits(experiment.corpus(), session.badRows());
            this.tokenizer = experiment
                    .pretrainedEncoder()
                    .<Tokenizer>map(
                            encoder -> SubwordTokenizer.open(new EncoderDirectory(Path.of(encoder)).tokenizer()))
                    .orElseGet(WordTokenizer::new);
        }

        private DocumentSource source(Corpus corpus) {
            return new CorpusDocuments(corpus, tokenizer, session.progress());
        }

        /** The training documents, or a sample of them; the other documents are not used at all. */
        @Override
        public DocumentSource train() {
            PreprocessingSettings settings = experiment.preprocessing();
            int size = settings.maxTrainingDocuments();
            return source(
                    size == 0 ? splits.train() : settings.trainingSample().of(splits.train(), size, experiment.seed()));
        }

        @Override
        public Map<String, DocumentSource> evaluation() {
            Map<String, DocumentSource> evaluation = new LinkedHashMap<>();
            evaluation.put(PreparedCorpus.DEV, source(splits.dev()));
            evaluation.put(PreparedCorpus.TEST, source(splits.test()));
            return evaluation;
        }

        /** All splits of all unlabelled corpora. */
        @Override
        public Optional<DocumentSource> unlabelled() {
            if (experiment.unlabelled().isEmpty()) {
                return Optional.empty();
            }
            return Optional.of(source(Corpora.concat(
                    PreparedCorpus.UNLABELLED,
                    experiment.unlabelled().stream()
                            .map(config -> CorpusFormats.openSplits(config, session.badRows()))
                            .flatMap(split -> Stream.of(split.train(), split.dev(), split.test()))
                            .toList())));
        }

        @Override
        public void close() {
            tokenizer.close();
        }
    }
}
