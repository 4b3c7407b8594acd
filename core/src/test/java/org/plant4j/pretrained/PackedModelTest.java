package org.plant4j.pretrained;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.Coder;
import org.plant4j.MetricNames;
import org.plant4j.Progress;
import org.plant4j.RankedCode;
import org.plant4j.Suggestion;
import org.plant4j.UserError;
import org.plant4j.experiment.ExperimentFile;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.pipeline.TinyExperiment;
import org.plant4j.support.Sha256;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.PackedWeights;

class PackedModelTest {

    private static final String TEXT = "Patient with heart failing, seen today; (wheezing breath) and sugar raised.";

    private static final CardText CARD = new CardText(
            "Signs of the tiny corpus.",
            "English",
            "ICD-10-CM",
            "Apache-2.0",
            true,
            List.of(new CardText.Source("Tiny", "training", "Apache-2.0", "Generated.", "https://example.org")),
            List.of("Four codes only."));

    @TempDir
    static Path shared;

    @TempDir
    Path directory;

    private static RunDirectory run;
    private static Path file;

    @BeforeAll
    static void pack() {
        TinyExperiment tiny = TinyExperiment.in(shared);
        Path codes = tiny.write(
                "code-set.tsv", "code\tdescription\tparent\tvalid", "I50\tHeart\t\t0", "I50.9\tFailing heart\tI50\t1");
        run = RunDirectory.open(tiny.run(tiny.plant("training.epochs=8", "code_sets=[" + codes + "]")));
        file = shared.resolve("tiny.zip");
        packer(CARD).pack(file, PackedWeights.BITS, 0.02);
    }

    private static ModelPacker packer(CardText text) {
        return new ModelPacker(run, text, Optional.of("abc"), Compute.CPU, Progress.NONE);
    }

    private RunDirectory unpacked(Path packed) {
        return PackedModel.of(packed).unpack(new ModelCache(directory.resolve("cache")));
    }

    private static List<RankedCode> ranking(Path source) {
        try (Coder coder = Coder.load(source)) {
            return coder.rank(List.of(TEXT), 4).get(0);
        }
    }

    @Test
    void aPackedModelCodesAsItsRun() {
        List<RankedCode> expected = ranking(run.path());
        for (Path source : List.of(unpacked(file).path(), file)) {
            List<RankedCode> codes = ranking(source);
            for (int i = 0; i < expected.size(); i++) {
                assertThat(codes.get(i).code()).isEqualTo(expected.get(i).code());
                assertThat(codes.get(i).score()).isCloseTo(expected.get(i).score(), within(0.01));
            }
        }
    }

    @Test
    void probabilitiesDescriptionsAndEvidenceAreThere() {
        try (Coder coder = Coder.load(unpacked(file).path())) {
            assertThat(coder.isCalibrated()).isTrue();
            assertThat(coder.hasGuard()).isTrue();
            assertThat(coder.description("I50.9")).isEqualTo("Failing heart");
            Suggestion heart = coder.code(TEXT).suggestions().stream()
                    .filter(each -> each.code().equals("I50.9"))
                    .findFirst()
                    .orElseThrow();
            assertThat(heart.evidence().get(0).text()).contains("heart");
        }
    }

    @Test
    void itContainsWhatPredictionNeedsAndNoPathOfThisMachine() throws IOException {
        Map<String, byte[]> entries = entries(file);
        assertThat(entries.keySet())
                .containsExactly(
                        "card.json",
                        "manifest.json",
                        "calibration.json",
                        "code-set.tsv",
                        "context-profile.json",
                        "domain-guard.json",
                        "experiment.yaml",
                        "labels.tsv",
                        "metrics-dev.json",
                        "model.json",
                        "relevance.bin",
                        "thresholds.json",
                        "vocabulary.tsv",
                        "weights.safetensors");
        entries.forEach((name, bytes) -> assertThat(new String(bytes, StandardCharsets.ISO_8859_1))
                .as(name)
                .doesNotContain(shared.toString())
                .doesNotContain("Patient with")
                .doesNotContain("dev.csv-"));
        assertThat(ExperimentFile.read(unpacked(file).experiment(), List.of()).name())
                .isEqualTo("tiny");
    }

