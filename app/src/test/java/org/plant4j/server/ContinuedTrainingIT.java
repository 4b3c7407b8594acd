package org.plant4j.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.Coder;
import org.plant4j.Progress;
import org.plant4j.Suggestion;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.experiment.ExperimentFile;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.pipeline.Pipeline;
import org.plant4j.pipeline.stage.Session;

/** From a served model over corrected reviews and their export to a model that has learned the corrections. */
class ContinuedTrainingIT {

    /** In the code set, but not a label of the served model: coders add it to notes about dialysis. */
    private static final String CORRECTED = "Z99.2";

    private static final List<String> CODES = List.of("E11.9", "I50.9", "J45.909", "N18.6");
    private static final List<String> SIGNS =
            List.of("sugar raised", "heart failing", "wheezing breath", "kidney dialysis");
    private static final String DIALYSIS = "Patient with kidney dialysis since monday.";
    private static final String SUGAR = "Patient with sugar raised again.";

    @Test
    void theServedModelLearnsWhatCodersCorrect(@TempDir Path directory) throws Exception {
        RunDirectory served = ExplainableRuns.in(directory).laat();
        byte[] zip;
        try (RunningServer server = new RunningServer(served)) {
            for (int i = 0; i < 100; i++) {
                String text =
                        "Patient with " + SIGNS.get(i % 4) + " at home and " + SIGNS.get(i / 4 % 4) + ", day " + i;
                ObjectNode review = ReviewsIT.review(server, "e" + i, text);
                ArrayNode decisions = review.putArray("decisions");
                SIGNS.stream()
                        .filter(text::contains)
                        .map(sign -> CODES.get(SIGNS.indexOf(sign)))
                        .forEach(code -> decisions.addObject().put("code", code).put("decision", "accepted"));
                if (text.contains("dialysis")) {
                    decisions.addObject().put("code", CORRECTED).put("decision", "added");
                }
                assertThat(server.post("/api/reviews", review.toString()).status())
                        .isEqualTo(201);
            }
            zip = HttpClient.newHttpClient()
                    .send(server.request("/api/reviews/export").build(), HttpResponse.BodyHandlers.ofByteArray())
                    .body();
        }
        for (Map.Entry<String, String> file : ReviewsIT.unzip(zip).entrySet()) {
            Files.writeString(directory.resolve(file.getKey()), file.getValue());
        }
        Pipeline pipeline = new Pipeline(
                ExperimentFile.open(directory.resolve("reviews.yaml").toString(), List.of()),
                directory.resolve("continued"),
                new Session("a test", BadRowHandler.fail(), false, Progress.NONE, () -> false, (stage, how) -> {}));
        pipeline.run();
        try (Coder before = Coder.load(served.path());
                Coder after = Coder.load(pipeline.runDirectory().path())) {
            assertThat(before.codes()).doesNotContain(CORRECTED);
            assertThat(after.codes()).containsAll(before.codes()).contains(CORRECTED);
            assertThat(ranked(after, DIALYSIS)).containsOnlyOnce(CORRECTED);
            assertThat(ranked(after, SUGAR)).startsWith("E11.9");
        }
    }

    private static List<String> ranked(Coder coder, String text) {
        return coder.code(text, 2).suggestions().stream().map(Suggestion::code).toList();
    }
}
