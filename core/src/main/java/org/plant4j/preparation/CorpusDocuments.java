package org.plant4j.preparation;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.plant4j.Document;
import org.plant4j.Progress;
import org.plant4j.corpus.Corpus;
import org.plant4j.text.EncodedDocument;
import org.plant4j.text.TokenizedText;
import org.plant4j.text.Tokenizer;
import org.plant4j.text.Vocabulary;

/** The documents of a corpus, read one after another in each pass. */
public record CorpusDocuments(Corpus corpus, Tokenizer tokenizer, Progress progress) implements DocumentSource {

    @Override
    public String name() {
        return corpus.name();
    }

    @Override
    public void count(TextFilter filter, Vocabulary.Builder tokens, Map<String, Integer> documentsByCode) {
        forEach("count tokens", document -> {
            TokenizedText text = tokenizer.tokenize(document.text());
            if (filter.accepts(text)) {
                tokens.add(text);
                document.codes().forEach(code -> documentsByCode.merge(code, 1, Math::addExact));
            }
        });
    }

    @Override
    public Set<Long> fingerprints() {
        Set<Long> fingerprints = new HashSet<>();
        forEach("scan", document -> fingerprints.add(TextFilter.fingerprint(tokenizer.tokenize(document.text()))));
        return fingerprints;
    }

    @Override
    public void encode(DocumentEncoder encoder, Consumer<EncodedDocument> sink) {
        forEach(
                "encode",
                document -> encoder.encode(document, tokenizer.tokenize(document.text()))
                        .forEach(sink));
    }

    private void forEach(String step, Consumer<Document> action) {
        try (Progress.Task task = progress.start("prepare " + corpus.name() + ": " + step, -1);
                Stream<Document> documents = corpus.documents()) {
            documents.forEachOrdered(document -> {
                action.accept(document);
                task.advance(1);
            });
        }
    }
}
