package org.plant4j.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.plant4j.Coder;
import org.plant4j.CodingResult;
import org.plant4j.Suggestion;
import org.plant4j.UserError;
import org.plant4j.cli.terminal.Terminal;
import org.plant4j.pretrained.CardPage;
import org.plant4j.pretrained.ModelCard;
import org.plant4j.pretrained.PackedModel;
import org.plant4j.pretrained.PretrainedModels;
import org.plant4j.support.FileTree;

/** The models in {@code models/}, used as a user would. The notes are made up. */
class PretrainedModelsIT {

    private static final String NOTE = """
            Varón de 72 años con antecedentes de hipertensión arterial en tratamiento con enalapril, diabetes mellitus tipo 2
            y dislipemia. Acude a urgencias por fiebre de 39 °C, tos y disnea de tres días de evolución. En la exploración
            física presenta crepitantes en la base derecha. La radiografía de tórax muestra un infiltrado compatible con
            neumonía. Se inicia tratamiento antibiótico con buena evolución, y es dado de alta a los siete días.
            """;

    /** At most about 16 MB in the repository. */
    private static final long MAX_BYTES = 16_800_000;

    @TempDir
    Path directory;

    private record Outcome(int status, String out, String err) {}

    private static Outcome plant(String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int status = Main.run(Terminal.NONE, new PrintWriter(out), new PrintWriter(err), args);
        return new Outcome(status, out.toString(), err.toString());
    }

    private static String succeed(String... args) {
        Outcome outcome = plant(args);
        assertThat(outcome.status()).as(outcome.err()).isZero();
        return outcome.out();
    }

    private static List<String> codes(String model, String text) {
        try (Coder coder = Coder.pretrained(model)) {
            CodingResult result = coder.code(text, 5);
            assertThat(result.domain().inDomain())
                    .as(result.domain().toString())
                    .isTrue();
            return result.suggestions().stream().map(Suggestion::code).toList();
        }
    }

    static Stream<String> names() {
        return Stream.of("cantemist", "codiesp-d", "codiesp-p", "demo");
    }

    @Test
    void theModelsAreOnTheClassPath() {
        assertThat(PretrainedModels.names()).containsExactlyElementsOf(names().toList());
        assertThat(succeed("model", "list")).contains("codiesp-d", "Spanish", "ICD-10-CM", "72,960", "CC BY 4.0");
    }

    @Test
    void aSpanishNoteIsCodedWithEvidence() throws IOException {
        assertThat(codes("codiesp-d", NOTE))
                .startsWith("I10")
                .containsExactlyInAnyOrder("E11.9", "E78.5", "I10", "J18.9", "R06.00"); // R05 and R50.9 follow
        assertThat(codes("codiesp-p", NOTE)).startsWith("BW03ZZZ"); // chest radiography
        Path note = Files.writeString(directory.resolve("nota.txt"), NOTE);
        assertThat(succeed("predict", "codiesp-d", note.toString()))
                .contains(
                        "I10", "Essential (primary) hypertension", "hipertensión arterial", "diabetes mellitus tipo 2");
        assertThat(succeed("explain", "codiesp-d", note.toString(), "--code", "J18.9"))
                .contains("neumonía");
    }

    @Test
    void anOncologyCaseIsCoded() {
        String text =
                "Mujer de 58 años diagnosticada de carcinoma ductal infiltrante de mama izquierda, tratada con mastectomía"
                        + " y quimioterapia. Dos años después presenta dolor óseo; la gammagrafía muestra metástasis óseas múltiples"
                        + " y la TAC, metástasis hepáticas.";
        assertThat(codes("cantemist", text)).startsWith("8000/6", "8500/3"); // metastasis, infiltrating duct carcinoma
    }

