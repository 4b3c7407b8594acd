package org.plant4j.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TokenPairsTest {

    private static final int UNKNOWN = 1;

    @Test
    void associationIsPointwiseMutualInformationWithADiscountForRareTokens() {
        // Pairs: 2-3 twice, 3-2, 2-4 and 4-2 once; 5 in all.
        TokenPairs pairs = new TokenPairs.Counts(100)
                .add(new int[] {2, 3, 2, 3})
                .add(new int[] {2, 4, 2})
                .build();
        assertThat(pairs.size()).isEqualTo(4);
        // 2 comes first in 3 pairs and has 2 successors; 3 comes second in 2 of 5 pairs: log(2 / (3 + 2) / (2 / 5)).
        assertThat(pairs.association(2, 3)).isZero();
        // log(1 / (1 + 1) / (2 / 5)) = log 1.25 = 0.22, rounded to steps of 0.1
        assertThat(pairs.association(3, 2)).isEqualTo(2);
        assertThat(pairs.association(4, 3)).isEqualTo(TokenPairs.UNSEEN);
    }

    @Test
    void everyStoredPairIsFound() {
        int[] tokens = new Random(3).ints(50_000, 2, 3_000).toArray();
        TokenPairs pairs = new TokenPairs.Counts(100_000).add(tokens).build();
        assertThat(pairs.size()).isGreaterThan(40_000);
        long found = IntStream.range(1, tokens.length)
                .filter(i -> pairs.association(tokens[i - 1], tokens[i]) > TokenPairs.UNSEEN)
                .count();
        assertThat(found).isEqualTo(tokens.length - 1);
        assertThat(pairs.association(3_000, 3_000)).isEqualTo(TokenPairs.UNSEEN);
    }

    @Test
    void unknownTokensFormNoPairs() {
        TokenPairs pairs = new TokenPairs.Counts(100)
                .add(new int[] {2, UNKNOWN, 3, UNKNOWN, UNKNOWN, 2})
                .build();
        assertThat(pairs.size()).isZero();
    }

    @Test
    void rarePairsAreDroppedBeyondTheCapacity() {
        TokenPairs.Counts counts = new TokenPairs.Counts(10);
        counts.add(new int[] {2, 3, 2, 3, 2, 3});
        for (int token = 10; token < 40; token++) {
            counts.add(new int[] {token, token + 1});
        }
        TokenPairs pairs = counts.build();
        assertThat(pairs.size()).isBetween(2, 11);
        assertThat(pairs.association(2, 3)).isGreaterThan(TokenPairs.UNSEEN);
        assertThat(pairs.association(10, 11)).isEqualTo(TokenPairs.UNSEEN);
    }

    @Test
    void jsonPreservesThePairs() throws IOException {
        TokenPairs.Counts counts = new TokenPairs.Counts(1000);
        for (int token = 2; token < 300; token++) {
            counts.add(new int[] {token, token + 1, token / 2 + 2});
        }
        TokenPairs pairs = counts.build();
        JsonMapper mapper = new JsonMapper();
        TokenPairs read = mapper.readValue(mapper.writeValueAsString(pairs), TokenPairs.class);
        assertThat(read.toBytes()).isEqualTo(pairs.toBytes()).hasSize(4 * pairs.size());
        assertThat(read.association(17, 18))
                .isEqualTo(pairs.association(17, 18))
                .isGreaterThan(0);
    }

    @Test
    void damagedBytesAreRefused() {
        assertThatThrownBy(() -> TokenPairs.ofBytes(new byte[3])).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> TokenPairs.ofBytes(new byte[] {0, 0, 0, 1, 0, 0, 0, 0}))
                .hasMessageContaining("ascending order");
    }
}
