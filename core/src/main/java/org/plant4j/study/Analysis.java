package org.plant4j.study;

import java.util.List;
import org.plant4j.report.ReportPage;
import org.plant4j.report.ReportTable;

/** Draws a study's answer from its runs. */
interface Analysis {

    /** What is asked, in a sentence. */
    String question();

    /** The answer in one table, for a terminal. */
    ReportTable table();

    /** Every number behind it. */
    List<StudyResult> results();

    /** Adds the answer's sections to the page. */
    void report(ReportPage page);
}
