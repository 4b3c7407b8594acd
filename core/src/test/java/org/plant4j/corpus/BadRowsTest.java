package org.plant4j.corpus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.plant4j.UserError;

class BadRowsTest {

    @Test
    void aRowMetOnTwoPassesCountsOnce() {
        BadRows badRows = BadRows.skip();
        for (int pass = 0; pass < 2; pass++) {
            badRows.found(new UserError("No text", "notes.csv:3", "add it"));
            badRows.found(new UserError("No codes", "notes.csv:7", "add them"));
        }
        assertThat(badRows.skipped()).isEqualTo(2);
        assertThat(badRows.first().orElseThrow().where()).isEqualTo("notes.csv:3");
    }

    @Test
    void withoutSkippingTheFirstOneEndsTheReading() {
        UserError error = new UserError("No text", "notes.csv:3", "add it");
        assertThatThrownBy(() -> BadRows.fail().found(error)).isSameAs(error);
    }
}