    @Test
    void theCardStatesFiguresOfThePackedModelAndItsOrigin() {
        ModelCard card = PackedModel.of(file).card();
        assertThat(card.name()).isEqualTo("tiny");
        assertThat(card.model()).isEqualTo("plant");
        assertThat(card.text()).isEqualTo(CARD);
        assertThat(card.sizes()).containsEntry("labels", 4L).containsEntry("train", 24L);
        assertThat(card.provenance().commit()).contains("abc");
        assertThat(card.provenance().command()).isEqualTo("a test");
        ModelCard.Quality quality = card.quality().orElseThrow();
        assertThat(quality.documents()).isEqualTo(8);
        assertThat(quality.metrics().get(MetricNames.MAP)).isCloseTo(quality.mapBeforePacking(), within(0.02));
        String page = CardPage.update(
                "# Models\n<!-- models -->\nold\n<!-- /models -->\nEnd\n", List.of(PackedModel.of(file)));
        assertThat(page)
                .startsWith("# Models\n<!-- models -->\n\n| model ")
                .contains("### tiny\n\nSigns of the tiny corpus.\n")
                .contains("| SHA-256 | `" + Sha256.of(file) + "` |")
                .contains("- Four codes only.\n")
                .endsWith("<!-- /models -->\nEnd\n")
                .doesNotContain("old");
    }

    @Test
    void theSameRunGivesTheSameBytes() throws IOException {
        Path again = directory.resolve("tiny.zip");
        packer(CARD).pack(again, PackedWeights.BITS, 0.02);
        assertThat(again).hasSameBinaryContentAs(file);
    }

    @Test
    void descriptionsAreLeftOutIfTheirLicenceDoesNotAllowThem() throws IOException {
        CardText text = new CardText("", "", "", "", false, List.of(), List.of());
        Path bare = directory.resolve("bare.zip");
        packer(text).pack(bare, PackedWeights.BITS, 0.02);
        assertThat(text(entries(bare), "code-set.tsv")).isEqualTo("code\tdescription\tparent\tvalid\n");
    }

    @Test
    void aLossThatIsTooLargeIsAUserError() {
        assertThatThrownBy(() -> packer(CARD).pack(directory.resolve("never.zip"), PackedWeights.BITS, -1.1))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("Packing lowers dev MAP");
        assertThat(directory.resolve("never.zip")).doesNotExist();
    }

    @Test
    void aChangedEntryIsRefusedByName() throws IOException {
        for (String name : entries(file).keySet()) {
            Map<String, byte[]> entries = entries(file);
            byte[] bytes = Objects.requireNonNull(entries.get(name));
            bytes[bytes.length / 2] ^= 1;
            assertDamaged(write(entries), name);
            entries.remove(name);
            assertThatThrownBy(() -> unpacked(write(entries)))
                    .as("without " + name)
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining(name);
        }
    }

    @Test
    void flippedBitsOfTheFileNeverChangeWhatIsLoaded() throws IOException {
        byte[] whole = Files.readAllBytes(file);
        String intact = Sha256.of(unpacked(file).manifest());
        for (int at = 0; at < whole.length; at += whole.length / 150) {
            byte[] bytes = whole.clone();
            bytes[at] ^= 4;
            Path damaged = Files.write(directory.resolve("flipped.zip"), bytes);
            try {
                assertThat(Sha256.of(unpacked(damaged).manifest()))
                        .as("byte " + at)
                        .isEqualTo(intact);
            } catch (UserError e) {
                assertThat(e.where()).isEqualTo(damaged.toString());
            }
        }
    }

