package org.plant4j.cli.code;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

class ExplainCommandTest {

    @Test
    void aCodeIsFoundInAnyCaseButFirstAsItIsWritten() {
        Set<String> codes = Set.of("I50.9", "acq", "Acq", "sub");
        assertThat(ExplainCommand.spelledAsInRun("i50.9", codes)).isEqualTo("I50.9");
        assertThat(ExplainCommand.spelledAsInRun("sub", codes)).isEqualTo("sub");
        assertThat(ExplainCommand.spelledAsInRun("acq", codes)).isEqualTo("acq");
        assertThat(ExplainCommand.spelledAsInRun("ACQ", codes)).isEqualTo("Acq");
        assertThat(ExplainCommand.spelledAsInRun("x99", codes)).isEqualTo("x99");
    }
}
