package org.plant4j.pipeline;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.plant4j.Document;
import org.plant4j.UserError;
import org.plant4j.corpus.Corpus;
import org.plant4j.corpus.Splits;
import org.plant4j.corpus.format.CorpusConfig;
import org.plant4j.corpus.format.CorpusFormats;
import org.plant4j.experiment.Experiment;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.pipeline.stage.Session;
import org.plant4j.text.Dataset;
import org.plant4j.text.PreparedCorpus;
import org.plant4j.text.Tokenizer;
import org.plant4j.text.TrainedDocuments;
import org.plant4j.translation.ParallelTexts;
import org.plant4j.translation.TextPair;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the translations of the training documents of an experiment. */
final class TranslatedDocuments {

    private static final Logger LOG = LoggerFactory.getLogger(TranslatedDocuments.class);

    private final Experiment experiment;
    private final PreparedCorpus prepared;
    private final Session session;

    TranslatedDocuments(Experiment experiment, PreparedCorpus prepared, Session session) {
        this.experiment = experiment;
        this.prepared = prepared;
        this.session = session;
    }

    /** The sentences of each training document with those of its translation; none of a document without translation. */
    List<List<TextPair>> sentences(RunDirectory run) {
        Map<String, String> translations = translations();
        Map<Long, List<TextPair>> byDocument = new HashMap<>(); // by fingerprint of its tokens
        Splits splits = CorpusFormats.openSplits(experiment.corpus(), session.badRows());
        try (Tokenizer tokenizer = run.openTokenizer();
                Stream<Document> documents = splits.train().documents()) {
            documents.forEachOrdered(document -> Optional.ofNullable(translations.get(document.id()))
                    .ifPresent(english -> byDocument.put(
                            TrainedDocuments.fingerprint(
                                    prepared.vocabulary().ids(tokenizer.tokenize(document.text()))),
                            ParallelTexts.pairs(english, document.text()))));
        }
        Dataset training = prepared.split(PreparedCorpus.TRAIN);
        List<List<TextPair>> sentences = new ArrayList<>();
        for (int document = 0; document < training.size(); document++) {
            sentences.add(byDocument.getOrDefault(TrainedDocuments.fingerprint(training.tokens(document)), List.of()));
        }
        long translated = sentences.stream().filter(pairs -> !pairs.isEmpty()).count();
        if (translated == 0) {
            throw new UserError(
                    "No training document has a translation",
                    "translations",
                    "name a corpus that has training documents in English under the same ids");
        }
        if (translated < sentences.size() / 2) {
            LOG.warn("Only {} of {} training documents have a translation", translated, sentences.size());
        }
        return sentences;
    }

    /** Texts by document id. */
    private Map<String, String> translations() {
        Map<String, String> texts = new HashMap<>();
        for (CorpusConfig corpus : experiment.translations()) {
            Splits splits = CorpusFormats.openSplits(corpus, session.badRows());
            for (Corpus split : List.of(splits.train(), splits.dev(), splits.test())) {
                try (Stream<Document> documents = split.documents()) {
                    documents.forEachOrdered(document -> texts.putIfAbsent(document.id(), document.text()));
                }
            }
        }
        return texts;
    }
}
