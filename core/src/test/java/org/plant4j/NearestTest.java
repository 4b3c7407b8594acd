package org.plant4j;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class NearestTest {

    @Test
    void theNearestNameIsOffered() {
        assertThat(Nearest.remedy("epoch", List.of("epochs", "clip"))).isEqualTo("did you mean 'epochs'?");
    }

    @Test
    void ofManyNamesOnlySomeAreListed() {
        List<String> many = IntStream.range(0, 30).mapToObj(i -> "name" + i).toList();
        assertThat(Nearest.remedy("x", many)).endsWith("name23 and 6 more");
        assertThat(Nearest.remedy("x", many.subList(0, 2))).isEqualTo("known are: name0, name1");
    }
}
