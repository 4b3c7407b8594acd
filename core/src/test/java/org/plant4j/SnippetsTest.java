package org.plant4j;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.plant4j.support.FileTree;

/** README and documentation quote the programs of the project examples. */
class SnippetsTest {

    private static final Path REPOSITORY = Path.of("..");
    private static final Pattern SOURCE = Pattern.compile("// snippet: (\\w+)\\R(.*?)\\R *// end", Pattern.DOTALL);
    private static final Pattern QUOTE =
            Pattern.compile("<!-- snippet: (\\w+) -->\\R\\R```java\\R(.*?)```", Pattern.DOTALL);

    @ParameterizedTest
    @CsvSource({"README.md, 1", "docs/library.md, 3"})
    void quotesEqualTheirPrograms(String page, int count) throws IOException {
        Map<String, String> programs = new HashMap<>();
        for (Path file : FileTree.files(REPOSITORY.resolve("examples/src/main/java"))) {
            Matcher source = SOURCE.matcher(Files.readString(file));
            while (source.find()) {
                programs.put(source.group(1), source.group(2).stripIndent().strip());
            }
        }
        Matcher quote = QUOTE.matcher(Files.readString(REPOSITORY.resolve(page)));
        int found = 0;
        while (quote.find()) {
            assertThat(quote.group(2).strip()).isEqualTo(programs.get(quote.group(1)));
            found++;
        }
        assertThat(found).isEqualTo(count);
    }
}
