package org.plant4j.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.plant4j.Document;
import org.plant4j.Progress;
import org.plant4j.Span;
import org.plant4j.corpus.Corpora;
import org.plant4j.corpus.Corpus;
import org.plant4j.text.CorpusStatistics.CodeCount;
import org.plant4j.text.CorpusStatistics.Distribution;

class CorpusStatisticsTest {

    /** Splits at single blanks. */
    private static final Tokenizer BLANKS = text -> {
        List<String> tokens = Arrays.asList(text.split(" ", -1));
        return new TokenizedText(
                tokens, tokens.stream().map(token -> new Span(0, 0)).toList());
    };

    @Test
    void statisticsEqualHandCounts() {
        Corpus train = corpus(
                "train",
                new Document("1", "a b c d", Set.of("I10", "E11")),
                new Document("2", "a b", Set.of("I10")),
                new Document("3", "a", Set.of("I10", "J18", "N39")));
        Corpus dev = corpus("dev", new Document("4", "a b c", Set.of("I10", "Z99", "A00")));
        CorpusStatistics statistics =
                CorpusStatistics.of(List.of(train, dev, Corpora.empty("test")), BLANKS, Progress.NONE);

        CorpusStatistics.SplitStatistics first = statistics.splits().get(0);
        assertThat(first.documents()).isEqualTo(3);
        assertThat(first.distinctCodes()).isEqualTo(4);
        assertThat(first.codesPerDocument()).isEqualTo(new Distribution(2, 1.5, 2, 2.5, 1, 3));
        assertThat(first.tokensPerDocument().mean()).isCloseTo(7 / 3.0, within(1e-12));
        assertThat(first.tokensPerDocument().median()).isEqualTo(2);
        assertThat(first.codesSeenOnce()).isEqualTo(3);
        assertThat(first.codesSeenUnderTen()).isEqualTo(4);
        assertThat(first.codesUnseenInTraining()).isZero();
        assertThat(first.codesByFrequency())
                .containsExactly(
                        new CodeCount("I10", 3),
                        new CodeCount("E11", 1),
                        new CodeCount("J18", 1),
                        new CodeCount("N39", 1));

        assertThat(statistics.splits().get(1).codesUnseenInTraining()).isEqualTo(2);
        assertThat(statistics.splits().get(2).documents()).isZero();
        assertThat(statistics.splits().get(2).codesPerDocument()).isEqualTo(new Distribution(0, 0, 0, 0, 0, 0));
    }

    @Test
    void quartilesEqualNumPy() {
        // numpy.percentile([1, 2, 4, 8, 16, 33], [25, 50, 75]) -> [2.5, 6.0, 14.0]
        Distribution distribution = Distribution.of(new int[] {33, 1, 16, 2, 8, 4});
        assertThat(distribution.lowerQuartile()).isEqualTo(2.5);
        assertThat(distribution.median()).isEqualTo(6.0);
        assertThat(distribution.upperQuartile()).isEqualTo(14.0);
    }

    @Test
    void manyDocumentsAreCounted() {
        List<Document> many = new ArrayList<>();
        for (int i = 0; i < 5000; i++) {
            many.add(new Document("d" + i, "a b", Set.of("C" + i % 400)));
        }
        CorpusStatistics.SplitStatistics part = CorpusStatistics.of(
                        List.of(corpus("train", many.toArray(Document[]::new))), BLANKS, Progress.NONE)
                .splits()
                .get(0);
        assertThat(part.documents()).isEqualTo(5000);
        assertThat(part.tokensPerDocument().mean()).isEqualTo(2);
        assertThat(part.codesSeenUnderTen()).isZero();
        assertThat(part.codesByFrequency().get(0)).isEqualTo(new CodeCount("C0", 13));
    }

    private static Corpus corpus(String name, Document... documents) {
        return new Corpus() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public Stream<Document> documents() {
                return Stream.of(documents);
            }
        };
    }
}
