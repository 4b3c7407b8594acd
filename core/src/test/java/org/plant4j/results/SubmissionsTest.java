package org.plant4j.results;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The rankings in {@code submissions/} are those that their manifest describes. */
class SubmissionsTest {

    private static final Path SUBMISSIONS = Path.of("..", "submissions");

    @Test
    void everyRankingHasTheChecksumOfTheManifest() throws IOException, NoSuchAlgorithmException {
        JsonNode manifest =
                new JsonMapper().readTree(SUBMISSIONS.resolve("manifest.json").toFile());
        List<String> described = new ArrayList<>();
        for (JsonNode entry : manifest.get("submissions")) {
            Path file = SUBMISSIONS.resolve(entry.get("file").asText());
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));
            assertThat(HexFormat.of().formatHex(digest))
                    .as(file.toString())
                    .isEqualTo(entry.get("sha256").asText());
            assertThat(entry.get("commands")).isNotEmpty();
            assertThat(entry.get("seeds")).isNotEmpty();
            described.add(entry.get("file").asText());
        }
        try (Stream<Path> files = Files.list(SUBMISSIONS)) {
            assertThat(files.map(file -> String.valueOf(file.getFileName()))
                            .filter(name -> name.endsWith(".gz"))
                            .toList())
                    .containsExactlyInAnyOrderElementsOf(described);
        }
    }
}
