package org.plant4j.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class ErrorMessagesTest {

    @Test
    void aMessageIsCutAfterItsFirstLine() {
        assertThat(ErrorMessages.firstLine(new IOException("libnccl.so.2 is missing\nat line 1")))
                .isEqualTo("libnccl.so.2 is missing");
    }

    @Test
    void anErrorWithoutAMessageIsNamedByItsType() {
        assertThat(ErrorMessages.firstLine(new IOException())).isEqualTo("IOException");
        assertThat(ErrorMessages.firstLine(new IOException(""))).isEqualTo("IOException");
    }
}
