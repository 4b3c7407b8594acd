package org.plant4j.cli.terminal;

/** Formats the lines that report the stages of a run: the stage in one column, its outcome in the next. */
public final class StageLine {

    private static final int NAME_WIDTH = "mutual-information".length();

    private StageLine() {}

    public static String format(String stage, String outcome) {
        return "  " + stage + " ".repeat(Math.max(0, NAME_WIDTH - stage.length())) + "  " + outcome;
    }
}
