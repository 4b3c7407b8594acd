package org.plant4j.preparation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.Document;
import org.plant4j.GoldEvidence;
import org.plant4j.Progress;
import org.plant4j.Span;
import org.plant4j.UserError;
import org.plant4j.corpus.Corpus;
import org.plant4j.text.Dataset;
import org.plant4j.text.PreparedCorpus;
import org.plant4j.text.TokenEvidence;
import org.plant4j.text.TokenStore;
import org.plant4j.text.WordTokenizer;
import org.slf4j.LoggerFactory;

public class CorpusPreparerTest {

    private record ListCorpus(String name, List<Document> list) implements Corpus {
        @Override
        public Stream<Document> documents() {
            return list.stream();
        }
    }

    private final Corpus train = new ListCorpus(
            "train",
            List.of(
                    new Document("t1", "Chest pain, chest X-ray", Set.of("R07", "J18")),
                    new Document("t2", "Pain", Set.of("R07"))));
    private final Corpus dev =
            new ListCorpus("dev", List.of(new Document("d1", "fever pain", Set.of("R50", "J18", "A01"))));
    private final Corpus test = new ListCorpus("test", List.of(new Document("e1", "", Set.of("B02", "R50"))));

    @TempDir
    private Path directory;

    @Test
    void everySplitIsEncodedWithTheVocabularyAndLabelsOfTraining() {
        prepare(CorpusPreparer.Limits.NONE);
        PreparedCorpus read = PreparedCorpus.open(directory);
        // tokens by count: chest 2, pain 2, ray 1, x 1; codes: R07 2, J18 1, then in order of occurrence: A01, R50, B02
        assertThat(read.vocabulary().size()).isEqualTo(6);
        assertThat(read.train().tokens(0)).containsExactly(2, 3, 2, 5, 4);
        assertThat(read.train().labels(0)).containsExactly(0, 1);
        assertThat(read.split("dev").tokens(0)).containsExactly(1, 3);
        assertThat(read.labels().size()).isEqualTo(2);
        assertThat(read.labels().codes()).containsExactly("R07", "J18", "A01", "R50", "B02");
        assertThat(read.split("dev").labels(0)).containsExactly(1, 2, 3);
        assertThat(read.split("test").labels(0)).containsExactly(3, 4);
        assertThat(read.split("test").id(0)).isEqualTo("e1");
        assertThat(read.hasSplit("test")).isTrue();
        assertThat(read.hasSplit("dev2")).isFalse();
    }

    @Test
    void codesBelowTheLimitAreNotTrainedButStayGold() {
        PreparedCorpus prepared = prepare(new CorpusPreparer.Limits(2, 100, 2));
        assertThat(prepared.vocabulary().size()).isEqualTo(4);
        assertThat(prepared.labels().size()).isEqualTo(1);
        assertThat(prepared.train().labels(0)).containsExactly(0);
        assertThat(prepared.split("dev").labels(0)).containsExactly(1, 2, 3);
    }

    @Test
    void trainingDocumentsWithoutCodesAreAUserError() {
        Corpus bare = new ListCorpus("bare", List.of(new Document("a", "text", Set.of())));
        assertThatThrownBy(() -> preparer(CorpusPreparer.Limits.NONE).prepare(inputs(bare), directory))
                .isInstanceOf(UserError.class);
    }

    @Test
    void anIdThatOccursTwiceInASplitIsAUserError() {
        Corpus twice = new ListCorpus(
                "both files", List.of(new Document("a", "x", Set.of("A")), new Document("a", "y", Set.of("B"))));
        assertThatThrownBy(() -> preparer(CorpusPreparer.Limits.NONE).prepare(inputs(twice), directory))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("Two documents of the split 'train' have the id 'a'")
                .hasMessageContaining("both files");
    }

