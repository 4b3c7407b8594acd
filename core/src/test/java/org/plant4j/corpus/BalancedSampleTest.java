package org.plant4j.corpus;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.plant4j.corpus.BalancedSample.Candidate;

class BalancedSampleTest {

    /** Label a has four documents, b two, c one of those of b; positions give the order. */
    private static final List<Candidate> CANDIDATES = List.of(
            new Candidate(0.1, 0, List.of("a")),
            new Candidate(0.2, 1, List.of("a")),
            new Candidate(0.3, 2, List.of("a")),
            new Candidate(0.4, 3, List.of("a")),
            new Candidate(0.5, 4, List.of("b")),
            new Candidate(0.6, 5, List.of("b", "c")),
            new Candidate(0.0, 6, List.of()));

    @Test
    void theLabelWithTheFewestDocumentsGetsItsNextOne() {
        assertThat(BalancedSample.choose(CANDIDATES, 2)).containsExactlyInAnyOrder(0L, 4L); // a, b
        assertThat(BalancedSample.choose(CANDIDATES, 3)).containsExactlyInAnyOrder(0L, 4L, 5L); // c, which b has, too
        assertThat(BalancedSample.choose(CANDIDATES, 4)).containsExactlyInAnyOrder(0L, 4L, 5L, 1L); // only a has more
    }

    @Test
    void alreadySampledDocumentsAreNotCountedTwice() {
        assertThat(BalancedSample.choose(CANDIDATES, 100)).containsExactlyInAnyOrder(0L, 1L, 2L, 3L, 4L, 5L);
    }
}
