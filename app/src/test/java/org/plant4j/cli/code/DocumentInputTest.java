package org.plant4j.cli.code;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.UserError;
import org.plant4j.cli.option.CommonOptions;
import picocli.CommandLine;

class DocumentInputTest {

    @TempDir
    Path directory;

    private String file(String name) throws IOException {
        Path file = directory.resolve(name);
        Files.createDirectories(file.resolveSibling(""));
        return Files.writeString(file, "Asthma.").toString();
    }

    private static DocumentInput input(String... files) {
        DocumentInput input = new DocumentInput();
        CommandLine parser = new CommandLine(input);
        parser.parseArgs(Stream.concat(Stream.of("run"), Stream.of(files)).toArray(String[]::new));
        return input;
    }

    @Test
    void filesOfTheSameNameHaveTheirPathsAsIds() throws IOException {
        String one = file("a/note.txt");
        String two = file("b/note.txt");
        String other = file("b/other.txt");
        assertThat(input(one, two, other).documents(new CommonOptions()))
                .extracting(InputDocument::id)
                .containsExactly(one, two, "other");
    }

    @Test
    void aFileThatIsGivenTwiceIsAnError() throws IOException {
        String one = file("a/note.txt");
        UserError error =
                catchThrowableOfType(UserError.class, () -> input(one, one).documents(new CommonOptions()));
        assertThat(error.what()).contains("given twice");
        assertThat(error.where()).isEqualTo(one);
    }
}
