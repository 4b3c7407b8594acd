package org.plant4j.inspection;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.plant4j.Document;
import org.plant4j.corpus.Corpus;

class CorpusFactsTest {

    /** 60,000 documents of two words and one of three labels, of which 50,000 are tokenized. */
    @Test
    void largeCorporaAreCountedToTheEnd() {
        Corpus large = new Corpus() {
            @Override
            public String name() {
                return "large";
            }

            @Override
            public Stream<Document> documents() {
                return IntStream.range(0, 60_000)
                        .mapToObj(i -> new Document("d" + i, "two words", Set.of(i < 55_000 ? "A" + i % 2 : "B")));
            }
        };
        assertThat(CorpusFacts.of(large)).isEqualTo(new CorpusFacts(60_000, 3, 2, 1, 0));
    }
}
