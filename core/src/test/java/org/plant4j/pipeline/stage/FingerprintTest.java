package org.plant4j.pipeline.stage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.plant4j.UserError;
import org.plant4j.corpus.format.CorpusConfig;
import org.plant4j.experiment.Experiment;
import org.plant4j.pipeline.PipelineTestCase;
import org.plant4j.pipeline.TinyExperiment;

class FingerprintTest extends PipelineTestCase {

    @Test
    void fingerprintDependsOnFileContents() {
        String before = print(tiny.prior());
        assertThat(print(tiny.prior())).isEqualTo(before);
        tiny.append("dev.csv", "d,Heart failing.,I50.9");
        assertThat(print(tiny.prior())).isNotEqualTo(before);
        run(tiny.prior());
        tiny.append("dev.csv", "e,Heart failing.,I50.9");
        assertThat(catchThrowableOfType(UserError.class, () -> run(tiny.prior()))
                        .what())
                .contains("other data");
    }

    @Test
    void fingerprintDependsOnFilesInOptions() {
        Experiment experiment = tiny.prior("corpus.options.splits=" + directory.resolve("splits.csv"));
        tiny.write("splits.csv", "_id,split", "1,train");
        String before = print(experiment);
        tiny.write("splits.csv", "_id,split", "1,test");
        assertThat(print(experiment)).isNotEqualTo(before);
    }

    @Test
    void fingerprintIgnoresOtherFilesAndTheDirectory() throws IOException {
        String before = print(tiny.prior());
        tiny.write("more.csv", "id,text,codes");
        Files.createDirectories(directory.resolve("moved"));
        assertThat(print(tiny.prior())).isEqualTo(before);
        assertThat(print(TinyExperiment.in(directory.resolve("moved")).prior())).isEqualTo(before);
    }

    @Test
    void aCorpusOfAClusterHasTheFingerprintOfItsName() {
        Experiment experiment = tiny.prior("corpus.path=hdfs://host/corpus");
        assertThat(experiment.corpus().path()).isEqualTo("hdfs://host/corpus");
        assertThat(print(experiment)).isEqualTo(print(experiment)).isNotEqualTo(print(tiny.prior()));
        assertThat(print(tiny.prior("corpus.path=hdfs://host/other"))).isNotEqualTo(print(experiment));
    }

    /** MIMIC corpora without published subsets were split by admission once; their prepared splits must not be reused. */
    @Test
    void splitsByPatientHaveTheirOwnFingerprint() {
        CorpusConfig split = new CorpusConfig("mimic3", "none", List.of(), List.of(), List.of(), Map.of());
        CorpusConfig published =
                new CorpusConfig("mimic3", "none", List.of("train"), List.of("dev"), List.of("test"), Map.of());
        assertThat(new Fingerprint().addCorpus(split).hex())
                .isNotEqualTo(printOfEarlierVersion(split))
                .isNotEqualTo(new Fingerprint().addCorpus(published).hex());
        assertThat(new Fingerprint().addCorpus(published).hex()).isEqualTo(printOfEarlierVersion(published));
    }

    private static String printOfEarlierVersion(CorpusConfig corpus) {
        return new Fingerprint()
                .add(corpus.format())
                .add(corpus.train())
                .add(corpus.dev())
                .add(corpus.test())
                .add(corpus.options())
                .addFiles(Path.of(corpus.path()))
                .hex();
    }

    private static String print(Experiment experiment) {
        return new Fingerprint().addCorpus(experiment.corpus()).hex();
    }
}
