package org.plant4j.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Column;
import picocli.CommandLine.Help.Column.Overflow;
import picocli.CommandLine.Help.TextTable;

/** Renders the commands of {@code plant --help} by task, one line per command. */
final class CommandOverview {

    /** The commands by heading; every command must be listed. */
    static final Map<String, List<String>> SECTIONS = sections();

    private static final int NAME_WIDTH = 14;

    private CommandOverview() {}

    private static Map<String, List<String>> sections() {
        Map<String, List<String>> sections = new LinkedHashMap<>();
        sections.put("Getting started", List.of("demo", "init", "doctor"));
        sections.put("Data and encoders", List.of("corpus", "encoder", "prepare"));
        sections.put(
                "Train and evaluate",
                List.of(
                        "run",
                        "tune",
                        "study",
                        "evaluate",
                        "domain",
                        "compare",
                        "results",
                        "top-tokens",
                        "evidence",
                        "shortlist",
                        "context"));
        sections.put("Code documents", List.of("predict", "explain", "model", "ranking", "serve", "token", "reviews"));
        sections.put("Tools", List.of("bench", "completion", "help"));
        return sections;
    }

    static String render(Help help) {
        StringBuilder overview = new StringBuilder();
        SECTIONS.forEach((heading, commands) -> overview.append(System.lineSeparator())
                .append(help.colorScheme().ansi().string("@|bold " + heading + "|@"))
                .append(System.lineSeparator())
                .append(section(help, commands)));
        return overview.toString();
    }

    private static String section(Help help, List<String> commands) {
        int width = help.commandSpec().usageMessage().width();
        TextTable table = TextTable.forColumns(
                help.colorScheme(),
                new Column(NAME_WIDTH, 2, Overflow.SPAN),
                new Column(width - NAME_WIDTH, 2, Overflow.WRAP));
        for (String command : commands) {
            String[] description = Objects.requireNonNull(
                            help.commandSpec().subcommands().get(command))
                    .getCommandSpec()
                    .usageMessage()
                    .description();
            table.addRowValues(
                    help.colorScheme().commandText(command), help.colorScheme().text(summary(command, description)));
        }
        return table.toString();
    }

    private static String summary(String command, String[] description) {
        return command.equals("help") ? "Show the help of a command." : description[0];
    }
}
