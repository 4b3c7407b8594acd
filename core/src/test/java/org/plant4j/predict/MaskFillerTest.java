package org.plant4j.predict;

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
import org.plant4j.UserError;
import org.plant4j.encoders.EncoderImport;
import org.plant4j.encoders.TinyBert;
import org.plant4j.nn.Compute;
import org.plant4j.nn.EncoderFolder;
import org.plant4j.nn.Precision;
import org.plant4j.predict.MaskFiller.Guess;

class MaskFillerTest {

    @TempDir
    Path folder;

    private MaskFiller open(UnaryOperator<String> naming) {
        return new MaskFiller(imported(naming), Compute.CPU);
    }

    private EncoderFolder imported(UnaryOperator<String> naming) {
        EncoderFolder encoder = new EncoderFolder(folder.resolve("encoder"));
        try {
            EncoderImport.run(
                    TinyBert.huggingFace(folder.resolve("source"), naming),
                    encoder.path(),
                    new EncoderImport.Options(Precision.FLOAT32, OptionalInt.empty(), Optional.empty()));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
        return encoder;
    }

    @Test
    void everyMaskGetsItsLikeliestPiecesFirst() {
        try (MaskFiller filler = open(name -> name)) {
            List<List<Guess>> guesses = filler.fill("fiebre [MASK] tos [MASK]", 9);
            assertThat(guesses).hasSize(2).allSatisfy(each -> {
                assertThat(each)
                        .extracting(Guess::piece)
                        .doesNotHaveDuplicates()
                        .hasSize(9);
                assertThat(each).extracting(Guess::probability).isSortedAccordingTo((a, b) -> Double.compare(b, a));
                assertThat(each.stream().mapToDouble(Guess::probability).sum()).isCloseTo(1, within(1e-5));
            });
            assertThat(filler.fill("fiebre [MASK] tos [MASK]", 2).get(1))
                    .isEqualTo(guesses.get(1).subList(0, 2));
        }
    }

    @Test
    void aTextWithoutAMaskOrOfTooManyPiecesIsTheUsersToMend() {
        try (MaskFiller filler = open(name -> name)) {
            assertThatThrownBy(() -> filler.fill("fiebre", 1))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("write [MASK]");
            assertThatThrownBy(() -> filler.fill("[MASK] a a a a a a a a a a", 1))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("reads 10 at once");
        }
    }

    @Test
    void anEncoderWithoutItsHeadCannotFill() {
        assertThatThrownBy(() -> open(name -> name.replace("cls.predictions.bias", "cls.bias")))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("no head");
    }

    @Test
    void weightsThatDoNotFitLeaveNothingNativeBehind() throws IOException {
        EncoderFolder encoder = imported(name -> name);
        Path pieces = encoder.path().resolve("pieces.txt");
        Files.writeString(pieces, Files.readString(pieces) + "one more\n");
        long before = Pointer.totalCount();
        assertThatThrownBy(() -> new MaskFiller(encoder, Compute.CPU)).isInstanceOf(UserError.class);
        assertThat(Pointer.totalCount()).isLessThanOrEqualTo(before);
    }
}
