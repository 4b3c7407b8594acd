package org.plant4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.plant4j.UserError;
import org.plant4j.cli.option.CommonOptions;
import org.plant4j.cli.terminal.ErrorHandler;
import org.plant4j.cli.terminal.RunLog;
import org.plant4j.cli.terminal.StandardOutput;
import org.plant4j.cli.terminal.Terminal;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

public class MainTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int plant(String... args) {
        return Main.run(Terminal.NONE, new PrintWriter(out), new PrintWriter(err), args);
    }

    /** Runs an additional command, {@code fail}, that throws the exception. */
    private int failing(Terminal terminal, Throwable fault, String... options) {
        CommandLine plant = Main.commandLine(terminal, new PrintWriter(out), new PrintWriter(err));
        plant.addSubcommand(new Fail(fault));
        // A subcommand added later has default handlers until they are set again on the whole tree.
        ErrorHandler errors = new ErrorHandler(terminal);
        plant.setErr(new PrintWriter(err)).setExecutionExceptionHandler(errors);
        String[] args = new String[options.length + 1];
        args[0] = "fail";
        System.arraycopy(options, 0, args, 1, options.length);
        return plant.execute(args);
    }

    @Command(name = "fail")
    private static final class Fail implements Callable<Integer> {

        @Mixin
        private final CommonOptions common = new CommonOptions();

        private final Throwable fault;

        Fail(Throwable fault) {
            this.fault = fault;
        }

        @Override
        public Integer call() throws Exception {
            common.progress().start("failing", 1).close();
            throw (Exception) fault;
        }
    }

    @Test
    void withoutACommandTheHelpIsPrinted() {
        assertThat(plant()).isZero();
        assertThat(out.toString()).contains("Train and evaluate", "doctor", "completion", "--version");
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void theVersionIsPrintedToStandardOutput() {
        assertThat(plant("--version")).isZero();
        assertThat(out.toString()).startsWith("Plant4j ");
    }

    @Test
    void aTooSmallBenchmarkOptionIsReported() {
        assertThat(plant("bench", "laat", "--rounds", "1")).isEqualTo(ErrorHandler.EXIT_USER_ERROR);
        assertThat(err.toString()).contains("--rounds", "use 2 or more");
    }

    @Test
    void benchLanguageModelPrintsOneRowPerRound() {
        String sizes =
                "--vocabulary 50 --embedding 4 --hidden 8 --layers 2 --bptt 8 --batch-size 2 --steps 3 --rounds 2";
        assertThat(plant(("bench language-model --device cpu --threads 1 " + sizes).split(" ")))
                .isZero();
        assertThat(out.toString()).contains("2 sequences x 8 tokens", "warm-up", "tokens/s");
    }

    @Test
    void benchEvaluationPrintsTheMemoryOfScores() {
        assertThat(plant("bench evaluation --documents 300 --labels 1000 --scored 20".split(" ")))
                .isZero();
        assertThat(out.toString())
                .contains("300 documents, 1,000 labels: scores 1 MiB in memory, 0 MiB as a file", "write predictions");
    }

    @Test
    void benchPlantMeasuresTheOptimizedAndTheLiteralVariant() {
        String sizes = "--vocabulary 50 --labels 7 --relevant-tokens 5 --batch-size 2 --tokens 6 --steps 1 --rounds 2";
        String[] ours = ("bench plant --encoder bilstm --device cpu --threads 1 " + sizes).split(" ");
        assertThat(plant(ours)).isZero();
        assertThat(out.toString())
                .contains(
                        "optimized, 2 documents x 6 tokens, 7 labels",
                        "training step",
                        "prediction, 2 documents",
                        "prediction, 1 document");
        assertThat(plant(Stream.concat(Stream.of(ours), Stream.of("--variant", "literal"))
                        .toArray(String[]::new)))
                .isZero();
        assertThat(out.toString()).contains("literal, 2 documents x 6 tokens");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "caml",
                "laat",
                "plant",
                "plant-convolutions",
                "isd",
                "description-attention",
                "pooled-bert",
                "plant-bert",
                "control-bert"
            })
    void benchModelMeasuresEveryPackagedNetwork(String model) {
        String small = model.contains("bert") || model.startsWith("description")
                ? " --set model.encoder.layers=1 --set model.encoder.hidden=8 --set model.encoder.heads=2"
                : "";
        String sizes =
                "--vocabulary 50 --labels 7 --batch-size 2 --tokens 30 --description-tokens 3 --steps 1 --rounds 2";
        assertThat(plant(("bench model " + model + " --device cpu --threads 1 " + sizes + small).split(" ")))
                .isZero();
        assertThat(out.toString())
                .contains(model + ", 2 documents x 30 tokens, 7 labels")
                .containsSubsequence("training step", "prediction, 2 documents", "prediction, 1 document");
    }

    @Test
    void benchModelUsesTheVocabularyOfTheEncoder(@TempDir Path directory) throws IOException {
        Files.writeString(directory.resolve("tokens.txt"), "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nfiebre\n");
        Path file = Files.writeString(directory.resolve("mine.yaml"), """
                extends: pooled-bert
                name: mine
                corpus: {format: demo}
                pretrained_encoder: .
                model:
                  encoder: {layers: 1, hidden: 8, heads: 2, intermediate: 16, positions: 512, position_offset: 0,
                            types: 2, epsilon: 1.0e-12, begin: 2, end: 3, mask: 4}
                """);
        String sizes = "--labels 7 --batch-size 2 --tokens 6 --steps 1 --rounds 2 --predict-only --json";
        String options = " --device cpu --threads 1 " + sizes;
        assertThat(plant(("bench model " + file + options).split(" "))).isZero();
        assertThat(out.toString())
                .contains("7 labels, vocabulary 6", "prediction, 2 documents")
                .doesNotContain("training step");
    }

    @Test
    void benchModelRejectsModelsThatAreNotNetworks() {
        assertThat(plant("bench", "model", "linear")).isEqualTo(ErrorHandler.EXIT_USER_ERROR);
        assertThat(err.toString()).contains("not a network", "linear", "choose a network");
        assertThat(plant("bench", "model", "pooled-bert", "--vocabulary", "3")).isEqualTo(ErrorHandler.EXIT_USER_ERROR);
        assertThat(err.toString()).contains("--vocabulary", "use 4 or more");
        assertThat(plant("bench", "model", "laat", "--set", "modle.hidden=8")).isEqualTo(ErrorHandler.EXIT_USER_ERROR);
        assertThat(err.toString()).contains("Unknown setting 'modle'");
    }

    @Test
    void theNameOfACorpusFileTellsItsFormat(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("notes.csv"), "id,text,codes\n1,one,A\n");
        assertThat(plant("corpus", "stats", file.toString())).isZero();
        Path unknown = Files.writeString(directory.resolve("notes.doc"), "");
        assertThat(plant("corpus", "stats", unknown.toString())).isEqualTo(ErrorHandler.EXIT_USER_ERROR);
        assertThat(err.toString()).contains("The format of the corpus is unknown", "notes.doc", "csv");
    }

    @Test
    void labelsAreNotChosenByTheDocumentsOfASingleSplit(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("notes.csv"), "id,text,codes\n1,one,A\n");
        assertThat(plant("corpus", "stats", file.toString(), "--option", "labels=top 50"))
                .isEqualTo(ErrorHandler.EXIT_USER_ERROR);
        assertThat(err.toString()).contains("Labels are chosen by their training documents", "--option labels");
    }

    @Test
    void aMisspeltCommandIsReportedWithTheNearestOne() {
        assertThat(plant("rnu", "plant@demo")).isEqualTo(ErrorHandler.EXIT_USER_ERROR);
        assertThat(err.toString()).contains("Unknown command or argument: 'rnu'", "did you mean run?");
    }

    @Test
    void aPortOutOfRangeIsNotABug() {
        assertThat(plant("serve", "runs/none", "--port", "70000")).isEqualTo(ErrorHandler.EXIT_USER_ERROR);
        assertThat(err.toString()).contains("--port is out of range", "0 to 65535");
    }

    @Test
    void tooFewArgumentsAreReportedByTheirName() {
        assertThat(plant("ranking", "merge", "a.tsv", "-o", "b.tsv")).isEqualTo(ErrorHandler.EXIT_USER_ERROR);
        assertThat(err.toString()).contains("Too few values for FILE");
    }

    @Test
    void aSettingOutOfBoundsIsReportedByItsKey() {
        assertThat(plant("run", "laat@demo", "--set", "training.batch_size=0")).isEqualTo(ErrorHandler.EXIT_USER_ERROR);
        assertThat(err.toString()).contains("training.batch_size: 0 (expected: >= 1)");
    }

    @Test
    void aSettingOfTheWrongTypeIsReportedWithTheExpectedType() {
        assertThat(plant("run", "laat@demo", "--set", "training.epochs=two")).isEqualTo(ErrorHandler.EXIT_USER_ERROR);
        assertThat(err.toString()).contains("'training.epochs': 'two' does not fit", "an integer");
    }

    @Test
    void everyCommandHasHelp() {
        assertThat(plant("doctor", "--help")).isZero();
        assertThat(out.toString()).contains("--json", "--quiet", "--verbose");
    }

    @Test
    void aMistypedCommandIsReportedWithSuggestions() {
        assertThat(plant("docter")).isEqualTo(2);
        assertThat(err.toString())
                .contains("'docter'", "did you mean", "doctor")
                .doesNotContain("\tat ");
        assertThat(err.toString().lines()).hasSize(3);
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void everyCommandIsListedOnceInTheHelp() {
        CommandLine plant = Main.commandLine(Terminal.NONE, new PrintWriter(out), new PrintWriter(err));
        List<String> listed =
                CommandOverview.SECTIONS.values().stream().flatMap(List::stream).toList();
        Set<String> names = plant.getSubcommands().values().stream()
                .map(CommandLine::getCommandName)
                .collect(Collectors.toSet());
        assertThat(listed).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(names);
    }

    @Test
    void everyCommandHasTheNameOfItsAnnotation() {
        CommandLine plant = Main.commandLine(Terminal.NONE, new PrintWriter(out), new PrintWriter(err));
        assertThat(plant.getSubcommands().values())
                .allSatisfy(command -> assertThat(command.getCommandName())
                        .isEqualTo(command.getCommand()
                                .getClass()
                                .getAnnotation(Command.class)
                                .name()));
    }

    @Test
    void theHelpOfEveryCommandFitsAnEightyColumnTerminal() {
        CommandLine plant = Main.commandLine(Terminal.NONE, new PrintWriter(out), new PrintWriter(err));
        commands(plant)
                .forEach(command -> assertThat(command.getUsageMessage().lines())
                        .as(command.getCommandSpec().qualifiedName())
                        .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80)));
    }

    private static Stream<CommandLine> commands(CommandLine command) {
        return Stream.concat(
                Stream.of(command), command.getSubcommands().values().stream().flatMap(MainTest::commands));
    }

    @Test
    void theHelpOfASubcommandIsItsOwn() {
        assertThat(plant("token", "add", "--help")).isZero();
        assertThat(out.toString()).contains("Usage: plant token create", "--role");
    }

    @Test
    void theHelpOfAnUnknownCommandIsAnError() {
        assertThat(plant("token", "creat", "--help")).isEqualTo(2);
        assertThat(err.toString()).contains("'creat'", "did you mean", "create");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void aMistypedOptionIsReportedWithSuggestions() {
        assertThat(plant("doctor", "--jsno")).isEqualTo(2);
        assertThat(err.toString()).contains("'--jsno'", "did you mean --json", "where: plant doctor");
    }

    @Test
    void aUserErrorIsPrintedWithWhatWhereAndRemedy() {
        int status = failing(Terminal.NONE, new UserError("No codes", "notes.csv:7", "add them"));
        assertThat(status).isEqualTo(2);
        assertThat(err.toString().lines()).containsExactly("No codes", "  where: notes.csv:7", "  remedy: add them");
    }

    @Test
    void aUserErrorIsRedOnATerminal() {
        Terminal terminal = new Terminal(false, false, false, true, 80, StandardCharsets.UTF_8);
        failing(terminal, new UserError("No codes", "notes.csv:7", "add them"));
        assertThat(err.toString()).contains("\u001b[31mNo codes\u001b[0m");
    }

    @Test
    void verboseAddsTheStackTraceOfTheCause() {
        IllegalStateException cause = new IllegalStateException("inner");
        assertThat(failing(Terminal.NONE, new UserError("a", "b", "c", cause), "--verbose"))
                .isEqualTo(2);
        RunLog.console("WARN");
        assertThat(err.toString()).contains("Caused by: java.lang.IllegalStateException: inner", "\tat ");
    }

    @Test
    void aBugIsReportedInThreeLines() {
        assertThat(failing(Terminal.NONE, new IllegalStateException("k: 0 (expected: >= 1)")))
                .isEqualTo(1);
        assertThat(err.toString())
                .contains("This is a bug in Plant4j: IllegalStateException: k: 0 (expected: >= 1)", "plant doctor");
        assertThat(err.toString().lines()).hasSize(3);
    }

    @Test
    void aMissingFileIsReportedHoweverDeepItIsWrapped() {
        Exception wrapped = new IllegalStateException(new NoSuchFileException("notes.csv"));
        assertThat(failing(Terminal.NONE, wrapped)).isEqualTo(2);
        assertThat(err.toString()).contains("No such file", "where: notes.csv");
    }

    @Test
    void aClosedPipeEndsTheCommandSilently() {
        PrintWriter closed = new PrintWriter(
                new StandardOutput(new OutputStream() {
                    @Override
                    public void write(int single) throws IOException {
                        throw new IOException("Broken pipe");
                    }
                }),
                true,
                StandardCharsets.UTF_8);
        assertThat(Main.run(Terminal.NONE, closed, new PrintWriter(err), "doctor", "--json"))
                .isEqualTo(141);
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void doctorPrintsJson() throws IOException {
        plant("doctor", "--json");
        JsonNode diagnosis = new ObjectMapper().readTree(out.toString());
        assertThat(diagnosis.at("/facts/System/Plant4j").asText()).isNotEmpty();
        assertThat(diagnosis.at("/facts/Engine").isObject()).isTrue();
        assertThat(diagnosis.at("/problems").isArray()).isTrue();
        assertThat(diagnosis.has("canWork")).isFalse();
    }

    @Test
    void doctorPrintsText() {
        plant("doctor");
        assertThat(out.toString())
                .contains("Java", "heap limit", "OMP_NUM_THREADS")
                .doesNotContain("\u001b");
    }

    @Test
    void completionPrintsAScriptWithAllCommands() {
        assertThat(plant("completion")).isZero();
        assertThat(out.toString()).startsWith("#!").contains("doctor", "--json");
    }
}
