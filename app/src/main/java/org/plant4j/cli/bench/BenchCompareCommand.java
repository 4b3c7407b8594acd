package org.plant4j.cli.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.plant4j.UserError;
import org.plant4j.cli.option.CommitOption;
import org.plant4j.cli.option.CommonOptions;
import org.plant4j.cli.option.JsonOption;
import org.plant4j.cli.option.OptionCheck;
import org.plant4j.report.ReportTable;
import org.plant4j.support.AtomicFile;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code plant bench compare}: runs a benchmark with an earlier build and this one in turns, and prints ratios of times. */
@Command(
        name = "compare",
        description = "Compare the speed of an earlier build with this one, in turns on the same machine.",
        footer = {
            "",
            "Example:",
            "  plant bench compare plant-0.1.jar -- laat --tokens 500 --threads 2",
            "With version 0.1, whose options and rows had other names:",
            "  plant bench compare plant-0.1.jar --rename=--batch-size=--documents --rename=--vocabulary=--words \\",
            "    --row='explained prediction, 1 document=prediction of 1' -- plant --batch-size 1 --predict-only",
        })
final class BenchCompareCommand implements Callable<Integer> {

    @Mixin
    private final CommonOptions common = new CommonOptions();

    @Parameters(index = "0", paramLabel = "JAR", description = "The earlier build, started with java -jar.")
    private Path jar = Path.of("");

    @Parameters(
            index = "1..*",
            arity = "1..*",
            paramLabel = "ARGUMENT",
            description = "Arguments of plant bench, after --.")
    private List<String> arguments = new ArrayList<>();

    @Option(
            names = "--turns",
            paramLabel = "N",
            defaultValue = "5",
            description = "Runs of each build (default: ${DEFAULT-VALUE}).")
    private int turns = 5;

    @Option(
            names = "--rename",
            paramLabel = "NEW=OLD",
            description = "Name of an argument in the earlier build. Can be repeated.")
    private Map<String, String> renamed = new LinkedHashMap<>();

    @Option(
            names = "--row",
            paramLabel = "NEW=OLD",
            description = "Name of a row of the table in the earlier build. Can be repeated.")
    private Map<String, String> rows = new LinkedHashMap<>();

    @Option(
            names = "--earlier-arguments",
            paramLabel = "ARGUMENTS",
            description = "All arguments of the earlier build, separated by spaces, if they differ in more than names.")
    private @Nullable String earlierArguments;

    @Mixin
    private final CommitOption commit = new CommitOption();

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            description = "Also write the times and ratios as JSON.")
    private @Nullable Path output;

    /** Times of one row in all turns. */
    private record Times(List<Double> earlier, List<Double> present) {

        SpeedRatio ratio() {
            return SpeedRatio.of(array(earlier), array(present));
        }

        private static double[] array(List<Double> values) {
            return values.stream().mapToDouble(value -> value).toArray();
        }

        static double median(List<Double> values) {
            return StepTimer.median(array(values));
        }
    }

    @Override
    public Integer call() {
        OptionCheck.atLeast(1, "--turns", turns);
        if (!Files.isRegularFile(jar)) {
            throw new UserError("The jar does not exist", jar.toString(), "give the plant.jar of an earlier build");
        }
        Map<String, Times> times = measure();
        if (times.isEmpty()) {
            throw new UserError(
                    "The two builds print no row with the same name",
                    String.join(" ", arguments),
                    "map the rows with --row NEW=OLD");
        }
        ReportTable table = ReportTable.of(
                ReportTable.Column.text("benchmark"),
                ReportTable.Column.number("earlier ms", 1),
                ReportTable.Column.number("this ms", 1),
                ReportTable.Column.number("times faster", 2),
                ReportTable.Column.number("from", 2),
                ReportTable.Column.number("to", 2));
        Map<String, Object> json = new LinkedHashMap<>();
        for (Map.Entry<String, Times> row : times.entrySet()) {
            SpeedRatio ratio = row.getValue().ratio();
            table = table.row(
                    row.getKey(),
                    Times.median(row.getValue().earlier),
                    Times.median(row.getValue().present),
                    ratio.mean(),
                    ratio.low(),
                    ratio.high());
            json.put(row.getKey(), toMap(row.getValue(), ratio));
        }
        common.out().print(table.toText());
        common.out().flush();
        if (output != null) {
            Map<String, Object> result = new LinkedHashMap<>();
            result.put("command", "plant bench " + String.join(" ", arguments));
            result.put("earlier", "plant bench " + String.join(" ", argumentsOfEarlier()));
            commit.hash().ifPresent(hash -> result.put("commit", hash));
            result.put("turns", turns);
            result.put("processors", Runtime.getRuntime().availableProcessors());
            result.put("rows", json);
            AtomicFile.write(output, file -> Files.writeString(file, JsonOption.pretty(result) + "\n"));
        }
        return CommandLine.ExitCode.OK;
    }

    private static Map<String, Object> toMap(Times times, SpeedRatio ratio) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("earlier_median_ms", Times.median(times.earlier));
        map.put("present_median_ms", Times.median(times.present));
        map.put("earlier_ms", times.earlier);
        map.put("present_ms", times.present);
        map.put("ratio", ratio.mean());
        map.put("low", ratio.low());
        map.put("high", ratio.high());
        return map;
    }

    /** Both builds in turns; which one is first alternates, since a machine may warm up or cool down. */
    private Map<String, Times> measure() {
        Map<String, Times> times = new LinkedHashMap<>();
        BuildRun earlier = BuildRun.of(jar);
        BuildRun present = BuildRun.present();
        for (int turn = 0; turn < turns; turn++) {
            Map<String, Double> before;
            Map<String, Double> now;
            if (turn % 2 == 0) {
                before = earlier.medians(argumentsOfEarlier());
                now = present.medians(arguments);
            } else {
                now = present.medians(arguments);
                before = earlier.medians(argumentsOfEarlier());
            }
            for (Map.Entry<String, Double> row : now.entrySet()) {
                Optional.ofNullable(before.get(rows.getOrDefault(row.getKey(), row.getKey())))
                        .ifPresent(milliseconds -> {
                            Times ofRow = times.computeIfAbsent(
                                    row.getKey(), key -> new Times(new ArrayList<>(), new ArrayList<>()));
                            ofRow.earlier.add(milliseconds);
                            ofRow.present.add(row.getValue());
                        });
            }
        }
        return times;
    }

    private List<String> argumentsOfEarlier() {
        return earlierArguments == null
                ? arguments.stream()
                        .map(argument -> renamed.getOrDefault(argument, argument))
                        .toList()
                : List.of(earlierArguments.strip().split(" +"));
    }
}
