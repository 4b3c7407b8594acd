package org.plant4j.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.Progress;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.experiment.Experiment;
import org.plant4j.text.WordTokenizer;

class ObservedTokensTest {

    @TempDir
    Path directory;

    @Test
    void observedTokensComeFromTrainingDataOnly() {
        TinyExperiment tiny = TinyExperiment.in(directory);
        tiny.append("dev.csv", "d,Only dev has nausea.,E11.9");
        tiny.write("more.csv", "id,text,codes", "1,Syncope unseen elsewhere.,E11.9", "2,Only dev has nausea.,E11.9");
        tiny.write(
                "code-set.tsv", "code\tdescription\tparent\tvalid", "E11.9\tType 2 diabetes\t\t1", "Z99.2\tRenal\t\t1");
        Experiment experiment = tiny.laat(
                PipelineTestCase.VECTORS,
                "code_sets=[" + directory.resolve("code-set.tsv") + "]",
                "unlabelled=[{format: csv, path: " + directory.resolve("more.csv") + "}]");
        Set<String> tokens =
                ObservedTokens.of(List.of(experiment), new WordTokenizer(), BadRowHandler.fail(), Progress.NONE);
        assertThat(tokens).contains("sugar", "syncope", "diabetes").doesNotContain("nausea", "ventilator", "renal");
    }
}
