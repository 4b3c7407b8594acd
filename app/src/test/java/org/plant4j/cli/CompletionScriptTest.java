package org.plant4j.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.cli.terminal.Terminal;
import picocli.CommandLine;

/** Completes command lines in bash, as the Tab key does. */
class CompletionScriptTest {

    @TempDir
    private Path directory;

    @BeforeEach
    void writeScriptAndRuns() throws IOException {
        assumeTrue(Files.isExecutable(Path.of("/bin/bash")), "bash is missing");
        PrintWriter none = new PrintWriter(Writer.nullWriter());
        CommandLine plant = Main.commandLine(Terminal.NONE, none, none);
        Files.writeString(directory.resolve("script"), new CompletionScript(plant).text());
        for (String run : List.of("runs/linear@demo", "runs/plant@demo", "other/mine")) {
            Files.createDirectories(directory.resolve(run));
            Files.writeString(directory.resolve(run).resolve("manifest.json"), "{}");
        }
        Files.createDirectories(directory.resolve("runs/.cache"));
        Files.writeString(directory.resolve("notes.yaml"), "extends: auto");
        Files.writeString(directory.resolve("note.txt"), "Fever.");
    }

    @Test
    void experimentsAreModelsAtCorporaOrFiles() throws Exception {
        assertThat(complete("plant run line")).containsExactly("linear@");
        assertThat(complete("plant run plant-desc"))
                .contains("plant-descriptions@", "plant-descriptions-passages@")
                .allMatch(model -> model.startsWith("plant-desc"));
        assertThat(complete("plant train linear@codi")).contains("@codiesp-d", "@codiesp-p"); // readline keeps linear
        assertThat(complete("plant run linear@demo no")).containsExactly("notes.yaml");
        assertThat(complete("./plant tune lin")).containsExactly("linear@");
    }

    @Test
    void runsAreDirectoriesWithAManifest() throws Exception {
        assertThat(complete("plant predict ru")).containsExactlyInAnyOrder("runs/linear@demo", "runs/plant@demo");
        assertThat(complete("plant predict ")).contains("runs/linear@demo", "demo", "codiesp-d");
        assertThat(complete("plant serve codiesp-")).containsExactlyInAnyOrder("codiesp-d", "codiesp-p");
        assertThat(complete("plant predict demo n")).contains("note.txt").doesNotContain("demo");
        assertThat(complete("plant evaluate runs/p")).containsExactly("runs/plant@demo");
        assertThat(complete("plant evaluate runs/plant@d")).containsExactly("@demo");
        assertThat(complete("plant serve other/")).containsExactly("other/mine");
        assertThat(complete("plant results add runs/l")).containsExactly("runs/linear@demo");
        assertThat(complete("plant predict runs/plant@demo note.")).containsExactly("note.txt");
    }

    @Test
    void commandsOptionsTheirValuesStudiesAndCorpora() throws Exception {
        assertThat(complete("plant eval")).containsExactly("evaluate");
        assertThat(complete("plant run --see")).anyMatch(option -> option.startsWith("--seeds"));
        assertThat(complete("plant evaluate runs/plant@demo --split ")).contains("train", "dev", "test");
        assertThat(complete("plant study low")).containsExactly("low-shot");
        assertThat(complete("plant results corpus codiesp-d-")).contains("codiesp-d-en", "codiesp-d-final");
        assertThat(complete("plant run --runs ")).doesNotContain("linear@");
    }

    private List<String> complete(String line) throws IOException, InterruptedException {
        // Readline splits words at blanks and at @.
        String program = """
                source ./script
                line=$1
                read -ra COMP_WORDS <<< "${line//@/ @ }"
                [[ "$line" == *[[:space:]@] ]] && COMP_WORDS+=("")
                COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMP_LINE=$line COMP_POINT=${#line}
                COMP_WORDBREAKS=$' \\t\\n"\\'@><=;|&(:'
                _plant
                printf '%s\\n' "${COMPREPLY[@]}"
                """;
        Process bash = new ProcessBuilder("/bin/bash", "-c", program, "bash", line)
                .directory(directory.toFile())
                .start();
        String replies = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        bash.waitFor();
        return replies.lines()
                .map(String::strip)
                .filter(reply -> !reply.isEmpty())
                .toList();
    }
}
