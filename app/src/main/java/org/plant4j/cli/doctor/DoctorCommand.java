package org.plant4j.cli.doctor;

import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.plant4j.cli.option.CommonOptions;
import org.plant4j.cli.option.JsonOption;
import org.plant4j.cli.terminal.ErrorHandler;
import org.plant4j.distributed.GroupLibraries;
import org.plant4j.tensor.Engine;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code plant doctor}: prints the environment and the problems found in it. */
@Command(
        name = "doctor",
        description = {
            "Check that Plant4j can run here, and print details for bug reports.",
            "The exit code is 2 if Plant4j cannot run on this machine."
        })
public final class DoctorCommand implements Callable<Integer> {

    @Mixin
    private final CommonOptions common = new CommonOptions();

    @Mixin
    private final JsonOption json = new JsonOption();

    @Override
    public Integer call() {
        Diagnosis diagnosis = Diagnosis.of(SystemInfo.current(), engine());
        if (json.enabled()) {
            common.out().println(JsonOption.pretty(diagnosis));
        } else {
            print(diagnosis);
        }
        return diagnosis.usable() ? CommandLine.ExitCode.OK : ErrorHandler.EXIT_USER_ERROR;
    }

    private static Map<String, String> engine() {
        Map<String, String> facts = new LinkedHashMap<>(Engine.describe());
        if (!facts.containsKey("error")) {
            facts.put("process groups", GroupLibraries.describe("works".equals(facts.get("cuda"))));
        }
        return facts;
    }

    private void print(Diagnosis diagnosis) {
        PrintWriter out = common.out();
        int width = diagnosis.facts().values().stream()
                .flatMap(facts -> facts.keySet().stream())
                .mapToInt(String::length)
                .max()
                .orElse(0);
        for (Map.Entry<String, Map<String, String>> section : diagnosis.facts().entrySet()) {
            out.println(styled("bold", section.getKey()));
            section.getValue().forEach((name, value) -> out.println("  " + name + pad(name, width) + "  " + value));
            out.println();
        }
        if (diagnosis.problems().isEmpty()) {
            out.println(styled("green", "No problems found."));
        }
        for (Diagnosis.Problem problem : diagnosis.problems()) {
            out.println(styled(problem.blocking() ? "red" : "yellow", problem.what()));
            out.println("  where: " + problem.where());
            out.println("  remedy: " + problem.remedy());
        }
    }

    private String styled(String style, String text) {
        return common.ansi().string("@|" + style + " " + text + "|@");
    }

    private static String pad(String name, int width) {
        return " ".repeat(width - name.length());
    }
}