    @ParameterizedTest
    @MethodSource("names")
    void aModelIsSmallAndHasACardAndNoTextOfItsCorpus(String name) throws IOException {
        PackedModel model = PretrainedModels.get(name);
        ModelCard card = model.card();
        assertThat(model.size()).isLessThan(MAX_BYTES);
        assertThat(card.name()).isEqualTo(name);
        assertThat(card.text().licence()).isNotEmpty();
        assertThat(card.text().data()).isNotEmpty();
        assertThat(card.text().limits()).isNotEmpty();
        assertThat(card.calibration()).isPresent();
        assertThat(card.provenance().commit()).isPresent();
        ModelCard.Quality quality = card.quality().orElseThrow();
        assertThat(quality.metrics().getOrDefault("MAP", 0.0)).isGreaterThan(quality.mapBeforePacking() - 0.002);
        assertThat(succeed("model", "card", name)).contains("### " + name, "SHA-256", model.checksum());
        for (Path file : FileTree.files(model.unpack().path())) {
            String content = Files.readString(file, StandardCharsets.ISO_8859_1);
            assertThat(content)
                    .as(file.toString())
                    .doesNotContainPattern("S[0-9]{4}-[0-9]{10,}|cc_onco[0-9]|train-[0-9]{4}|/(work|home|root|tmp)/");
        }
    }

    /** Rules: a directory of the same name that is not a run does not matter; an unknown name lists the known ones. */
    @Test
    void namesAreExplainedIfUnknown() {
        Outcome typo = plant("predict", "codiesp-q", "--text", "fiebre");
        assertThat(typo.status()).isEqualTo(2);
        assertThat(typo.err()).contains("No such run", "codiesp-q", "did you mean the pretrained model 'codiesp-");
        assertThatThrownBy(() -> Coder.pretrained("nothing"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("use one of: cantemist, codiesp-d, codiesp-p, demo");
        Outcome report = plant("evaluate", "codiesp-p");
        assertThat(report.status()).isEqualTo(2);
        assertThat(report.err()).contains("--corpus", "plant model card codiesp-p");
    }

    @Test
    void aModelIsEvaluatedOnOtherDocuments() throws IOException {
        Path corpus = Files.write(
                directory.resolve("mine.csv"),
                List.of(
                        "id,text,codes",
                        "1,\"" + NOTE.replace("\n", " ") + "\",I10;J18.9;E11.9",
                        "2,\"Paciente con cefalea y fiebre.\",R51;R50.9"));
        assertThat(succeed("evaluate", "codiesp-d", "--corpus", corpus.toString()))
                .contains("MAP", "micro-F1", " on 2 ");
    }

    @Test
    void theServerCodesWithAModelByName() throws IOException, InterruptedException {
        Process server = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Dplant4j.cache=" + System.getProperty("plant4j.cache", "target/cache"),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName(),
                        "serve",
                        "codiesp-d",
                        "--port",
                        "0")
                .directory(directory.toFile())
                .redirectError(directory.resolve("serve.err").toFile())
                .start();
        try (BufferedReader out = server.inputReader(StandardCharsets.UTF_8)) {
            String line = String.valueOf(out.readLine());
            assertThat(line)
                    .as(Files.readString(directory.resolve("serve.err")))
                    .startsWith("Listening on http://127.0.0.1:");
            URI address = URI.create(line.substring(line.indexOf("http")));
            assertThat(get(address.resolve("/api/model"))).contains("\"name\":\"codiesp-d\"", "\"MAP\":");
            assertThat(get(address)).contains("<html");
            assertThat(directory.resolve("runs/reviews.db")).exists();
        } finally {
            server.destroyForcibly();
        }
    }

    private static String get(URI address) throws IOException, InterruptedException {
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.ofString())
                .body();
    }

    @Test
    void thePageHasTheCardsOfTheModels() throws IOException {
        String page = Files.readString(Path.of("../docs/pretrained-models.md"));
        assertThat(page)
                .as("write it again: plant model report")
                .isEqualTo(CardPage.update(page, PretrainedModels.all()));
    }
}
