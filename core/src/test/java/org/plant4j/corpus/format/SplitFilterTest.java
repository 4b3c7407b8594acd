package org.plant4j.corpus.format;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SplitFilterTest {

    private final SplitFilter filter = new SplitFilter(Optional.of("train"), List.of("train", "dev", "test"));

    private boolean accepts(String value) {
        return filter.accepts(Optional.of(value));
    }

    @Test
    void countsRowsWhoseValueTheConfigDoesNotName() {
        assertThat(accepts("train")).isTrue();
        assertThat(accepts(" Train ")).isTrue();
        assertThat(accepts("dev")).isFalse();
        assertThat(filter.unassignedRows()).isEmpty();
        assertThat(accepts("valid")).isFalse();
        assertThat(accepts("valid")).isFalse();
        assertThat(filter.accepts(Optional.empty())).isFalse();
        assertThat(accepts("The patient is well.")).isFalse();
        assertThat(filter.unassignedRows())
                .hasValue(
                        "4 rows are in no split ('': 1, 'valid': 2); name the values in train, dev or test to use them");
    }
}
