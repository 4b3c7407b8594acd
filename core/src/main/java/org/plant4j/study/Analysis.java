package org.plant4j.study;

import java.util.List;
import org.plant4j.eval.ReportPage;
import org.plant4j.eval.Table;

/** Draws a study's answer from its runs. */
interface Analysis {

    /** Makes the analysis of finished runs. */
    @FunctionalInterface
    interface Maker {
        Analysis of(Runs runs);
    }

    /** What is asked, in a sentence. */
    String question();

    /** The answer in one table, for a terminal. */
    Table table();

    /** Every number behind it. */
    List<Result> results();

    /** Adds the answer's sections to the page. */
    void report(ReportPage page);
}
