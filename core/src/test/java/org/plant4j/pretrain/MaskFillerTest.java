package org.plant4j.pretrain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.UnaryOperator;
import org.bytedeco.javacpp.Pointer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.Precision;
import org.plant4j.UserError;
import org.plant4j.encoder.EncoderDirectory;
import org.plant4j.encoder.importer.EncoderImporter;
import org.plant4j.encoder.importer.TinyBert;
import org.plant4j.pretrain.MaskFiller.MaskPrediction;
import org.plant4j.tensor.Compute;

class MaskFillerTest {

    @TempDir
    Path directory;

    private MaskFiller open(UnaryOperator<String> naming) {
        return new MaskFiller(imported(naming), Compute.CPU);
    }

    private EncoderDirectory imported(UnaryOperator<String> naming) {
        EncoderDirectory encoder = new EncoderDirectory(directory.resolve("encoder"));
        try {
            EncoderImporter.run(
                    TinyBert.huggingFace(directory.resolve("source"), naming),
                    encoder.path(),
                    new EncoderImporter.Options(Precision.FLOAT32, OptionalInt.empty(), Optional.empty()));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
        return encoder;
    }

    @Test
    void everyMaskGetsItsMostLikelyTokensFirst() {
        try (MaskFiller filler = open(name -> name)) {
            List<List<MaskPrediction>> predictions = filler.fill("fiebre [MASK] tos [MASK]", 9);
            assertThat(predictions).hasSize(2).allSatisfy(each -> {
                assertThat(each)
                        .extracting(MaskPrediction::token)
                        .doesNotHaveDuplicates()
                        .hasSize(9);
                assertThat(each)
                        .extracting(MaskPrediction::probability)
                        .isSortedAccordingTo((a, b) -> Double.compare(b, a));
                assertThat(each.stream()
                                .mapToDouble(MaskPrediction::probability)
                                .sum())
                        .isCloseTo(1, within(1e-5));
            });
            assertThat(filler.fill("fiebre [MASK] tos [MASK]", 2).get(1))
                    .isEqualTo(predictions.get(1).subList(0, 2));
        }
    }

    @Test
    void textsWithoutAMaskOrWithTooManyTokensAreRejected() {
        try (MaskFiller filler = open(name -> name)) {
            assertThatThrownBy(() -> filler.fill("fiebre", 1))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("write [MASK]");
            assertThatThrownBy(() -> filler.fill("[MASK] a a a a a a a a a a", 1))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("shorten it to 10 tokens");
        }
    }

    @Test
    void anEncoderWithoutAHeadIsRejected() {
        assertThatThrownBy(() -> open(name -> name.replace("cls.predictions.bias", "cls.bias")))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("no masked language model head");
    }

    @Test
    void nativeMemoryIsFreedIfTheWeightsDoNotFit() throws IOException {
        EncoderDirectory encoder = imported(name -> name);
        Path pieces = encoder.path().resolve("tokens.txt");
        Files.writeString(pieces, Files.readString(pieces) + "one more\n");
        long before = Pointer.totalCount();
        assertThatThrownBy(() -> new MaskFiller(encoder, Compute.CPU)).isInstanceOf(UserError.class);
        assertThat(Pointer.totalCount()).isLessThanOrEqualTo(before);
    }
}
