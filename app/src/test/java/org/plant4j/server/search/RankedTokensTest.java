package org.plant4j.server.search;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.text.LabelIndex;
import org.plant4j.text.Vocabulary;
import org.plant4j.text.WordTokenizer;

class RankedTokensTest {

    private final LabelIndex labels = LabelIndex.of(Map.of("I10", 5, "E11.9", 3), 1);
    private final Vocabulary vocabulary = new Vocabulary.Builder()
            .add(new WordTokenizer().tokenize("pressure pressure pressure amlodipine amlodipine metformin"))
            .build(1, 100);

    @TempDir
    Path directory;

    @Test
    void aRunWithoutARankerHasNoTokens() {
        assertThat(RankedTokens.read(new RunDirectory(directory), labels, vocabulary)
                        .forCode("I10"))
                .isEmpty();
    }

    @Test
    void tokensHaveGainAndRank() throws IOException {
        RunDirectory run = new RunDirectory(directory);
        try (DataOutputStream out = new DataOutputStream(Files.newOutputStream(run.relevance()))) {
            out.write("P4RELEVA".getBytes(StandardCharsets.US_ASCII));
            out.writeInt(1);
            out.writeInt(2); // labels
            out.writeInt(2); // tokens of I10
            out.writeInt(vocabulary.id("amlodipine"));
            out.writeInt(vocabulary.id("pressure"));
            out.writeFloat(0.5f);
            out.writeFloat(0.25f);
            out.writeInt(0); // tokens of E11.9
        }
        RankedTokens tokens = RankedTokens.read(run, labels, vocabulary);
        assertThat(tokens.forCode("I10"))
                .containsExactly(
                        new RankedTokens.RankedToken("amlodipine", 0.5, 1),
                        new RankedTokens.RankedToken("pressure", 0.25, 2));
        assertThat(tokens.forCode("E11.9")).isEmpty();
        assertThat(tokens.forCode("Z99")).isEmpty();
    }
}
