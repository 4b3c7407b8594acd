package org.plant4j.corpus.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.plant4j.UserError;

class BadRowHandlerTest {

    @Test
    void aRowSkippedInTwoPassesCountsOnce() {
        BadRowHandler badRows = BadRowHandler.skip();
        for (int pass = 0; pass < 2; pass++) {
            badRows.report(new UserError("No text", "notes.csv:3", "add it"));
            badRows.report(new UserError("No codes", "notes.csv:7", "add them"));
        }
        assertThat(badRows.skipped()).isEqualTo(2);
        assertThat(badRows.first().orElseThrow().where()).isEqualTo("notes.csv:3");
    }

    @Test
    void withoutSkippingTheFirstErrorIsThrown() {
        UserError error = new UserError("No text", "notes.csv:3", "add it");
        assertThatThrownBy(() -> BadRowHandler.fail().report(error)).isSameAs(error);
    }
}
