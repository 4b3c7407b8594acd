package org.plant4j.corpus.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.Document;
import org.plant4j.UserError;
import org.plant4j.corpus.Splits;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.corpus.file.TestFiles;

class CorpusFormatsTest {

    @Test
    void aConfigSurvivesYamlAndJson() throws IOException {
        String yaml = "{format: codiesp, path: data/codiesp, train: [train, dev], options: {codes: P, seed: 3}}";
        CorpusConfig config = new YAMLMapper().readValue(yaml, CorpusConfig.class);
        assertThat(config)
                .isEqualTo(new CorpusConfig(
                        "codiesp",
                        "data/codiesp",
                        List.of("train", "dev"),
                        List.of(),
                        List.of(),
                        Map.of("codes", "P", "seed", "3")));
        JsonMapper json = JsonMapper.builder().build();
        assertThat(json.readValue(json.writeValueAsString(config), CorpusConfig.class))
                .isEqualTo(config);
    }

    @Test
    void subsetsOfASplitAreConcatenated(@TempDir Path directory) throws IOException {
        TestFiles.file(directory, "a.csv", "id,text,codes", "1,one,A");
        TestFiles.file(directory, "b.csv.gz", "id,text,codes", "2,two,B");
        TestFiles.file(directory, "c.csv", "id,text,codes", "3,three,C");
        CorpusConfig config = new CorpusConfig(
                "csv", directory.toString(), List.of("a.csv", "b.csv.gz"), List.of("c.csv"), List.of(), Map.of());
        Splits split = CorpusFormats.openSplits(config, BadRowHandler.fail());
        assertThat(TestFiles.ids(split.train())).containsExactly("1", "2");
        assertThat(TestFiles.ids(split.dev())).containsExactly("3");
        assertThat(TestFiles.ids(split.test())).isEmpty();
    }

    @Test
    void parquetIsReadBySparkOnly(@TempDir Path directory) {
        CorpusConfig config = new CorpusConfig(
                "parquet", directory.toString(), List.of("train.parquet"), List.of(), List.of(), Map.of());
        assertThatThrownBy(() -> CorpusFormats.openSplits(config, BadRowHandler.fail()))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("plant-spark prepare");
    }

    @Test
    void aSplitByFractionsIsStableWhenDocumentsAreAdded(@TempDir Path directory) throws IOException {
        Splits split = CorpusFormats.openSplits(whole(directory, 5000, "70/20/10"), BadRowHandler.fail());
        List<String> train = TestFiles.ids(split.train());
        List<String> dev = TestFiles.ids(split.dev());
        List<String> test = TestFiles.ids(split.test());
        assertThat(train.size()).isBetween(3400, 3600);
        assertThat(dev.size()).isBetween(920, 1080);
        assertThat(train.size() + dev.size() + test.size()).isEqualTo(5000);
        assertThat(TestFiles.ids(split.train())).isEqualTo(train);
        Splits grown = CorpusFormats.openSplits(whole(directory, 6000, "70/20/10"), BadRowHandler.fail());
        assertThat(TestFiles.ids(grown.train())).startsWith(train.toArray(String[]::new));
        assertThat(dev).doesNotContainAnyElementsOf(train).doesNotContainAnyElementsOf(test);
    }

    @Test
    void errorsForMistypedNamesSuggestTheClosest() {
        assertThatThrownBy(() -> new CorpusConfig("cantimist", "x", List.of(), List.of(), List.of(), Map.of()))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("did you mean 'cantemist'?");
        assertThatThrownBy(() -> CorpusFormats.openCorpus(
                        "codiesp", Path.of("x"), Map.of("langage", "en"), BadRowHandler.fail()))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("Unknown option 'langage'")
                .hasMessageContaining("did you mean 'language'?");
        assertThatThrownBy(() ->
                        CorpusFormats.openCorpus("codiesp", Path.of("x"), Map.of("codes", "Q"), BadRowHandler.fail()))
                .hasMessageContaining("one of d, p, both");
        assertThatThrownBy(() ->
                        CorpusFormats.openCorpus("mimic4", Path.of("x"), Map.of("icd", "11"), BadRowHandler.fail()))
                .hasMessageContaining("9 or 10");
        assertThatThrownBy(() ->
                        CorpusFormats.openCorpus("mimic3", Path.of("x"), Map.of("top", "0"), BadRowHandler.fail()))
                .hasMessageContaining("an integer of at least 1");
    }

    @Test
    void contradictoryConfigsAreRejected() {
        assertThatThrownBy(() -> new CorpusConfig("csv", "x", List.of(), List.of("d"), List.of(), Map.of()))
                .hasMessageContaining("none for train");
        CorpusConfig both =
                new CorpusConfig("csv", "x", List.of("a"), List.of(), List.of(), Map.of("fractions", "80/10/10"));
        assertThatThrownBy(() -> CorpusFormats.openSplits(both, BadRowHandler.fail()))
                .hasMessageContaining("both named splits and fractions");
    }

    private static CorpusConfig whole(Path directory, int documents, String fractions) throws IOException {
        List<String> lines = new ArrayList<>(List.of("id,text,codes"));
        for (int i = 0; i < documents; i++) {
            lines.add("note" + i + ",text,A");
        }
        Path file = TestFiles.file(directory, documents + ".csv", lines.toArray(String[]::new));
        return new CorpusConfig(
                "csv", file.toString(), List.of(), List.of(), List.of(), Map.of("fractions", fractions, "seed", "1"));
    }

    @Test
    void theDemoCorpusHasTheConfiguredSizes() {
        CorpusConfig config = new CorpusConfig(
                "demo", "", List.of("train"), List.of("dev"), List.of("test"), Map.of("sizes", "12/3/0"));
        Splits split = CorpusFormats.openSplits(config, BadRowHandler.fail());
        try (Stream<Document> train = split.train().documents();
                Stream<Document> dev = split.dev().documents();
                Stream<Document> test = split.test().documents()) {
            assertThat(train.count()).isEqualTo(12);
            assertThat(dev.count()).isEqualTo(3);
            assertThat(test.count()).isZero();
        }
        CorpusConfig wrong = new CorpusConfig("demo", "", List.of(), List.of(), List.of(), Map.of("sizes", "many"));
        assertThatThrownBy(() -> CorpusFormats.openSplits(wrong, BadRowHandler.fail()))
                .hasMessageContaining("1000/200/200");
    }
}
