package org.plant4j.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.plant4j.Coder;
import org.plant4j.Evaluation;
import org.plant4j.Evidence;
import org.plant4j.MetricNames;
import org.plant4j.experiment.Experiment;
import org.plant4j.text.PreparedCorpus;

/** Description matching, from preparation to explained predictions. */
class DescriptionMatchingRunTest extends PipelineTestCase {

    private static final int TRAINED = 30;
    private static final int CODES = 40;

    private Path codeSet;

    /**
     * Each of 30 codes has one training document, which begins with its description and ends with that of a code that it does not
     * have. The words of the last five codes are in no training document.
     */
    @BeforeEach
    void writeDocuments() {
        List<String> codes = new ArrayList<>(List.of("code\tdescription"));
        IntStream.range(0, CODES).forEach(code -> codes.add(code(code) + "\t" + name(code) + "s of the knee"));
        codeSet = tiny.write("signs.tsv", codes.toArray(String[]::new));
        tiny.write("train.csv", rows(0, TRAINED));
        tiny.write("dev.csv", rows(TRAINED + 5, CODES));
        tiny.write("test.csv", rows(0, 3));
    }

    private static String code(int code) {
        return "A" + (code + 10);
    }

    /** A word that is in no other description. */
    private static String name(int code) {
        return "sign" + (char) ('a' + code / 10) + (char) ('a' + code % 10);
    }

    private static String[] rows(int from, int to) {
        List<String> rows = new ArrayList<>(List.of("id,text,codes"));
        for (int code = from; code < to; code++) {
            rows.add(
                    code + "," + name(code) + " of the knee: nothing else was seen on that day except for a history of "
                            + name(code % 3 == 0 ? code / 3 : TRAINED + code % 5) + "," + code(code));
        }
        return rows.toArray(String[]::new);
    }

    @Test
    void labelsWithoutDocumentsAreFoundByWordsThatNoTrainingDocumentHas() {
        Experiment experiment = tiny.descriptionMatching(codeSet);
        assertThat(run(experiment)).isTrue();
        assertThat(stages).anyMatch(line -> line.contains("labels 30 · zero-shot labels 10"));
        Evaluation dev = Evaluation.read(runDirectory(experiment).metrics(PreparedCorpus.DEV));
        assertThat(dev.metrics()).containsEntry(MetricNames.MAP, 1.0);
        try (Coder coder = Coder.load(runDirectory(experiment).path())) {
            String text = "The patient has " + name(35) + " of the knee.";
            assertThat(coder.code(text).suggestions().get(0).code()).isEqualTo(code(35));
            Evidence evidence =
                    coder.explain(text, code(35)).suggestion().evidence().get(0);
            assertThat(evidence.text()).contains(name(35));
        }
    }
}
