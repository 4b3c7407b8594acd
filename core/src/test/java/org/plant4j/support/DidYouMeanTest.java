package org.plant4j.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DidYouMeanTest {

    @Test
    void theClosestNameIsSuggested() {
        assertThat(DidYouMean.remedy("epoch", List.of("epochs", "clip"))).isEqualTo("did you mean 'epochs'?");
    }

    @Test
    void swappedNeighboursAreOneMistake() {
        assertThat(DidYouMean.closest("rnu", List.of("demo", "run"))).contains("run");
        assertThat(DidYouMean.closest("abc", List.of("run"))).isEmpty();
    }

    @Test
    void longListsOfNamesAreTruncated() {
        List<String> many = IntStream.range(0, 30).mapToObj(i -> "name" + i).toList();
        assertThat(DidYouMean.remedy("x", many)).endsWith("name23 and 6 more");
        assertThat(DidYouMean.remedy("x", many.subList(0, 2))).isEqualTo("use one of: name0, name1");
    }
}
