package org.plant4j.preparation;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.plant4j.Document;
import org.plant4j.text.EncodedDocument;
import org.plant4j.text.LabelIndex;
import org.plant4j.text.TokenEvidence;
import org.plant4j.text.TokenizedText;
import org.plant4j.text.Vocabulary;

/** Converts a document to token and label ids: to one document, to passages, or to nothing if it is excluded. */
@FunctionalInterface
public interface DocumentEncoder extends Serializable {

    List<EncodedDocument> encode(Document document, TokenizedText text);

    /** What this encoder and another one make of a document. */
    default DocumentEncoder and(DocumentEncoder other) {
        return (document, text) -> {
            List<EncodedDocument> both = new ArrayList<>(encode(document, text));
            both.addAll(other.encode(document, text));
            return both;
        };
    }

    /** Training documents with their trained labels. */
    static DocumentEncoder training(Vocabulary vocabulary, LabelIndex labels) {
        return (document, text) -> {
            IntStream ids = labels.ids(document.codes()).filter(id -> id < labels.trainedCount());
            return List.of(document(document, text, vocabulary, ids, labels));
        };
    }

    /** Unlabelled documents that pass the filter. */
    static DocumentEncoder unlabelled(Vocabulary vocabulary, LabelIndex labels, TextFilter filter) {
        return (document, text) -> filter.accepts(text)
                ? List.of(document(document, text, vocabulary, IntStream.empty(), labels))
                : List.of();
    }

    /** Evaluation documents with all their codes. */
    static DocumentEncoder evaluation(Vocabulary vocabulary, GoldLabels labels) {
        return (document, text) -> {
            IntStream ids = document.codes().stream().mapToInt(labels::id);
            return List.of(document(document, text, vocabulary, ids, labels.index()));
        };
    }

    /** The passages of training documents with gold evidence for all their trained codes. */
    static DocumentEncoder passages(Vocabulary vocabulary, LabelIndex labels, int maxTokens) {
        PassageSplitter splitter = new PassageSplitter(maxTokens);
        return (document, text) -> {
            Set<String> codes = document.codes().stream()
                    .filter(code -> labels.id(code).orElseThrow() < labels.trainedCount())
                    .collect(Collectors.toSet());
            int[] tokens = vocabulary.ids(text);
            List<TokenEvidence> evidence = TokenEvidence.of(text, document.evidence(), labels);
            List<EncodedDocument> passages = new ArrayList<>();
            for (PassageSplitter.Passage passage : splitter.split(text, codes, document.evidence())) {
                passages.add(new EncodedDocument(
                        document.id() + "#" + (passages.size() + 1),
                        Arrays.copyOfRange(tokens, passage.start(), passage.end()),
                        labels.ids(passage.codes()).sorted().toArray(),
                        evidence.stream()
                                .map(entry -> entry.within(passage.start(), passage.end()))
                                .filter(entry -> !entry.isEmpty())
                                .toList()));
            }
            return passages;
        };
    }

    private static EncodedDocument document(
            Document document, TokenizedText text, Vocabulary vocabulary, IntStream labelIds, LabelIndex labels) {
        return new EncodedDocument(
                document.id(),
                vocabulary.ids(text),
                labelIds.sorted().toArray(),
                TokenEvidence.of(text, document.evidence(), labels));
    }
}
