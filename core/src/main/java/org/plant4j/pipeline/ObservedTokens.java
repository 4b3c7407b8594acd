package org.plant4j.pipeline;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.plant4j.Document;
import org.plant4j.Progress;
import org.plant4j.corpus.Corpus;
import org.plant4j.corpus.Splits;
import org.plant4j.corpus.codeset.CodeSet;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.corpus.format.CorpusFormats;
import org.plant4j.experiment.Experiment;
import org.plant4j.text.Tokenizer;

/**
 * The tokens that experiments can train on: those of their training documents, their unlabelled text and the
 * descriptions of their labels, zero-shot labels included. Unlabelled documents that are also in dev or test are left
 * out.
 */
public final class ObservedTokens {

    private final Tokenizer tokenizer;
    private final BadRowHandler badRows;
    private final Progress progress;
    private final Set<String> tokens = new HashSet<>();

    private ObservedTokens(Tokenizer tokenizer, BadRowHandler badRows, Progress progress) {
        this.tokenizer = tokenizer;
        this.badRows = badRows;
        this.progress = progress;
    }

    public static Set<String> of(
            List<Experiment> experiments, Tokenizer tokenizer, BadRowHandler badRows, Progress progress) {
        ObservedTokens observed = new ObservedTokens(tokenizer, badRows, progress);
        experiments.forEach(observed::add);
        return observed.tokens;
    }

    private void add(Experiment experiment) {
        Splits split = CorpusFormats.openSplits(experiment.corpus(), badRows);
        Set<String> evaluated = new HashSet<>();
        Set<String> codes = new TreeSet<>();
        Stream.of(split.dev(), split.test())
                .forEach(corpus ->
                        read(corpus, document -> evaluated.add(document.text().strip())));
        read(split.train(), document -> {
            codes.addAll(document.codes());
            add(document.text());
        });
        experiment.unlabelled().stream()
                .map(config -> CorpusFormats.openSplits(config, badRows))
                .flatMap(splits -> Stream.of(splits.train(), splits.dev(), splits.test()))
                .forEach(corpus -> read(corpus, document -> {
                    if (!evaluated.contains(document.text().strip())) {
                        add(document.text());
                    }
                }));
        CodeSet codeSet = Pipeline.codeSet(experiment, badRows);
        codes.addAll(experiment.preprocessing().zeroShotLabels().select(codeSet, List.copyOf(codes)));
        codes.forEach(code -> codeSet.describe(code).ifPresent(this::add));
    }

    private void add(String text) {
        tokens.addAll(tokenizer.tokenize(text).tokens());
    }

    private void read(Corpus corpus, Consumer<Document> action) {
        try (Progress.Task task = progress.start("read " + corpus.name(), -1);
                Stream<Document> documents = corpus.documents()) {
            documents.forEachOrdered(document -> {
                action.accept(document);
                task.advance(1);
            });
        }
    }
}
