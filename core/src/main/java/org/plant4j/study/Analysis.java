package org.plant4j.study;

import java.util.List;
import org.plant4j.report.ReportPage;
import org.plant4j.report.ReportTable;

/** The analysis of one kind of study, which answers its question from the finished runs. */
interface Analysis {

    /** The question, as one sentence. */
    String question();

    /** The main table, shown in the terminal. */
    ReportTable table();

    /** All numbers behind the answer, for the result files. */
    List<StudyResult> results();

    /** Adds the sections of this analysis to the report. */
    void report(ReportPage page);
}