    @Test
    void anIdThatOccursInTwoSplitsIsAWarning() {
        Corpus dev = new ListCorpus("dev", List.of(new Document("t1", "x", Set.of("R07"))));
        CorpusPreparer.Inputs inputs =
                new CorpusPreparer.Inputs(source(train), Map.of("dev", source(dev)), Optional.empty());
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        Logger logger = (Logger) LoggerFactory.getLogger(DocumentIds.class);
        logger.addAppender(log);
        try {
            preparer(CorpusPreparer.Limits.NONE).prepare(inputs, directory);
        } finally {
            logger.detachAppender(log);
        }
        assertThat(log.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .singleElement()
                .asString()
                .startsWith("1 documents of the split dev")
                .contains("'t1' in train and dev");
    }

    @Test
    void passagesFollowTheDocumentsInTheTrainingData() {
        Corpus annotated = new ListCorpus(
                "annotated",
                List.of(
                        new Document(
                                "m1",
                                "chest pain then fever then chest pain",
                                Set.of("R07", "R50", "Z00"),
                                List.of(
                                        new GoldEvidence("R07", List.of(new Span(0, 10))),
                                        new GoldEvidence("R50", List.of(new Span(16, 21))),
                                        new GoldEvidence("R07", List.of(new Span(27, 37))))),
                        new Document("m2", "fever and chest pain", Set.of("R07", "R50")), // no evidence
                        new Document(
                                "m3",
                                "fever",
                                Set.of("R50"),
                                List.of(new GoldEvidence("R50", List.of(new Span(0, 5)))))));
        // Z00 is not trained, so it needs no evidence
        CorpusPreparer preparer = preparer(new CorpusPreparer.Limits(1, 100, 2));
        PreparedCorpus prepared = preparer.prepare(inputs(annotated), directory);
        assertThat(prepared.hasSplit(PreparedCorpus.PASSAGES)).isFalse();
        assertThat(prepared.trainingData().size()).isEqualTo(3);

        CorpusPreparer.writePassages(prepared, source(annotated), 4);
        TokenStore passages = PreparedCorpus.open(directory).split(PreparedCorpus.PASSAGES);
        // tokens by count: chest 3, fever 3, pain 3, then 2, and 1; codes: R50 3, R07 2
        assertThat(passages.size()).isEqualTo(2);
        assertThat(passages.id(0)).isEqualTo("m1#1");
        assertThat(passages.tokens(0)).containsExactly(2, 4, 5, 3);
        assertThat(passages.labels(0)).containsExactly(0, 1);
        assertThat(passages.id(1)).isEqualTo("m1#2");
        assertThat(passages.tokens(1)).containsExactly(5, 2, 4);
        assertThat(passages.labels(1)).containsExactly(1);
        // evidence as token positions, in the document and in its passages
        assertThat(prepared.train().evidence(0))
                .containsExactly(new TokenEvidence(1, 0, 2), new TokenEvidence(0, 3, 4), new TokenEvidence(1, 5, 7));
        assertThat(prepared.train().evidence(1)).isEmpty();
        assertThat(passages.evidence(0)).containsExactly(new TokenEvidence(1, 0, 2), new TokenEvidence(0, 3, 4));
        assertThat(passages.evidence(1)).containsExactly(new TokenEvidence(1, 1, 3));

        Dataset trainingData = PreparedCorpus.open(directory).trainingData();
        assertThat(trainingData.size()).isEqualTo(5);
        assertThat(trainingData.tokens(2)).containsExactly(3);
        assertThat(trainingData.labels(2)).containsExactly(0);
        assertThat(trainingData.tokens(4)).containsExactly(5, 2, 4);
        assertThat(trainingData.labels(4)).containsExactly(1);
        assertThat(trainingData.length(3)).isEqualTo(4);
        assertThat(trainingData.evidence(2)).containsExactly(new TokenEvidence(0, 0, 1));
        assertThat(trainingData.evidence(4)).isEqualTo(passages.evidence(1));
        assertThatThrownBy(() -> trainingData.length(5)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThat(prepared.train().size()).isEqualTo(3);
        assertThat(prepared.labels().frequency(1)).isEqualTo(2); // of documents
    }

    @Test
    void tokensOfLabelsBelongToTheVocabulary() {
        CorpusPreparer preparer = new CorpusPreparer(new CorpusPreparer.Options(
                CorpusPreparer.Limits.NONE,
                Optional.empty(),
                labels -> labels.withZeroShot(List.of("unseen")),
                labels -> Set.of("name" + labels.size())));
        PreparedCorpus prepared = preparer.prepare(inputs(train), directory);
        int labels = prepared.labels().size();
        assertThat(prepared.vocabulary().id("name" + labels))
                .isEqualTo(prepared.vocabulary().size() - 1);
        assertThat(prepared.vocabulary().count(prepared.vocabulary().size() - 1))
                .isZero();
    }

    @Test
    void passagesOfDocumentsWithoutEvidenceAreAUserError() {
        PreparedCorpus prepared = prepare(CorpusPreparer.Limits.NONE);
        assertThatThrownBy(() -> CorpusPreparer.writePassages(prepared, source(train), 2))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("preprocessing.passage_tokens")
                .hasMessageContaining("more than 2 tokens");
        assertThat(prepared.hasSplit(PreparedCorpus.PASSAGES)).isFalse();
    }

    private PreparedCorpus prepare(CorpusPreparer.Limits limits) {
        Map<String, DocumentSource> evaluation = new LinkedHashMap<>();
        evaluation.put("dev", source(dev));
        evaluation.put("test", source(test));
        return preparer(limits)
                .prepare(new CorpusPreparer.Inputs(source(train), evaluation, Optional.empty()), directory);
    }

    private static CorpusPreparer preparer(CorpusPreparer.Limits limits) {
        return new CorpusPreparer(CorpusPreparer.Options.of(limits));
    }

    private static CorpusPreparer.Inputs inputs(Corpus train) {
        return new CorpusPreparer.Inputs(source(train), Map.of(), Optional.empty());
    }

    private static DocumentSource source(Corpus corpus) {
        return new CorpusDocuments(corpus, new WordTokenizer(), Progress.NONE);
    }
}
