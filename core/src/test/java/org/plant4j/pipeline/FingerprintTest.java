package org.plant4j.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;
import org.plant4j.UserError;
import org.plant4j.experiment.Experiment;

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

    private static String print(Experiment experiment) {
        return new Fingerprint().addCorpus(experiment.corpus()).hex();
    }
}