    @Test
    void truncatedFilesAndOtherFilesAreUserErrors() throws IOException {
        byte[] whole = Files.readAllBytes(file);
        Path cut = directory.resolve("cut.zip");
        for (int length : new int[] {0, 10, 1000, whole.length / 2}) {
            Files.write(cut, Arrays.copyOf(whole, length));
            assertThatThrownBy(() -> unpacked(cut)).isInstanceOf(UserError.class);
        }
        Files.writeString(cut, "not a ZIP file at all");
        assertThatThrownBy(() -> unpacked(cut))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("This is not a packed model");
    }

    @Test
    void entriesOutsideTheDirectoryAndSurplusOnesAreRefused() throws IOException {
        for (String name : List.of("../evil", "/tmp/evil", "extra.txt")) {
            Map<String, byte[]> entries = entries(file);
            entries.put(name, new byte[] {1});
            assertDamaged(write(entries), name);
        }
        assertThat(directory.resolve("cache/evil")).doesNotExist();
    }

    @Test
    void aNewerFormatIsRefusedAsSuch() throws IOException {
        Map<String, byte[]> entries = entries(file);
        String card = text(entries, "card.json");
        entries.put(
                "card.json",
                card.replace("\"format\" : 1", "\"format\" : 2, \"new\" : 1").getBytes(StandardCharsets.UTF_8));
        assertThatThrownBy(() -> unpacked(write(entries)))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("The packed model has format 2")
                .hasMessageContaining("use a newer version");
    }

    @Test
    void aDamagedCopyInTheCacheIsUnpackedAgain() throws IOException {
        RunDirectory first = unpacked(file);
        Files.writeString(first.labels(), "code\tdocuments\tkind\n");
        assertThat(Files.size(unpacked(file).labels())).isGreaterThan(30);
        Files.delete(first.manifest());
        assertThat(unpacked(file).manifest()).exists();
    }

    @Test
    void anUnfinishedRunIsAUserError() {
        RunDirectory copy = new RunDirectory(directory.resolve("copy"));
        copy.create(run.readManifest().with("interrupted", Map.of()), staging -> {});
        assertThatThrownBy(() -> new ModelPacker(copy, CARD, Optional.empty(), Compute.CPU, Progress.NONE)
                        .pack(directory.resolve("a.zip"), PackedWeights.BITS, 1))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("The run is not finished");
    }

    /**
     * Written by this test when format 1 was new, {@code plant model pack} of the run above: later versions must read it and
     * find the same codes.
     */
    @Test
    void aModelOfFormat1IsStillRead() throws IOException {
        Path stored = directory.resolve("format-1.zip");
        try (InputStream in = PackedModelTest.class.getResourceAsStream("format-1.zip")) {
            Files.copy(Objects.requireNonNull(in), stored);
        }
        List<RankedCode> codes = ranking(stored);
        assertThat(codes).extracting(RankedCode::code).containsExactly("E11.9", "I50.9", "J45.909", "N18.6");
        assertThat(codes.get(0).score()).isCloseTo(0.84509, within(1e-4));
        assertThat(codes.get(3).score()).isCloseTo(0.47993, within(1e-4));
    }

    private void assertDamaged(Path damaged, String name) {
        assertThatThrownBy(() -> unpacked(damaged))
                .as(name)
                .isInstanceOf(UserError.class)
                .hasMessageContaining("The packed model is damaged")
                .hasMessageContaining(name);
    }

    private static String text(Map<String, byte[]> entries, String name) {
        return new String(Objects.requireNonNull(entries.get(name)), StandardCharsets.UTF_8);
    }

    private static Map<String, byte[]> entries(Path packed) throws IOException {
        Map<String, byte[]> entries = new LinkedHashMap<>();
        try (ZipInputStream zip = new ZipInputStream(Files.newInputStream(packed))) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                entries.put(entry.getName(), zip.readAllBytes());
            }
        }
        return entries;
    }

    private Path write(Map<String, byte[]> entries) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
                zip.putNextEntry(new ZipEntry(entry.getKey()));
                zip.write(entry.getValue());
                zip.closeEntry();
            }
        }
        return Files.write(directory.resolve("changed.zip"), bytes.toByteArray());
    }
}
