package org.plant4j.corpus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.plant4j.Document;
import org.plant4j.UserError;
import org.plant4j.corpus.file.TestFiles;

class CorporaTest {

    @Test
    void aConcatenationHoldsOneDocumentAtATimeAndClosesItsCorpora() {
        AtomicInteger generated = new AtomicInteger();
        AtomicInteger closed = new AtomicInteger();
        Corpus endless = new Corpus() {
            @Override
            public String name() {
                return "endless";
            }

            @Override
            public Stream<Document> documents() {
                return Stream.generate(() -> new Document("d" + generated.incrementAndGet(), "x", Set.of()))
                        .onClose(closed::incrementAndGet);
            }
        };
        try (Stream<Document> documents =
                Corpora.concat("all", List.of(endless, endless)).documents()) {
            Iterator<Document> iterator = documents.iterator();
            assertThat(iterator.next().id()).isEqualTo("d1");
            assertThat(iterator.next().id()).isEqualTo("d2");
        }
        assertThat(generated.get()).isLessThan(5);
        assertThat(closed.get()).isEqualTo(1);
    }

    @Test
    void anotherSeedGivesAnotherSplitAndAZeroFractionAnEmptyOne() {
        assertThat(TestFiles.ids(split("50/50/0", 1).train()))
                .isNotEqualTo(TestFiles.ids(split("50/50/0", 2).train()));
        assertThat(TestFiles.ids(split("50/50/0", 1).test())).isEmpty();
        assertThat(TestFiles.ids(split("1/0/0", 1).train())).hasSize(200);
    }

    private static Splits split(String fractions, long seed) {
        Corpus corpus = new Corpus() {
            @Override
            public String name() {
                return "numbered";
            }

            @Override
            public Stream<Document> documents() {
                return IntStream.range(0, 200).mapToObj(i -> new Document("note" + i, "text", Set.of("A")));
            }
        };
        return Corpora.split(corpus, SplitFractions.parse(fractions), seed);
    }

    @ParameterizedTest
    @ValueSource(strings = {"80/20", "a/b/c", "0/1/1", "-1/1/1", "1/1/NaN", ""})
    void invalidFractionsAreUserErrors(String fractions) {
        assertThatThrownBy(() -> SplitFractions.parse(fractions))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("80/10/10");
    }
}
