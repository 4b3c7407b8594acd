package org.plant4j.corpus;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TieOrderTest {

    @Test
    void doesNotFollowTheAlphabet() {
        List<String> codes = IntStream.range(0, 1000)
                .mapToObj(i -> (char) ('A' + i / 40) + String.valueOf(10 + i % 40))
                .sorted(TieOrder.comparator())
                .toList();
        long ofFirstHalf = codes.subList(0, 100).stream()
                .filter(code -> code.charAt(0) < 'A' + 13)
                .count();
        assertThat(ofFirstHalf).isBetween(35L, 70L); // 52 of 100 are expected
    }

    @Test
    void codesWithTheSameHashHaveAnOrder() {
        assertThat("Aa".hashCode()).isEqualTo("BB".hashCode());
        assertThat(TieOrder.comparator().compare("Aa", "BB")).isNegative();
        assertThat(TieOrder.comparator().compare("BB", "Aa")).isPositive();
    }
}
