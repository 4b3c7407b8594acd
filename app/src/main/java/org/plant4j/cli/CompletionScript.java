package org.plant4j.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.plant4j.experiment.ExperimentLibrary;
import org.plant4j.experiment.ExperimentLibrary.Kind;
import org.plant4j.pretrained.PretrainedModels;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/**
 * The completion script: picocli's, which knows commands, options and their values, and ours for the values of arguments.
 * What an argument is follows from its label in the help text, such as {@code RUN}.
 */
final class CompletionScript {

    private static final String TEMPLATE = "completion.bash";
    private static final List<String> LABELS = List.of("EXPERIMENT", "RUN", "STUDY", "CORPUS");

    private final CommandLine plant;

    CompletionScript(CommandLine plant) {
        this.plant = plant;
    }

    String text() {
        String script = template();
        for (String label : LABELS) {
            script = script.replace("@" + label + "@", pattern(commands(label)));
        }
        script = script.replace("@VALUE_OPTIONS@", pattern(valueOptions()))
                .replace("@PRETRAINED@", String.join(" ", PretrainedModels.names()))
                .replace("@MODELS@", String.join(" ", ExperimentLibrary.names(Kind.MODELS)))
                .replace("@CORPORA@", String.join(" ", ExperimentLibrary.names(Kind.CORPORA)))
                .replace("@STUDIES@", String.join(" ", ExperimentLibrary.names(Kind.STUDIES)));
        return AutoComplete.bash("plant", plant) + script;
    }

    private static String template() {
        try (InputStream in = CompletionScript.class.getResourceAsStream(TEMPLATE)) {
            return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Alternatives of a case; one that never occurs if there are none. */
    private static String pattern(Set<String> alternatives) {
        return alternatives.isEmpty() ? "''" : String.join("|", alternatives);
    }

    /** Patterns of the commands with an argument of this label: a command and anything, or a command and its subcommand. */
    private Set<String> commands(String label) {
        Set<String> patterns = new TreeSet<>();
        for (CommandLine command : children(plant)) {
            for (String name : names(command)) {
                if (hasArgument(command, label)) {
                    patterns.add("'" + name + " '*");
                }
                for (CommandLine child : children(command)) {
                    if (hasArgument(child, label)) {
                        names(child).forEach(second -> patterns.add("'" + name + " " + second + "'"));
                    }
                }
            }
        }
        return patterns;
    }

    private static boolean hasArgument(CommandLine command, String label) {
        return command.getCommandSpec().positionalParameters().stream()
                .anyMatch(parameter -> parameter.paramLabel().equals(label));
    }

    private static Set<CommandLine> children(CommandLine command) {
        return Set.copyOf(command.getSubcommands().values());
    }

    private static Set<String> names(CommandLine command) {
        return command.getCommandSpec().names();
    }

    /** Options that are followed by a value, of all commands. */
    private Set<String> valueOptions() {
        return all(plant)
                .map(CommandLine::getCommandSpec)
                .map(CommandSpec::options)
                .flatMap(List::stream)
                .filter(option -> option.arity().max() > 0)
                .flatMap(option -> Stream.of(option.names()))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Stream<CommandLine> all(CommandLine command) {
        return Stream.concat(Stream.of(command), children(command).stream().flatMap(CompletionScript::all));
    }
}
